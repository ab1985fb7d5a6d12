import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { CacheEffect, RebakeOutcome } from './effects.ts'
import { Gauges } from './gauges.ts'
import type { Timings } from './timings.ts'

/** The part of the service that received a request. */
export type Part = 'api' | 'front' | 'executor'

/** In seconds. A static copy takes less than the first, a large bake more than the last. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Express applications set the template of the route in `locals`; a response without `locals` is a static copy. */
function routeOf(response: ServerResponse & { locals?: { route?: unknown } }): string {
  return response.locals ? String(response.locals.route ?? 'none') : 'copy'
}

/**
 * What came of a comparison with an answer of the old endpoint. `not_comparable`: rows have changed meanwhile; `skipped`: too many at the same time,
 * an answer that is too long, or none.
 */
type LiveOutcome = 'equal' | 'different' | 'not_comparable' | 'skipped'

/** The Prometheus metrics of this process. Labels have few values: routes are templates, not paths, and no label is a site, user or token. */
export class Metrics extends Gauges {
  readonly #registry = this.registry
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
  readonly #webhookDeliveries = this.#counter(
    'webhook_deliveries_total',
    'Tries to deliver a message to a webhook',
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

  constructor({ scrapeMs }: Pick<Timings['health'], 'scrapeMs'>) {
    super(new Registry(), scrapeMs)
    // The default precision of 10 ms would wake an idle process 100 times a second.
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 100 })
  }

  /** Counts a request when its response is sent or its client has disconnected. */
  countRequest(part: Part, request: IncomingMessage, response: ServerResponse): void {
    const begin = performance.now()
    response.once('close', () => {
      const method = METHODS.has(request.method ?? '') ? String(request.method) : 'other'
      const labels = { part, method, route: routeOf(response) }
      const isFollowing = Reflect.get(response, 'locals')?.isFollowing === true
      // A client leaves a stream when it likes.
      const isComplete = response.writableFinished || (isFollowing && response.headersSent)
      const status = isComplete ? String(response.statusCode) : 'aborted'
      this.#requests.inc({ ...labels, status })
      // It waits as long as nothing happens.
      if (!isFollowing) this.#seconds.observe(labels, (performance.now() - begin) / 1000)
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

  countWebhookDelivery(outcome: 'ok' | 'failed'): void {
    this.#webhookDeliveries.inc({ outcome })
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

  /** Answers `GET /metrics` with a text in Prometheus's format. */
  listener(): RequestListener {
    return async (request, response) => {
      const isAsked = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics'
      if (!isAsked) return void response.writeHead(404).end()
      try {
        const text = await this.#registry.metrics()
        response.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text)
      } catch {
        // An unhandled rejection would end the process.
        response.writeHead(500).end()
      }
    }
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
