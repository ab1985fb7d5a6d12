import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Timings } from './timings.ts'
import { within } from './within.ts'

const counter = <Label extends string>(help: string, ...labels: Label[]) =>
  ({ kind: 'counter', help, labels }) as const
const gauge = <Label extends string>(help: string, ...labels: Label[]) =>
  ({ kind: 'gauge', help, labels }) as const
const histogram = <Label extends string>(help: string, ...labels: Label[]) =>
  ({ kind: 'histogram', help, labels }) as const

/**
 * All metrics of the service, by their names after `wp_frames_`; docs/operating.md is printed from this table. Labels have few values: routes are templates,
 * not paths, and no label is a site, user or token.
 */
export const METRICS = {
  http_requests_total: counter(
    'requests that were answered. `part`: `api`, `front`, `executor`. `route` is a template; `none` for paths that no route serves, `copy` for static copies. `status`: `aborted` if the client left',
    'part',
    'method',
    'route',
    'status',
  ),
  http_request_duration_seconds: histogram(
    'time from a request to the end of its response',
    'part',
    'method',
    'route',
  ),
  readiness: gauge(
    '1 if a part that `/readyz` checks is up, otherwise 0: `database`, `migrations`, `counters`; in processes that build also `static`, `work`, `exposed_pages`, `copies`',
    'part',
  ),
  work_pending: gauge(
    'pages and frames of all sites that are still to be built. All processes report the same; no sample while the database is unreachable',
  ),
  work_failing: gauge('pages and frames whose last build failed'),
  work_oldest_seconds: gauge('age of the oldest pending work'),
  exposed_pages: gauge(
    'pages that visitors see although they must not: their copies cannot be removed',
  ),
  purges_pending: gauge('[purges by tag](scale-and-caches.md#purges-by-tag) that are not sent yet'),
  purges_failing: gauge('purges by tag that have failed and are sent again'),
  webhooks_failing: gauge(
    '[webhooks](events.md#webhooks) whose last try failed. All processes report the same figures of webhooks',
  ),
  webhooks_disabled: gauge(
    'webhooks that were disabled after the last try, or because their receiver is gone',
  ),
  webhooks_oldest_seconds: gauge('age of the oldest change that an enabled webhook was not sent'),
  webhook_deliveries_total: counter('tries to deliver a message: `ok`, `failed`', 'outcome'),
  work_blocked: gauge(
    '1 if the process cannot use the tables of pending work, so that it builds nothing',
  ),
  bakes_total: counter('frames that were baked after writes and edits', 'outcome'),
  build_duration_seconds: histogram(
    '`apply`: time to bake and publish what a write changed; `render`: time to render a page',
    'work',
  ),
  pages_rendered_total: counter('pages that were rendered for their static copies'),
  purged_addresses_total: counter(
    'URLs that were purged from page caches: `ok`, `failed`',
    'outcome',
  ),
  purged_tags_total: counter(
    'tags that were sent to page caches; `failed` if at least one page cache has not purged them',
    'outcome',
  ),
  object_cache_keys_total: counter(
    "keys that were deleted from WordPress's object cache, or could not be: `ok`, `failed`",
    'outcome',
  ),
  feed_up: gauge(
    '1 in the process that follows the [change feed](#change-feed). Only processes with `FEED_DATABASE_URL` have it',
  ),
  feed_lag_seconds: gauge(
    'how long changes take to arrive and to be recorded, in the process that follows the change feed',
  ),
  feed_events_total: counter('events of the change feed that named rows of the network'),
  feed_reconnects_total: counter('connections of the change feed after a failure'),
  feed_resnapshots_total: counter(
    'how often everything was compared, because the changes since the last position of the change feed were not known',
  ),
  unreadable_sites: gauge('sites that the last round of the poll could not read'),
  database_restores_total: counter(
    'times that this process found the database to be older than the static copies',
  ),
  damaged_copies_total: counter('copies with damaged files that the front found when it read them'),
  scrubbed_copies_total: counter(
    'copies that the [scrub](#damage-on-disk) has `checked`, those that were `damaged`, and those that were `removed` because they had no record',
    'outcome',
  ),
  db_connections: gauge(
    'connections of a [pool](#connections-to-the-database) that are `used` and `free`, and reads and transactions that are `waiting` for one. Pools: `reads`, `writes`, `together`, `snapshots`, `work`, `previews`',
    'pool',
    'state',
  ),
  db_connections_limit: gauge('most connections of a pool', 'pool'),
  token_expiry_timestamp_seconds: gauge(
    'when the first token that was used in the last 30 days expires, as a Unix time; no sample if none expires. Only APIs have it',
  ),
  legacy_requests_total: counter(
    'requests that were passed to the old endpoint, by the first segment of their path below the site',
    'family',
    'method',
    'status',
  ),
  legacy_request_duration_seconds: histogram(
    'time from a passed request to the end of its answer',
    'family',
  ),
  legacy_comparisons_total: counter(
    'with `LEGACY_FAMILIES=…=compare`: answers that were `equal`, `different`, `not_comparable` (rows have changed meanwhile), `skipped` (too many at the same time, an answer that is too long, or none)',
    'family',
    'outcome',
  ),
  legacy_differences_total: counter(
    'compared answers with a difference of this kind',
    'family',
    'kind',
  ),
  build_info: gauge('always 1; the versions of wp-frames and Node.js', 'version', 'node'),
}

type Table = typeof METRICS
type MetricOf<Kind> = {
  [Name in keyof Table]: Table[Name]['kind'] extends Kind ? Name : never
}[keyof Table]
type LabelsOf<Name extends keyof Table> = Readonly<Record<Table[Name]['labels'][number], string>>
type Sample<Name extends keyof Table> = readonly [labels: LabelsOf<Name>, value: number]

/** The gauges that are read from the same figures: the value of each, or its samples if it has labels. */
type Gauges<Figures> = {
  readonly [Name in MetricOf<'gauge'>]?: (figures: Figures) => number | readonly Sample<Name>[]
}

/** The part of the service that received a request. */
export type Part = 'api' | 'front' | 'executor'

/** In seconds. A static copy takes less than the first, a large bake more than the last. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** The method of a request as a label. */
export const methodLabel = (method = ''): string => (METHODS.has(method) ? method : 'other')

/** Express applications set the template of the route in `locals`; a response without `locals` is a static copy. */
function routeOf(response: ServerResponse & { locals?: { route?: unknown } }): string {
  return response.locals ? String(response.locals.route ?? 'none') : 'copy'
}

/** The metrics of this process, in Prometheus's format. */
export class Metrics {
  readonly #registry = new Registry()
  readonly #counters = new Map<string, Counter>()
  readonly #histograms = new Map<string, Histogram>()
  /** How long a scrape waits for the database, in milliseconds. */
  readonly #scrapeMs: number

  constructor({ scrapeMs }: Pick<Timings['health'], 'scrapeMs'>) {
    this.#scrapeMs = scrapeMs
    for (const [name, { kind }] of Object.entries(METRICS)) {
      const options = this.#optionsOf(name as keyof Table)
      if (kind === 'counter') this.#counters.set(name, new Counter(options))
      if (kind === 'histogram')
        this.#histograms.set(name, new Histogram({ ...options, buckets: BUCKETS }))
    }
    // The default precision of 10 ms would wake an idle process 100 times a second.
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: 100 })
  }

  count<Name extends MetricOf<'counter'>>(name: Name, labels: LabelsOf<Name>, times = 1): void {
    this.#counters.get(name)?.inc(labels, times)
  }

  /** Records how long something took, in seconds. */
  observe<Name extends MetricOf<'histogram'>>(
    name: Name,
    labels: LabelsOf<Name>,
    seconds: number,
  ): void {
    this.#histograms.get(name)?.observe(labels, seconds)
  }

  /** Records how long it takes, also if it fails. */
  async time<Name extends MetricOf<'histogram'>, T>(
    name: Name,
    labels: LabelsOf<Name>,
    run: () => Promise<T>,
  ): Promise<T> {
    const begin = performance.now()
    try {
      return await run()
    } finally {
      this.observe(name, labels, (performance.now() - begin) / 1000)
    }
  }

  /** Counts a request when its response is sent or its client has disconnected. */
  countRequest(part: Part, request: IncomingMessage, response: ServerResponse): void {
    const begin = performance.now()
    response.once('close', () => {
      const labels = { part, method: methodLabel(request.method), route: routeOf(response) }
      const isFollowing = Reflect.get(response, 'locals')?.isFollowing === true
      // A client leaves a stream when it likes.
      const isComplete = response.writableFinished || (isFollowing && response.headersSent)
      const status = isComplete ? String(response.statusCode) : 'aborted'
      this.count('http_requests_total', { ...labels, status })
      // It waits as long as nothing happens.
      if (!isFollowing)
        this.observe('http_request_duration_seconds', labels, (performance.now() - begin) / 1000)
    })
  }

  /**
   * Adds gauges whose figures are read once for each scrape. What is not read any more is not sent: a scrape has no samples of figures that are undefined,
   * cannot be read, or take too long.
   */
  gauges<Figures>(
    read: () => Figures | Promise<Figures>,
    values: Gauges<NonNullable<Figures>>,
  ): void {
    let reading: Promise<Figures | undefined> | undefined
    const readOnce = (): Promise<Figures | undefined> => {
      reading ??= within(
        this.#scrapeMs,
        Promise.resolve<Figures | undefined>(read()),
        () => undefined,
      )
        .catch(() => undefined)
        .finally(() => {
          reading = undefined
        })
      return reading
    }
    for (const [name, samplesOf] of Object.entries(values)) {
      const gauge: Gauge = new Gauge({
        ...this.#optionsOf(name as keyof Table),
        collect: async () => {
          const found = await readOnce()
          const value = found === undefined || found === null ? [] : samplesOf(found)
          const samples = typeof value === 'number' ? [[{}, value] as const] : value
          gauge.reset()
          for (const [labels, value] of samples) gauge.set(labels, value)
          if (samples.length === 0) gauge.remove()
        },
      })
    }
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

  #optionsOf(name: keyof Table) {
    const { help, labels } = METRICS[name]
    return {
      name: `wp_frames_${name}`,
      // Without the links and marks of the guide.
      help: help.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', ''),
      labelNames: [...labels],
      registers: [this.#registry],
    }
  }
}
