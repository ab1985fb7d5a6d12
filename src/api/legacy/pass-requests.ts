import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import type { Request, RequestHandler, Response } from 'express'
import { addressKey } from '../../auth/rate-limits.ts'
import { FairQueue } from '../../concurrency/fair-queue.ts'
import { AppError } from '../../errors.ts'
import { familyLabel, type LegacyFamilies } from '../../legacy/families.ts'
import { type LegacyEndpoint, passedHeaders, unavailable } from '../../legacy/legacy-endpoint.ts'
import type { Metrics } from '../../metrics.ts'
import type { RunServices } from '../run/run-endpoint.ts'
import { KeptBack, KeptCopy } from './answer-streams.ts'
import { LiveComparison, MAX_COMPARED_BYTES } from './live-comparison.ts'
import {
  assertPassable,
  forwardedFields,
  mayWrite,
  type PassedTarget,
  targetOf,
} from './passed-target.ts'
import { isServed } from './served-routes.ts'
import { BodyStart, WrittenSites } from './written-sites.ts'

/** What passes requests to the old endpoint. */
export type Legacy = {
  readonly endpoint: LegacyEndpoint
  readonly families: LegacyFamilies
  /** False in a database that was moved or copied: its requests could reach the endpoint of the original. */
  readonly mayPass: () => Promise<boolean>
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
  concurrencyPerKey: 16,
  maxWaitingPerKey: 64,
}

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
  const queue = new FairQueue({ ...PASSED_REQUESTS, maxWaitMs: options.db.timings.legacy.waitMs })
  return async (request, response, next) => {
    const { families, basePath, metrics, mayPass } = services
    const target = targetOf(request, basePath)
    if (target === undefined) return next()
    const { path } = target
    const answers = families.get(path.family)
    const served = isServed(request.method, path)
    if (answers === undefined && served) return next()
    const begin = performance.now()
    const family = familyLabel(path.family, families)
    response.locals.route = 'legacy'
    response.locals.legacy = family
    if (/^[1-9]\d*$/.test(path.siteId ?? '')) response.locals.site = Number(path.siteId)
    assertPassable(request, target.sentPath)
    if (!(await mayPass())) throw movedOrCopied()
    const left = new AbortController()
    response.setMaxListeners(MAX_LISTENERS)
    response.once('close', () => {
      left.abort()
      const status = response.headersSent ? String(response.statusCode) : 'aborted'
      metrics?.countPassed(family, request.method, status, (performance.now() - begin) / 1000)
    })
    const isCompared = answers === 'compare' && served && request.method === 'GET'
    const passed = { ...target, family, isCompared, signal: left.signal }
    await queue.run(addressKey(request.ip), () => pass(services, request, response, passed))
  }
}

const movedOrCopied = (): AppError =>
  new AppError(
    'legacy_unavailable',
    'The database was moved or copied, and the old endpoint may be that of the original. No request is passed to it until the operator runs "wp-frames network moved" or "wp-frames network copied".',
  )

type Passed = PassedTarget & {
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
