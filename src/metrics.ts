import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'

/** Which part of the service a request came to. */
export type Part = 'api' | 'front' | 'executor'

/** Seconds; a static copy takes less than the first, a large bake more than the last. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Express applications note the template of a route in `locals`; what is answered past them is a static copy. */
function routeOf(response: ServerResponse & { locals?: { route?: unknown } }): string {
  return response.locals ? String(response.locals.route ?? 'none') : 'copy'
}

/** What this process counts, for Prometheus. Labels are of few values: routes are templates, never paths, and no site, user or token. */
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
    help: 'Time from a request to the end of its answer',
    labelNames: ['part', 'method', 'route'],
    buckets: BUCKETS,
    registers: [this.#registry],
  })
  readonly #bakes = this.#counter('bakes_total', 'Frames baked for writes', ['outcome'])
  readonly #builds = new Histogram({
    name: 'wp_frames_build_duration_seconds',
    help: 'Time to bake and publish what a write changed, or to render a page',
    labelNames: ['work'],
    buckets: BUCKETS,
    registers: [this.#registry],
  })
  readonly #purges = this.#counter(
    'purged_addresses_total',
    'Addresses that page caches were told',
    ['outcome'],
  )
  readonly #drops = this.#counter(
    'object_cache_keys_total',
    "Keys dropped, or not, from WordPress's object cache",
    ['outcome'],
  )

  constructor() {
    collectDefaultMetrics({ register: this.#registry })
  }

  /** Counts a request when its answer is sent, or its client gone. */
  countRequest(part: Part, request: IncomingMessage, response: ServerResponse): void {
    const begun = performance.now()
    response.once('close', () => {
      const method = METHODS.has(request.method ?? '') ? String(request.method) : 'other'
      const labels = { part, method, route: routeOf(response) }
      const status = response.writableFinished ? String(response.statusCode) : 'aborted'
      this.#requests.inc({ ...labels, status })
      this.#seconds.observe(labels, (performance.now() - begun) / 1000)
    })
  }

  countBakes(outcome: 'baked' | 'not_needed' | 'failed', frames: number): void {
    this.#bakes.inc({ outcome }, frames)
  }

  observeBuild(work: 'apply' | 'render', seconds: number): void {
    this.#builds.observe({ work }, seconds)
  }

  countPurges(outcome: 'ok' | 'failed', addresses: number): void {
    this.#purges.inc({ outcome }, addresses)
  }

  countInvalidations(outcome: 'ok' | 'failed', keys: number): void {
    this.#drops.inc({ outcome }, keys)
  }

  /** Shows how a pool is used whenever somebody looks. */
  observePool(use: () => Readonly<Record<string, number>>): void {
    const gauge = new Gauge({
      name: 'wp_frames_db_connections',
      help: 'Connections to the database in use and free, and requests that wait for one',
      labelNames: ['state'],
      registers: [this.#registry],
      collect: () => {
        for (const [state, count] of Object.entries(use())) gauge.set({ state }, count)
      },
    })
  }

  /** Answers `GET /metrics`. */
  listener(): RequestListener {
    return async (request, response) => {
      const isAsked = request.method === 'GET' && request.url?.split('?', 1)[0] === '/metrics'
      if (!isAsked) return void response.writeHead(404).end()
      try {
        const text = await this.#registry.metrics()
        response.writeHead(200, { 'Content-Type': this.#registry.contentType }).end(text)
      } catch {
        // A rejection would end the process.
        response.writeHead(500).end()
      }
    }
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
