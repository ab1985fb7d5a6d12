import type { IncomingMessage } from 'node:http'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Request, RequestHandler, Response } from 'express'
import { addressKey } from '../../auth/rate-limits.ts'
import { FairQueue } from '../../concurrency/fair-queue.ts'
import { AppError } from '../../errors.ts'
import {
  familyLabel,
  type LegacyFamilies,
  type LegacyPath,
  parseLegacyPath,
} from '../../legacy/families.ts'
import {
  isPassedBefore,
  type LegacyEndpoint,
  passedHeaders,
  unavailable,
} from '../../legacy/legacy-endpoint.ts'
import type { Metrics } from '../../metrics.ts'
import { noRoute } from '../http-errors.ts'
import type { RunServices } from '../run/run-endpoint.ts'
import { blogIdOfPath } from '../site-choice.ts'
import { LiveComparison, MAX_COMPARED_BYTES } from './live-comparison.ts'
import { isServed } from './served-routes.ts'
import { BodyStart, WrittenSites } from './written-sites.ts'

/** What passes requests to the old endpoint. */
export type Legacy = {
  readonly endpoint: LegacyEndpoint
  readonly families: LegacyFamilies
}

type PassOptions = Legacy &
  RunServices & {
    readonly basePath: string
    readonly metrics?: Metrics | undefined
  }

type PassServices = PassOptions & {
  readonly written: WrittenSites
  readonly live: LiveComparison
}

/** Requests that are passed at the same time: each has a connection to the client and one to the old endpoint. */
export const PASSED_REQUESTS = {
  resource: 'the old endpoint',
  concurrency: 64,
  concurrencyPerKey: 32,
  maxWaitingPerKey: 64,
  maxWaitMs: 10_000,
}

/** An answer to a write is kept back up to this size, in bytes, until the pages show what was written. Of a longer one, the end is. */
export const MAX_KEPT_BACK_BYTES = 1024 * 1024

/** Answers after which nothing can have been written: the caller may not, or there is no such thing. */
const REFUSED = new Set([401, 403, 404, 405, 429])

/**
 * Passes requests to the old endpoint: those that this service does not serve, and those of families that the old endpoint still answers. It
 * comes before authentication, because tokens and limits of these requests are those of the old endpoint.
 */
export function passRequests(options: PassOptions): RequestHandler {
  const services = {
    ...options,
    written: new WrittenSites(options),
    live: new LiveComparison(options),
  }
  const queue = new FairQueue(PASSED_REQUESTS)
  return async (request, response, next) => {
    const { families, basePath, metrics } = services
    const target = targetOf(request, basePath)
    if (target === undefined) return next()
    const path = parseLegacyPath(target.path)
    const answers = families.get(path.family)
    if (answers === undefined && isServed(request.method, path)) return next()
    const begin = performance.now()
    const family = familyLabel(path.family, families)
    response.locals.route = 'legacy'
    response.locals.site =
      blogIdOfPath(request.originalUrl.split('?', 1)[0] ?? '', basePath) || undefined
    assertPassable(request, target.path)
    const left = new AbortController()
    response.once('close', () => {
      left.abort()
      const status = response.headersSent ? String(response.statusCode) : 'aborted'
      metrics?.countPassed(family, request.method, status, (performance.now() - begin) / 1000)
    })
    const { signal } = left
    const passed = { path, target: target.text, isCompared: answers === 'compare', family, signal }
    await queue.run(addressKey(request.ip), () => pass(services, request, response, passed))
  }
}

type Passed = {
  readonly path: LegacyPath
  /** Path and query that are sent. */
  readonly target: string
  readonly isCompared: boolean
  readonly family: string
  /** The response was sent, or the client is gone. */
  readonly signal: AbortSignal
}

async function pass(
  services: PassServices,
  request: Request,
  response: Response,
  { path, target, isCompared, family, signal }: Passed,
): Promise<void> {
  const { endpoint, written, live, log } = services
  const isWrite = mayWrite(request)
  const body = isWrite && path.siteId === undefined ? new BodyStart(request) : undefined
  const comparing = isCompared && !isWrite ? live.begin(request, { path, family }) : undefined
  const forwarded = forwardedFields(request)
  const build = (): Promise<void> => written.build(request, path, body)
  const sent = {
    incoming: request,
    target,
    forwarded,
    requestId: request.id,
    // A write goes on without its client, because its pages are to be built.
    signal: isWrite ? undefined : signal,
  }
  let answer: IncomingMessage
  try {
    answer = await endpoint.send(sent)
  } catch (error) {
    comparing?.abandon()
    if (sent.signal?.aborted) return
    if (isWrite) await build()
    if (error instanceof AppError && error.cause !== undefined)
      log.warn({ req: { id: request.id }, err: error.cause }, 'the old endpoint does not answer')
    throw error
  }
  const status = answer.statusCode ?? 502
  const isBuilt = isWrite && !REFUSED.has(status)
  sendHeaders(response, answer)
  try {
    const through = isBuilt ? new KeptBack(build) : new Kept(comparing ? MAX_COMPARED_BYTES : 0)
    await pipeline(answer, through, response)
    if (through instanceof Kept) comparing?.finish(status, answer.headers, through.bytes)
  } catch (error) {
    comparing?.abandon()
    if (isBuilt) await build()
    log.warn(
      { req: { id: request.id }, err: unavailable(error, endpoint.timeoutMs) },
      'an answer of the old endpoint was not sent completely',
    )
    response.destroy()
  }
}

/** The status and headers of the answer, instead of those that were set for our own. */
function sendHeaders(response: Response, answer: IncomingMessage): void {
  const connection = response.getHeader('connection')
  for (const name of response.getHeaderNames()) response.removeHeader(name)
  const headers = passedHeaders(answer)
  for (let at = 0; at < headers.length; at += 2)
    response.appendHeader(headers[at] ?? '', headers[at + 1] ?? '')
  if (connection !== undefined) response.setHeader('Connection', connection)
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage)
}

/** Path and query below the base path; undefined for a path that is elsewhere. Express's routes ignore case, too. */
function targetOf(
  { originalUrl }: Request,
  basePath: string,
): { readonly path: string; readonly text: string } | undefined {
  const [whole = '', ...rest] = originalUrl.split('?')
  const isBelow = whole.slice(0, basePath.length).toLowerCase() === basePath.toLowerCase()
  const path = whole.slice(basePath.length)
  if (!isBelow || !/^(?:\/|$)/.test(path)) return undefined
  // WordPress would take the route from this parameter, and the path would mean nothing.
  const query = rest
    .join('?')
    .split('&')
    .filter((part) => !/^rest_route(?:=|$)/i.test(decodeSafely(part)))
    .join('&')
  return { path, text: query === '' ? path : `${path}?${query}` }
}

/**
 * @throws AppError `legacy_loop` for a request that has come back; `rest_no_route` for a path that may lead out of the old endpoint
 */
function assertPassable(request: Request, path: string): void {
  if (isPassedBefore(request))
    throw new AppError(
      'legacy_loop',
      'This request has come back from the old endpoint: LEGACY_URL leads to this service. Set it to the address of the old endpoint.',
    )
  const segments = decodeSafely(path).split(/[\\/]/)
  if (segments.some((segment) => segment === '.' || segment === '..')) noRoute(request)
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const SAFE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** WordPress takes the method from these two, if they are sent (WP_REST_Server::serve_request). */
function mayWrite(request: Request): boolean {
  return (
    !SAFE_METHODS.includes(request.method) ||
    request.query._method !== undefined ||
    request.get('x-http-method-override') !== undefined
  )
}

/** What the old endpoint has to know about the client. A proxy in front is believed as far as TRUST_PROXY says. */
function forwardedFields(request: Request) {
  const trust: (address: string, hop: number) => boolean = request.app.get('trust proxy fn')
  const { remoteAddress = '' } = request.socket
  const isProxyTrusted = trust(remoteAddress, 0)
  const before = isProxyTrusted ? request.get('x-forwarded-for') : undefined
  return {
    for: before === undefined ? remoteAddress : `${before}, ${remoteAddress}`,
    host:
      (isProxyTrusted ? request.get('x-forwarded-host') : undefined) ?? request.get('host') ?? '',
    proto: request.protocol,
  }
}

/** Passes bytes through, and keeps those of an answer that is not too long. */
class Kept extends Transform {
  readonly #limit: number
  #chunks: Buffer[] | undefined = []
  #size = 0

  constructor(limit: number) {
    super()
    this.#limit = limit
  }

  /** Undefined if there were too many. */
  get bytes(): Buffer | undefined {
    return this.#chunks && Buffer.concat(this.#chunks)
  }

  override _transform(
    chunk: Buffer,
    _encoding: string,
    done: (error: null, chunk: Buffer) => void,
  ) {
    this.#size += chunk.length
    if (this.#size > this.#limit) this.#chunks = undefined
    this.#chunks?.push(chunk)
    done(null, chunk)
  }
}

/** Keeps an answer back until the pages are built. */
class KeptBack extends Transform {
  readonly #build: () => Promise<void>
  #kept: Buffer[] = []
  #size = 0

  constructor(build: () => Promise<void>) {
    super()
    this.#build = build
  }

  override _transform(chunk: Buffer, _encoding: string, done: () => void) {
    this.#kept.push(chunk)
    this.#size += chunk.length
    // The last chunk stays here, so that the end of the answer waits.
    if (this.#size > MAX_KEPT_BACK_BYTES)
      for (const earlier of this.#kept.splice(0, this.#kept.length - 1)) this.push(earlier)
    done()
  }

  override _flush(done: () => void) {
    void this.#build().then(() => {
      for (const chunk of this.#kept) this.push(chunk)
      done()
    })
  }
}
