import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CacheEffect, RebakeOutcome } from './effects.ts'

/** The part of the service that received a request. */
export type Part = 'api' | 'front' | 'executor'

/** In seconds. A static copy takes less than the first, a large bake more than the last. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** How long a scrape waits for the database, in milliseconds: without its figures, the others are sent all the same. */
const MAX_READ_MS = 2000

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Express applications set the template of the route in `locals`; a response without `locals` is a static copy. */
function routeOf(response: ServerResponse & { locals?: { route?: unknown } }): string {
  return response.locals ? String(response.locals.route ?? 'none') : 'copy'
}

/** Numbers of rows of the work table, and the age of the oldest one. */
export type WorkFigures = {
  readonly pending: number
  readonly failing: number
  readonly pendingPurges: number
  readonly failingPurges: number
  /** Pages that visitors see although they must not. */
  readonly exposed: number
  readonly oldestSeconds: number
}

/** The change feed of this process. */
export type FeedFigures = {
  readonly isUp: boolean
  readonly lagSeconds: number
}

/**
 * What came of a comparison with an answer of the old endpoint. `not_comparable`: rows have changed meanwhile; `skipped`: too many at the same time,
 * an answer that is too long, or none.
 */
type LiveOutcome = 'equal' | 'different' | 'not_comparable' | 'skipped'

/** The Prometheus metrics of this process. Labels have few values: routes are templates, not paths, and no label is a site, user or token. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests = this.#counter('http_requests_total', 'Requests answered', [
    'part',
    'method',
    'route',
    'status',
  ])
  readonly #seconds = new Histogram({
    name: 'wp_frames_http_request_duration_seconds',
    help: 'Time from a request to the end of its response',
    labelNames: ['part', 'method', 'route'],
    buckets: BUCKETS,
    registers: [this.#registry],
  })
  readonly #bakes = this.#counter('bakes_total', 'Frames baked after writes and edits', ['outcome'])
  readonly #builds = new Histogram({
    name: 'wp_frames_build_duration_seconds',
    help: 'Time to bake and publish what a write changed, or to render a page',
    labelNames: ['work'],
    buckets: BUCKETS,
    registers: [this.#registry],
  })
  readonly #renderedPages = this.#counter(
    'pages_rendered_total',
    'Pages rendered for their static copies',
    [],
  )
  readonly #purges = this.#counter('purged_addresses_total', 'URLs purged from page caches', [
    'outcome',
  ])
  readonly #tagPurges = this.#counter(
    'purged_tags_total',
    'Tags sent to page caches that purge by tag',
    ['outcome'],
  )
  readonly #drops = this.#counter(
    'object_cache_keys_total',
    "Keys invalidated in WordPress's object cache",
    ['outcome'],
  )

  readonly #feedEvents = this.#counter(
    'feed_events_total',
    'Events of the change feed that name rows of the network',
    [],
  )
  readonly #feedReconnects = this.#counter(
    'feed_reconnects_total',
    'Connections of the change feed after a failure',
    [],
  )
  readonly #feedResnapshots = this.#counter(
    'feed_resnapshots_total',
    'Times that the change feed could not continue at its position and everything was compared',
    [],
  )

  readonly #restores = this.#counter(
    'database_restores_total',
    'Times that this process found the database to be older than the static copies',
    [],
  )
  readonly #damaged = this.#counter(
    'damaged_copies_total',
    'Static copies with damaged files that the front found when it read them',
    [],
  )
  readonly #scrubbed = this.#counter(
    'scrubbed_copies_total',
    'Static copies that were compared with their records, that were damaged, and that had no record',
    ['outcome'],
  )

  readonly #passed = this.#counter(
    'legacy_requests_total',
    'Requests passed to the old endpoint, by the first segment of their path below the site',
    ['family', 'method', 'status'],
  )
  readonly #passedSeconds = new Histogram({
    name: 'wp_frames_legacy_request_duration_seconds',
    help: 'Time from a passed request to the end of its answer',
    labelNames: ['family'],
    buckets: BUCKETS,
    registers: [this.#registry],
  })
  readonly #legacyComparisons = this.#counter(
    'legacy_comparisons_total',
    'Answers of the old endpoint that were compared with our own, and those that were not',
    ['family', 'outcome'],
  )
  readonly #legacyDifferences = this.#counter(
    'legacy_differences_total',
    'Compared answers with a difference of this kind',
    ['family', 'kind'],
  )

  constructor() {
    // The default precision of 10 ms would wake an idle process 100 times a second.
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 100 })
  }

  /** Counts a request when its response is sent or its client has disconnected. */
  countRequest(part: Part, request: IncomingMessage, response: ServerResponse): void {
    const begin = performance.now()
    response.once('close', () => {
      const method = METHODS.has(request.method ?? '') ? String(request.method) : 'other'
      const labels = { part, method, route: routeOf(response) }
      const status = response.writableFinished ? String(response.statusCode) : 'aborted'
      this.#requests.inc({ ...labels, status })
      this.#seconds.observe(labels, (performance.now() - begin) / 1000)
    })
  }

  countBakes(outcome: RebakeOutcome['bake'], frames: number): void {
    this.#bakes.inc({ outcome }, frames)
  }

  /** Runs a build and records how long it took. */
  async timeBuild<T>(work: 'apply' | 'render', build: () => Promise<T>): Promise<T> {
    const begin = performance.now()
    try {
      return await build()
    } finally {
      this.#builds.observe({ work }, (performance.now() - begin) / 1000)
    }
  }

  countRenderedPages(pages: number): void {
    this.#renderedPages.inc(pages)
  }

  /** Counts URLs that were purged from page caches, and those that were not. */
  countPurged({ urls, skipped, by }: CacheEffect['flushed']['urls']): void {
    if (by === 'none') return
    this.#purges.inc({ outcome: 'ok' }, urls.length)
    this.#purges.inc({ outcome: 'failed' }, skipped.length)
  }

  /** Counts tags that all page caches have purged, and those that at least one has not. */
  countPurgedTags(outcome: 'ok' | 'failed', tags: number): void {
    this.#tagPurges.inc({ outcome }, tags)
  }

  countInvalidations(outcome: 'ok' | 'failed', keys: number): void {
    this.#drops.inc({ outcome }, keys)
  }

  /** Counts a request that was passed to the old endpoint. */
  countPassed(family: string, method: string, status: string, seconds: number): void {
    this.#passed.inc({ family, method: METHODS.has(method) ? method : 'other', status })
    this.#passedSeconds.observe({ family }, seconds)
  }

  countLegacyComparison(family: string, outcome: LiveOutcome): void {
    this.#legacyComparisons.inc({ family, outcome })
  }

  countLegacyDifference(family: string, kind: string): void {
    this.#legacyDifferences.inc({ family, kind })
  }

  countFeedEvent(): void {
    this.#feedEvents.inc()
  }

  countFeedReconnect(): void {
    this.#feedReconnects.inc()
  }

  countFeedResnapshot(): void {
    this.#feedResnapshots.inc()
  }

  countRestore(): void {
    this.#restores.inc()
  }

  countDamagedCopy(): void {
    this.#damaged.inc()
  }

  countScrubbed(outcome: 'checked' | 'damaged' | 'removed', copies: number): void {
    this.#scrubbed.inc({ outcome }, copies)
  }

  /** Reports the change feed of this process at each scrape. */
  observeFeed(read: () => FeedFigures): void {
    const add = (name: string, help: string, figureOf: (figures: FeedFigures) => number): void => {
      const gauge: Gauge = new Gauge({
        name: `wp_frames_feed_${name}`,
        help,
        aggregator: 'max',
        registers: [this.#registry],
        collect: () => {
          gauge.set(figureOf(read()))
        },
      })
    }
    add('up', 'Whether this process follows the change feed', ({ isUp }) => Number(isUp))
    add(
      'lag_seconds',
      'How long changes take to arrive and to be recorded',
      (feed) => feed.lagSeconds,
    )
  }

  /** Reports the sites whose edits this process cannot look for. */
  observeUnreadableSites(count: () => number): void {
    const gauge: Gauge = new Gauge({
      name: 'wp_frames_unreadable_sites',
      help: 'Sites that the last round of the poll could not read',
      aggregator: 'max',
      registers: [this.#registry],
      collect: () => {
        gauge.set(count())
      },
    })
  }

  /** Reports whether this process cannot use the tables of pending work. */
  observeBlockedWork(isBlocked: () => boolean): void {
    const gauge: Gauge = new Gauge({
      name: 'wp_frames_work_blocked',
      help: 'Whether this process cannot use the tables of pending work, so that it builds nothing',
      aggregator: 'max',
      registers: [this.#registry],
      collect: () => {
        gauge.set(Number(isBlocked()))
      },
    })
  }

  /** Reports the use of a pool at each scrape. */
  observePool(use: () => Readonly<Record<string, number>>): void {
    const gauge = new Gauge({
      name: 'wp_frames_db_connections',
      help: 'Database connections in use and free, and requests that wait for one',
      labelNames: ['state'],
      registers: [this.#registry],
      collect: () => {
        for (const [state, count] of Object.entries(use())) gauge.set({ state }, count)
      },
    })
  }

  /** Reports the work of all sites. It is read once for each scrape; if it cannot be read, the scrape has no samples of it. */
  observeWork(read: () => Promise<WorkFigures>): void {
    let reading: Promise<WorkFigures | undefined> | undefined
    const readOnce = (): Promise<WorkFigures | undefined> => {
      reading ??= withinTime(read()).finally(() => {
        reading = undefined
      })
      return reading
    }
    const add = (name: string, help: string, figureOf: (figures: WorkFigures) => number): void => {
      const gauge = new Gauge({
        name: `wp_frames_${name}`,
        help,
        aggregator: 'max',
        registers: [this.#registry],
        collect: async () => {
          const figures = await readOnce()
          if (figures) gauge.set(figureOf(figures))
          else gauge.remove()
        },
      })
    }
    add('work_pending', 'Pages and frames that are not built yet', ({ pending }) => pending)
    add('work_failing', 'Pages and frames whose last build failed', ({ failing }) => failing)
    add('purges_pending', 'Purges by tag that are not sent yet', (work) => work.pendingPurges)
    add(
      'purges_failing',
      'Purges by tag that failed and are sent again',
      (work) => work.failingPurges,
    )
    add('exposed_pages', 'Pages that visitors see although they must not', ({ exposed }) => exposed)
    add('work_oldest_seconds', 'Age of the oldest pending work', (figures) => figures.oldestSeconds)
  }

  /** Reports the soonest expiry of a token in use; no sample if there is none, or if it cannot be read. */
  observeTokenExpiry(read: () => Promise<Date | undefined>): void {
    const gauge: Gauge = new Gauge({
      name: 'wp_frames_soonest_token_expiry_timestamp_seconds',
      help: 'When the first of the tokens expires that are valid and were used in the last 30 days, in Unix time',
      aggregator: 'min',
      registers: [this.#registry],
      collect: async () => {
        const expiry = await withinTime(read())
        if (expiry) gauge.set(expiry.getTime() / 1000)
        else gauge.remove()
      },
    })
  }

  /** Answers `GET /metrics`. */
  listener(): RequestListener {
    return metricsListener(() => this.#registry.metrics())
  }

  /** All metrics as plain data. */
  read(): ReturnType<Registry['getMetricsAsJSON']> {
    return this.#registry.getMetricsAsJSON()
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({
      name: `wp_frames_${name}`,
      help,
      labelNames,
      registers: [this.#registry],
    })
  }
}

/** Answers `GET /metrics` with a text in Prometheus's format. */
export function metricsListener(readText: () => Promise<string>): RequestListener {
  return async (request, response) => {
    const isAsked = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics'
    if (!isAsked) return void response.writeHead(404).end()
    try {
      const text = await readText()
      response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text)
    } catch {
      // An unhandled rejection would end the process.
      response.writeHead(500).end()
    }
  }
}

/** The result of a read; undefined if it fails or takes too long. */
async function withinTime<T>(reading: Promise<T>): Promise<T | undefined> {
  const controller = new AbortController()
  const { signal } = controller
  const timeout = sleep(MAX_READ_MS, undefined, { signal }).catch(() => undefined)
  try {
    return await Promise.race([reading.catch(() => undefined), timeout])
  } finally {
    controller.abort()
  }
}
