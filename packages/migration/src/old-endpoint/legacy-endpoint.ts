import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { pipeline } from 'node:stream/promises'
import { AppError } from '#wp-frames/host/errors'

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

/** Values of `X-Forwarded-For`, `-Host` and `-Proto`, and of `X-Real-IP`. */
type ForwardedFields = {
  readonly for: string
  readonly client: string
  readonly host: string
  readonly proto: string
}

/** Our pseudonym in the header Via (RFC 9110, section 7.6.3), by which a loop is detected. */
export const PSEUDONYM = 'wp-frames'

/** Headers of one connection, which are not passed (RFC 9110, section 7.6.1). */
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

/** The name of a header as PHP and web servers may read it: some make `_` of all signs. */
export const phpHeaderName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '-')

/**
 * Headers that are replaced or left out, by `phpHeaderName`: what proxies say about the client and the address, and `Proxy`, which PHP programs take for
 * a setting (httpoxy).
 */
const REPLACED =
  /^(?:host|via|expect|proxy|content-length|forwarded|x-forwarded-.*|x-(?:real|client|cluster-client|originating|remote|azure-client)-ip|(?:true-|fastly-|cf-)?(?:client|connecting)-ip(?:v6)?|x-(?:original|rewrite)-(?:url|uri|host)|x-host|x-request-id)$/

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

  /** @throws AppError `rest_body_too_large` for a request that says so: nothing of it is sent */
  assertFits({ headers }: IncomingMessage): void {
    if (Number(headers['content-length']) > this.#maxBodyBytes) throw tooLarge(this.#maxBodyBytes)
  }

  /**
   * Sends a request, its body as a stream.
   * @returns the answer, when its headers have arrived
   * @throws AppError `legacy_unavailable` if the old endpoint does not answer; `rest_body_too_large`; `rest_invalid_json` for a body that does not arrive
   */
  async send(passed: PassedRequest): Promise<IncomingMessage> {
    const { incoming, target, signal } = passed
    const limit = this.#maxBodyBytes
    const { protocol, hostname, port, pathname } = this.#url
    const path = `${pathname.replace(/\/$/, '')}${target}`
    const outgoing = (protocol === 'https:' ? requestHttps : requestHttp)({
      hostname: hostname.replace(/^\[(.*)\]$/, '$1'),
      port,
      method: incoming.method,
      path: path.startsWith('/') ? path : `/${path}`,
      headers: this.#headersOf(passed),
      agent: false,
      signal,
      timeout: this.timeoutMs,
    })
    outgoing.once('timeout', () => outgoing.destroy(new Silence()))
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve)
      outgoing.on('error', reject)
      // It never came to an answer, or the connection is not HTTP any more.
      outgoing.once('close', () => reject(new Error('the connection was closed')))
      outgoing.once('upgrade', (_answer, socket) => socket.destroy())
    })
    // An answer may arrive before the whole body is sent, and without that. A failure of the connection ends `answered`, too.
    const failed = new Promise<never>((_, reject) => {
      pipeline(bodyOf(incoming, limit), outgoing).catch((error) => {
        if (error instanceof AppError || incoming.destroyed) reject(error)
        // What the client still sends is discarded, so that it can read the answer.
        incoming.resume()
      })
    })
    failed.catch(() => {})
    try {
      return await Promise.race([answered, failed])
    } catch (error) {
      answered.catch(() => {})
      outgoing.destroy()
      if (error instanceof AppError) throw error
      const isBodyMissing = !incoming.complete && (incoming.destroyed || error instanceof Silence)
      throw isBodyMissing ? incompleteBody() : unavailable(error, this.timeoutMs)
    }
  }

  #headersOf({ incoming, forwarded, requestId }: PassedRequest): string[] {
    const via = [incoming.headers.via, `${incoming.httpVersion} ${PSEUDONYM}`]
    return [
      'Host',
      this.#url.host,
      ...passedHeaders(incoming, REPLACED),
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
      'X-Real-IP',
      forwarded.client,
      'X-Request-Id',
      requestId,
    ]
  }
}

/**
 * Looks at the start of a process whether an endpoint can be the old one.
 * @returns what was found instead: a loop back to this service, or the end of a sentence; undefined if nothing is wrong
 */
export async function lookAtEndpoint(
  url: string,
  timeoutMs: number,
): Promise<{ readonly found: string; readonly isLoop: boolean } | undefined> {
  try {
    const answer = await fetch(url, {
      redirect: 'manual',
      headers: { Via: `1.1 ${PSEUDONYM}`, Accept: 'application/json' },
      signal: AbortSignal.timeout(timeoutMs),
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
export function isPassedBefore({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  return (headers.via ?? '').split(',').some((hop) => hop.trim().split(/\s+/)[1] === PSEUDONYM)
}

/**
 * The headers of a message that are passed, as name, value, name, value, in their order and spelling.
 * @param without names, by `phpHeaderName`, of more headers that are not [none]
 */
export function passedHeaders(
  { rawHeaders, headers }: IncomingMessage,
  without?: RegExp,
): string[] {
  const ofConnection = (headers.connection ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
  return rawHeaders.flatMap((name, index) => {
    if (index % 2 === 1) return []
    const lower = name.toLowerCase()
    const isPassed =
      !NOT_PASSED.has(lower) && !without?.test(phpHeaderName(name)) && !ofConnection.includes(lower)
    return isPassed ? [name, rawHeaders[index + 1] ?? ''] : []
  })
}

/**
 * How long the body is, from what this server has parsed, and not from what the headers of the connection say. Node would announce a body for each
 * method that may have one, which not every server accepts without one.
 */
function lengthHeaders({ method = '', headers }: IncomingMessage): string[] {
  if (headers['transfer-encoding'] !== undefined) return ['Transfer-Encoding', 'chunked']
  const length = headers['content-length']
  if (length !== undefined) return ['Content-Length', length]
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

export const incompleteBody = (): AppError =>
  new AppError('rest_invalid_json', 'The request ended before its body was complete.')

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
