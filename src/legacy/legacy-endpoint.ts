import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../errors.ts'

export type LegacyEndpointOptions = {
  /** Base address, without a slash at the end. */
  readonly url: string
  /** Longest silence of the old endpoint, in milliseconds. */
  readonly timeoutMs: number
  /** Largest body of a passed request, in bytes. */
  readonly maxBodyBytes: number
}

/** A request that is passed, and what the old endpoint has to know about it. */
export type PassedRequest = {
  /** Its method, headers and body. */
  readonly incoming: IncomingMessage
  /** Path and query below the base path, percent-encoded. */
  readonly target: string
  readonly forwarded: ForwardedFields
  readonly requestId: string
  /** Ends the request when nobody waits for the answer. */
  readonly signal?: AbortSignal | undefined
}

/** Values of `X-Forwarded-For`, `-Host` and `-Proto`. */
export type ForwardedFields = {
  readonly for: string
  readonly host: string
  readonly proto: string
}

/** Our pseudonym in the header Via (RFC 9110, section 7.6.3), by which a loop is detected. */
export const PSEUDONYM = 'wp-frames'

/** Headers of one connection, which are not passed (RFC 9110, section 7.6.1), and those that are set anew. */
const NOT_PASSED = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])
const SET_ANEW = new Set([
  'host',
  'via',
  'expect',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-request-id',
])

/**
 * The endpoint that is being replaced, as an HTTP server to which requests are passed. Each request has a connection of its own: on one that is kept,
 * a write could arrive when the server has just closed it, and must not be sent again.
 */
export class LegacyEndpoint {
  readonly timeoutMs: number
  readonly #url: URL
  readonly #maxBodyBytes: number

  constructor({ url, timeoutMs, maxBodyBytes }: LegacyEndpointOptions) {
    this.timeoutMs = timeoutMs
    this.#maxBodyBytes = maxBodyBytes
    this.#url = new URL(url)
  }

  /**
   * Sends a request, its body as a stream.
   * @returns the answer, when its headers have arrived
   * @throws AppError `legacy_unavailable` if the old endpoint does not answer, `rest_body_too_large`
   */
  async send({ incoming, target, ...passed }: PassedRequest): Promise<IncomingMessage> {
    const timeoutMs = this.timeoutMs
    const maxBodyBytes = this.#maxBodyBytes
    if (Number(incoming.headers['content-length']) > maxBodyBytes) throw tooLarge(maxBodyBytes)
    const { protocol, hostname, port, pathname } = this.#url
    const outgoing = (protocol === 'https:' ? requestHttps : requestHttp)({
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      method: incoming.method,
      path: `${pathname.replace(/\/$/, '')}${target}`,
      headers: this.#headersOf({ incoming, target, ...passed }),
      agent: false,
      signal: passed.signal,
      timeout: timeoutMs,
    })
    outgoing.once('timeout', () => outgoing.destroy(new Silence()))
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve)
      outgoing.once('error', reject)
    })
    const sent = pipeline(bodyOf(incoming, maxBodyBytes), outgoing)
    try {
      // An answer may arrive before the whole body is sent.
      return await Promise.race([answered, sent.then(() => answered)])
    } catch (error) {
      outgoing.destroy()
      // What the client still sends is discarded, so that it can read the answer.
      incoming.resume()
      throw error instanceof AppError ? error : unavailable(error, timeoutMs)
    } finally {
      sent.catch(() => {})
      answered.catch(() => {})
    }
  }

  #headersOf({ incoming, forwarded, requestId }: PassedRequest): string[] {
    const { headers } = incoming
    const via = [headers.via, `${incoming.httpVersion} ${PSEUDONYM}`]
    return [
      'Host',
      this.#url.host,
      ...passedHeaders(incoming, SET_ANEW),
      'Connection',
      'close',
      ...lengthHeaders(incoming),
      'Via',
      via.filter((text) => text !== undefined).join(', '),
      'X-Forwarded-For',
      forwarded.for,
      'X-Forwarded-Host',
      forwarded.host,
      'X-Forwarded-Proto',
      forwarded.proto,
      'X-Request-Id',
      requestId,
    ]
  }
}

/** Longest time of the look at the start, in milliseconds. */
const LOOK_TIMEOUT_MS = 5000

/**
 * Looks at the start of a process whether an endpoint can be the old one.
 * @returns what was found instead: a loop back to this service, or the end of a sentence; undefined if nothing is wrong
 */
export async function lookAtEndpoint(
  url: string,
): Promise<{ readonly found: string; readonly isLoop: boolean } | undefined> {
  try {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { Via: `1.1 ${PSEUDONYM}`, Accept: 'application/json' },
      signal: AbortSignal.timeout(LOOK_TIMEOUT_MS),
    })
    await answer.body?.cancel()
    if (answer.status === 508) return { found: 'leads back to this service', isLoop: true }
    const type = answer.headers.get('content-type') ?? 'no Content-Type'
    if (answer.status >= 300 && answer.status < 400)
      return { found: `redirects (${answer.status}), perhaps to a login`, isLoop: false }
    if (!/\bjson\b/.test(type))
      return { found: `answers ${answer.status} with ${type} instead of JSON`, isLoop: false }
    return undefined
  } catch (error) {
    const { cause } = error as { readonly cause?: NodeJS.ErrnoException }
    return { found: `cannot be reached (${cause?.code ?? 'no answer'})`, isLoop: false }
  }
}

/** Whether a request has been passed by this service before. */
export function isPassedBefore({ headers }: IncomingMessage): boolean {
  return (headers.via ?? '').split(',').some((hop) => hop.trim().split(/\s+/)[1] === PSEUDONYM)
}

/**
 * The headers of a message that are passed, as names and values in turn, in their order and spelling.
 * @param without more names, in lower case
 */
export function passedHeaders(
  { rawHeaders, headers }: IncomingMessage,
  without: ReadonlySet<string> = new Set(),
): string[] {
  const ofConnection = (headers.connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
  return rawHeaders.flatMap((name, index) => {
    if (index % 2 === 1) return []
    const lower = name.toLowerCase()
    const isPassed = !NOT_PASSED.has(lower) && !without.has(lower) && !ofConnection.includes(lower)
    return isPassed ? [name, rawHeaders[index + 1] ?? ''] : []
  })
}

/** Node would announce a body for each method that may have one, which not every server accepts without one. */
function lengthHeaders({ method = '', headers }: IncomingMessage): string[] {
  if (headers['content-length'] !== undefined) return []
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked']
  return ['POST', 'PUT', 'PATCH'].includes(method) ? ['Content-Length', '0'] : []
}

/** Nothing was sent or received for too long. */
class Silence extends Error {
  override readonly name = 'Silence'
}

/** @throws AppError `rest_body_too_large` */
async function* bodyOf(incoming: IncomingMessage, limit: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of incoming.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > limit) throw tooLarge(limit)
    yield chunk
  }
}

function tooLarge(limit: number): AppError {
  return new AppError(
    'rest_body_too_large',
    `The body is larger than ${limit / 1024 / 1024} MB, the limit for requests to the old endpoint (LEGACY_MAX_MB). Send less.`,
  )
}

/** The error when the old endpoint does not answer. The cause is for the log only: it contains addresses. */
export function unavailable(cause: unknown, timeoutMs: number): AppError {
  const found =
    cause instanceof Silence
      ? `has not answered for ${timeoutMs / 1000} seconds`
      : 'cannot be reached, or has ended the connection'
  const error = new AppError(
    'legacy_unavailable',
    `The old endpoint, which serves this request, ${found}. Retry later. A write may have been stored: read the resource first.`,
    { retry_after: 5 },
  )
  error.cause = cause
  return error
}
