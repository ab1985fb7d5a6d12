import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Request, RequestHandler, Response } from 'express'
import { LRUCache } from 'lru-cache'
import { hasBody } from '#wp-frames/api/request-body'
import { targetOf } from '#wp-frames/api/request-target'
import { isServed } from '#wp-frames/api/served-routes'
import { tokenOf } from '#wp-frames/api/token-of-request'
import { FairQueue } from '#wp-frames/host/concurrency/fair-queue'
import { AppError } from '#wp-frames/host/errors'
import { isPassedFamily, type LegacyFamilies, type LegacyPath } from '#wp-frames/host/families'
import { sha256Hex } from '#wp-frames/host/hash'
import { methodLabel } from '#wp-frames/host/metrics'
import { addressKey } from '#wp-frames/record/auth/rate-limits'
import { KeptBack, KeptCopy } from './answer-streams.ts'
import {
  incompleteBody,
  type LegacyEndpoint,
  passedHeaders,
  unavailable,
} from './legacy-endpoint.ts'
import { LiveComparison, type LiveServices, MAX_COMPARED_BYTES } from './live-comparison.ts'
import {
  assertPassable,
  forwardedFields,
  mayWrite,
  passedText,
  type ReadRequest,
  readsOf,
} from './passed-target.ts'
import { BodyStart, WrittenSites } from './written-sites.ts'

/** What passes requests to the old endpoint. */
export type Passing = {
  readonly endpoint: LegacyEndpoint
  readonly families: LegacyFamilies
  /** False in a database that was moved or copied: its requests could reach the endpoint of the original. */
  readonly mayPass: () => Promise<boolean>
}

type PassOptions = Passing &
  LiveServices & {
    readonly basePath: string
  }

type PassServices = PassOptions & {
  readonly written: WrittenSites
  readonly live: LiveComparison
}

/**
 * Requests that are passed at the same time: each has a connection to the client and one to the old endpoint. Those with a token that the old endpoint has
 * accepted within the hour have slots of their own, by token: who has none delays no one of them. Who sends or reads slowly loses its slot while others wait.
 */
export const PASSED_REQUESTS = {
  resource: 'the old endpoint',
  concurrency: 32,
  concurrencyPerKey: 16,
  maxWaitingPerKey: 64,
}
/** All others, by address; a network of IPv6 (/48) is one. */
export const OTHER_PASSED_REQUESTS = { ...PASSED_REQUESTS, concurrencyPerKey: 8 }

/** Tokens that are remembered. */
const MAX_ACCEPTED_TOKENS = 10_000
/** Bits of the address of an IPv6 network that one customer may have. */
const NETWORK_BITS = 48

/** Listeners that the parts of a server add to a response. Node's own streams add five. */
const MAX_LISTENERS = 20

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
  const { waitMs: maxWaitMs, acceptedTokenMs: ttl, bodyLookMs, slowMs } = options.db.timings.legacy
  const known = new FairQueue({ ...PASSED_REQUESTS, maxWaitMs })
  const others = new FairQueue({ ...OTHER_PASSED_REQUESTS, maxWaitMs })
  const accepted = new LRUCache<string, true>({ max: MAX_ACCEPTED_TOKENS, ttl })
  return async (request, response, next) => {
    const { families, basePath, metrics, mayPass, endpoint } = services
    const target = targetOf(request, basePath)
    if (target === undefined) return next()
    const { path } = target
    const { family } = path
    const answers = families.get(family)
    const served = isServed(request.method, path)
    if (!isPassedFamily(family, families) || (answers === undefined && served)) return next()
    response.locals.route = 'legacy'
    const text = passedText(target)
    for (const read of readsOf(request, target.sentPath))
      if (!families.has(read.path.family) && isServed(read.method, read.path))
        throw servedHere(read)
    const begin = performance.now()
    response.locals.legacy = family
    if (/^[1-9]\d*$/.test(path.siteId ?? '')) response.locals.site = Number(path.siteId)
    assertPassable(request, target.sentPath)
    endpoint.assertFits(request)
    if (!(await mayPass())) throw movedOrCopied()
    const left = new AbortController()
    response.setMaxListeners(MAX_LISTENERS)
    response.once('close', () => {
      left.abort()
      const status = response.headersSent ? String(response.statusCode) : 'aborted'
      const method = methodLabel(request.method)
      metrics?.count('legacy_requests_total', { family, method, status })
      const seconds = (performance.now() - begin) / 1000
      metrics?.observe('legacy_request_duration_seconds', { family }, seconds)
    })
    const isCompared = answers === 'compare' && served && request.method === 'GET'
    const passed = { path, text, family, isCompared, signal: left.signal }
    const token = tokenOf(request)
    const key = token === undefined ? undefined : sha256Hex(token)
    if (hasBody(request))
      await beginOfBody(request, { lookMs: bodyLookMs, timeoutMs: endpoint.timeoutMs })
    const isKnown = key !== undefined && accepted.has(key)
    const queue = isKnown ? known : others
    await queue.run(isKnown ? key : addressKey(request.ip, NETWORK_BITS), async () => {
      const watch = endIfSlow(request, response, { everyMs: slowMs, queue })
      try {
        await pass(services, request, response, passed)
      } finally {
        clearInterval(watch)
      }
    })
    // A client that leaves before the answer has no status, which is not a success.
    if (key !== undefined && response.headersSent && response.statusCode < 300)
      accepted.set(key, true)
  }
}

/**
 * Waits until the begin of the body is there, or nothing more comes: a slot is not for waiting. What has arrived stays in the buffer of the request, so no
 * event says that more has.
 * @throws AppError `rest_invalid_json` if nothing arrives for too long
 */
async function beginOfBody(
  request: Request,
  { lookMs, timeoutMs }: { readonly lookMs: number; readonly timeoutMs: number },
): Promise<void> {
  const length = Number(request.headers['content-length'] ?? Number.POSITIVE_INFINITY)
  const wanted = Math.min(length, request.readableHighWaterMark)
  let last = { bytes: 0, at: performance.now() }
  while (!request.complete && !request.destroyed && request.readableLength < wanted) {
    request.read(0)
    await sleep(lookMs)
    const { readableLength: bytes } = request
    if (bytes > last.bytes) last = { bytes, at: performance.now() }
    else if (performance.now() - last.at > timeoutMs) throw incompleteBody()
  }
}

/** What a client sends or reads in `slowMs` while others wait for its slot: 16 kB in a second. */
export const MIN_BYTES = 40 * 1024

/** Ends a request that waits for its client, which sends or reads too slowly, while others wait for a slot. */
function endIfSlow(
  request: Request,
  response: Response,
  { everyMs, queue }: { readonly everyMs: number; readonly queue: FairQueue },
): NodeJS.Timeout {
  const { socket } = request
  let before = socket.bytesRead + socket.bytesWritten
  return setInterval(() => {
    const bytes = socket.bytesRead + socket.bytesWritten
    const isClients = !request.complete || response.writableNeedDrain
    if (queue.withoutSlot > 0 && isClients && bytes - before < MIN_BYTES) socket.destroy()
    before = bytes
  }, everyMs)
}

/** The old endpoint would read it as a request that this service answers, with its rights, scopes and limits. */
const servedHere = ({ method, path }: ReadRequest): AppError =>
  new AppError(
    'rest_no_route',
    `This request means ${method} ${path.below}, which wp-frames answers. Send it with that method, and with slashes that are not encoded.`,
  )

const movedOrCopied = (): AppError =>
  new AppError(
    'legacy_unavailable',
    'The database was moved or copied, and the old endpoint may be that of the original. No request is passed to it until the operator runs "wp-frames network moved" or "wp-frames network copied".',
  )

type Passed = {
  readonly path: LegacyPath
  /** Path and query that are sent. */
  readonly text: string
  readonly family: string
  readonly isCompared: boolean
  /** The response was sent, or the client is gone. */
  readonly signal: AbortSignal
}

async function pass(
  services: PassServices,
  request: Request,
  response: Response,
  { path, text: target, family, isCompared, signal }: Passed,
): Promise<void> {
  const { endpoint, written, live, log } = services
  const isWrite = mayWrite(request)
  const body = isWrite && path.siteId === undefined ? new BodyStart(request) : undefined
  const comparing = isCompared && !isWrite ? live.begin(request, { path, family }) : undefined
  let built: Promise<void> | undefined
  const build = (): Promise<void> => {
    built ??= written.build(request, path, body)
    return built
  }
  // A write goes on without its client, because its pages are to be built.
  const sent = {
    incoming: request,
    target,
    forwarded: forwardedFields(request),
    requestId: request.id,
    signal: isWrite ? undefined : signal,
  }
  let answer: IncomingMessage | undefined
  try {
    answer = await endpoint.send(sent)
    const status = statusOf(answer)
    const through = isWrite
      ? new KeptBack(async (bytes) => {
          if (mayHaveWritten(status, bytes)) await build()
        })
      : new KeptCopy(comparing ? MAX_COMPARED_BYTES : 0)
    sendHeaders(response, answer, status)
    await pipeline(answer, through, response)
    if (through instanceof KeptCopy) comparing?.finish(status, answer.headers, through.bytes)
  } catch (error) {
    comparing?.abandon()
    answer?.destroy()
    if (isWrite) await build()
    if (signal.aborted) return
    if (error instanceof AppError && error.code !== 'legacy_unavailable') throw error
    const failure = error instanceof AppError ? error : unavailable(error, endpoint.timeoutMs)
    log.warn(
      { req: { id: request.id }, err: failure.cause },
      answer
        ? 'an answer of the old endpoint was not complete'
        : 'the old endpoint does not answer',
    )
    if (!response.headersSent) throw failure
    response.destroy()
  }
}

/** @throws Error for a status that is none of HTTP's final ones */
function statusOf({ statusCode = 0 }: IncomingMessage): number {
  if (statusCode >= 200 && statusCode <= 599) return statusCode
  throw new Error(`the old endpoint answered with the status ${statusCode}`)
}

/**
 * Whether a write may have stored something. Errors before the endpoint runs (token, site, body, route) have a body with `code`; those inside it, with
 * `error`, may follow a part of the work.
 * @param bytes the answer; undefined if it is too long
 */
function mayHaveWritten(status: number, bytes: Buffer | undefined): boolean {
  if (status === 401 || status === 405 || status === 429) return false
  if (status < 400 || status >= 500 || bytes === undefined) return true
  try {
    const body: unknown = JSON.parse(bytes.toString())
    return typeof body !== 'object' || body === null || 'error' in body || !('code' in body)
  } catch {
    return true
  }
}

/** Sets the status and headers of the answer, instead of those that were set for our own. */
function sendHeaders(response: Response, answer: IncomingMessage, status: number): void {
  const connection = response.getHeader('connection')
  for (const name of response.getHeaderNames()) response.removeHeader(name)
  const headers = passedHeaders(answer)
  for (let at = 0; at < headers.length; at += 2)
    response.appendHeader(headers[at] ?? '', headers[at + 1] ?? '')
  if (connection !== undefined) response.setHeader('Connection', connection)
  const reason = answer.statusMessage ?? ''
  if (/^[\t\x20-\x7e]+$/.test(reason)) response.writeHead(status, reason)
  else response.writeHead(status)
}
