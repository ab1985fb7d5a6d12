import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Request } from 'express'
import { type CallerServices, callerOfRequest } from '#wp-frames/api/authenticate-request'
import { endpointsOn } from '#wp-frames/api/endpoints'
import { findEndpoint } from '#wp-frames/api/find-endpoint'
import { appErrorOf, errorResponseOf, noRoute } from '#wp-frames/api/http-errors'
import { ReadQueue } from '#wp-frames/api/run/read-queue'
import { type Host, run, type SentRequest } from '#wp-frames/api/run/run'
import {
  legacySelectorOf,
  siteChoiceOfPath,
  siteChoiceOfSelector,
} from '#wp-frames/api/site-choice'
import { FairQueue } from '#wp-frames/host/concurrency/fair-queue'
import { AppError } from '#wp-frames/host/errors'
import type { LegacyPath } from '#wp-frames/host/families'
import type { Log } from '#wp-frames/host/log'
import type { Metrics } from '#wp-frames/host/metrics'
import { addressKey } from '#wp-frames/record/auth/rate-limits'
import { compareAnswers } from '../compare/compare-answers.ts'
import { breaksClients, type ComparedAnswer, type Difference } from '../compare/difference.ts'

export type LiveServices = Host & CallerServices & { readonly metrics?: Metrics | undefined }

/** Answers that are computed at the same time beside those of the old endpoint. More are not compared: clients do not wait for a comparison. */
export const LIVE_COMPARISONS = {
  resource: 'a comparison',
  concurrency: 4,
  concurrencyPerKey: 4,
  maxWaitingPerKey: 0,
  maxWaitMs: 0,
}

/** Longest answer of the old endpoint that is compared, in bytes: parsing and comparing takes the main thread. */
export const MAX_COMPARED_BYTES = 1024 * 1024

/** Fields with differences that are logged of one answer, and the length of each, in characters. */
const MAX_LOGGED_FIELDS = 20
const MAX_FIELD_LENGTH = 100

/** Answers without a whole body of their own: to conditional requests, to parts, and beyond a limit. */
const NOT_COMPARED = new Set([206, 304, 429])

/** A read that is compared. */
export type ComparedRead = {
  /** Compares the complete answer of the old endpoint. @param bytes undefined if it was too long to keep */
  finish(status: number, headers: IncomingHttpHeaders, bytes: Buffer | undefined): void
  /** There is no complete answer. */
  abandon(): void
}

type Compared = { readonly path: LegacyPath; readonly family: string }

/** Compares answers of the old endpoint to reads with our own, beside the request of the client. Differences are counted, and logged without values. */
export class LiveComparison {
  readonly #services: LiveServices
  readonly #log: Log
  readonly #queue = new FairQueue(LIVE_COMPARISONS)

  constructor(services: LiveServices) {
    // Clients' reads of a site do not wait for comparisons.
    this.#services = { ...services, readQueue: new ReadQueue(services.db.timings.api) }
    this.#log = services.log
  }

  /** Begins to compute our answer while the old endpoint computes its own. */
  begin(request: Request, compared: Compared): ComparedRead {
    let resolve: (old: ComparedAnswer | undefined) => void = () => {}
    const answered = new Promise<ComparedAnswer | undefined>((settle) => {
      resolve = settle
    })
    void this.#queue
      .run('', () => this.#compare(request, compared, answered))
      .catch((error: unknown) => {
        const isBusy = error instanceof AppError && error.code === 'service_busy'
        this.#count(compared, 'skipped')
        if (!isBusy) this.#log.warn({ err: error }, 'an answer could not be compared')
      })
    return {
      finish: (status, headers, bytes) => {
        const body = NOT_COMPARED.has(status) ? undefined : bytes && decode(headers, bytes)
        resolve(body && { status, headers: typeHeader(headers['content-type']), body })
      },
      abandon: () => resolve(undefined),
    }
  }

  async #compare(
    request: Request,
    compared: Compared,
    answered: Promise<ComparedAnswer | undefined>,
  ): Promise<void> {
    const ours = await this.#answer(request, compared.path)
    const old = await answered
    if (!old || ours.status === 503) return this.#count(compared, 'skipped')
    const differences = compareAnswers(old, ours).filter(breaksClients)
    if (differences.length === 0) return this.#count(compared, 'equal')
    // Our answers are the same for the same rows: another one shows that rows have changed meanwhile. That they changed between the two first reads is not
    // noticed: then a difference is counted that there is not.
    const again = await this.#answer(request, compared.path)
    if (compareAnswers(ours, again).length > 0) return this.#count(compared, 'not_comparable')
    this.#count(compared, 'different')
    this.#report(request, compared, differences)
  }

  #report(request: Request, { family }: Compared, differences: readonly Difference[]): void {
    const found = new Set(
      differences.map(({ kind, field }) => `${kind} ${field}`.slice(0, MAX_FIELD_LENGTH)),
    )
    for (const kind of new Set(differences.map((difference) => difference.kind)))
      this.#services.metrics?.count('legacy_differences_total', { family, kind })
    this.#log.warn(
      {
        req: { id: request.id, method: request.method },
        family,
        differences: [...found].slice(0, MAX_LOGGED_FIELDS),
        total: found.size,
      },
      'the answers of the old endpoint and of this service differ',
    )
  }

  #count(
    { family }: Compared,
    outcome: 'equal' | 'different' | 'not_comparable' | 'skipped',
  ): void {
    this.#services.metrics?.count('legacy_comparisons_total', { family, outcome })
  }

  /** The answer that this service would send. */
  async #answer(request: Request, path: LegacyPath): Promise<ComparedAnswer> {
    const headers = typeHeader('application/json; charset=utf-8')
    try {
      return { status: 200, headers, body: await this.#read(request, path) }
    } catch (error) {
      const known = appErrorOf(error)
      if (known.code === 'internal_error')
        this.#log.error({ req: { id: request.id }, err: error }, 'our answer could not be computed')
      const { status, body } = errorResponseOf(known)
      return { status, headers, body: Buffer.from(JSON.stringify(body)) }
    }
  }

  /** @throws AppError */
  async #read(request: Request, { siteId, below }: LegacyPath): Promise<Buffer> {
    const services = this.#services
    const caller = await callerOfRequest(services, request, addressKey(request.ip))
    const ofCaller =
      siteId === undefined ? findEndpoint(endpointsOn('caller'), 'get', below) : undefined
    const { endpoint, params } =
      ofCaller ?? findEndpoint(endpointsOn('site'), 'get', below) ?? noRoute(request)
    const choose = () =>
      siteId === undefined
        ? siteChoiceOfSelector(legacySelectorOf(request))
        : siteChoiceOfPath(siteId)
    const { query, id: requestId } = request
    const open: SentRequest['open'] = async (authorize) => ({
      ...(await authorize(endpoint.on === 'site' ? choose() : undefined)),
      body: undefined,
    })
    return (await run(services, endpoint, { caller, requestId, params, query, open })).answer.bytes
  }
}

/** The bytes of an answer without its content coding; undefined if that is not known, or they are too many. */
function decode(headers: IncomingHttpHeaders, bytes: Buffer): Buffer | undefined {
  const limit = { maxOutputLength: MAX_COMPARED_BYTES }
  try {
    switch (headers['content-encoding'] ?? 'identity') {
      case 'identity':
        return bytes
      case 'gzip':
        return gunzipSync(bytes, limit)
      case 'deflate':
        return inflateSync(bytes, limit)
      case 'br':
        return brotliDecompressSync(bytes, limit)
      default:
        return undefined
    }
  } catch {
    return undefined
  }
}

const typeHeader = (type: string | undefined): Record<string, string> =>
  type === undefined ? {} : { 'content-type': type }
