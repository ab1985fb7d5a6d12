import { setTimeout as sleep } from 'node:timers/promises'
import { AggregatorRegistry, Counter } from 'prom-client'
import type { MetricsData, ToWorker } from './messages.ts'

/** A worker process that can be asked for its metrics. */
export type MeasuredWorker = { readonly id: number; send(message: ToWorker): void }

/** A scrape that waits for the answers of worker processes. */
type Reading = { readonly waiting: Set<number>; done(): void }

/** The metrics of all worker processes together. */
export class WorkerMetrics {
  /** The last metrics of each running worker process, by its id. */
  readonly #last = new Map<number, MetricsData>()
  /** Counters of processes that have ended: to Prometheus, a sum that decreases would be a restart of the whole service. */
  #ended: MetricsData = []
  #ending = Promise.resolve()
  #endedCount = 0
  readonly #readings = new Map<number, Reading>()
  #requests = 0
  readonly #scrapeMs: number

  /** @param scrapeMs how long a scrape waits for a worker process, in milliseconds */
  constructor(scrapeMs: number) {
    this.#scrapeMs = scrapeMs
  }

  /** Asks these worker processes. One that does not answer in time counts with its last metrics. @returns a scrape in Prometheus's format */
  async read(workers: readonly MeasuredWorker[]): Promise<string> {
    if (workers.length > 0) await this.#ask(workers)
    await this.#ending
    const registry = this.#aggregate([...this.#last.values()])
    const ended = new Counter({
      name: 'wp_frames_worker_processes_ended_total',
      help: 'Worker processes that have ended and were replaced',
      registers: [registry],
    })
    ended.inc(this.#endedCount)
    return registry.metrics()
  }

  /** Receives the answer of a running worker process to a request. */
  receive(worker: number, request: number, data: MetricsData): void {
    this.#last.set(worker, data)
    const reading = this.#readings.get(request)
    if (reading) settle(reading, worker)
  }

  /** Keeps the counters of a worker process that has ended, and drops its gauges. */
  end(worker: number): void {
    this.#endedCount += 1
    for (const reading of this.#readings.values()) settle(reading, worker)
    const last = this.#last.get(worker)
    if (!last) return
    this.#ending = this.#ending.then(async () => {
      const sums = await this.#aggregate([last]).getMetricsAsJSON()
      this.#ended = sums.filter(({ type }) => COUNTING_TYPES.has(String(type)))
      this.#last.delete(worker)
    })
  }

  async #ask(workers: readonly MeasuredWorker[]): Promise<void> {
    const request = ++this.#requests
    const timer = new AbortController()
    const timeout = sleep(this.#scrapeMs, undefined, { signal: timer.signal }).catch(() => {})
    const answered = new Promise<void>((done) => {
      this.#readings.set(request, { waiting: new Set(workers.map(({ id }) => id)), done })
    })
    for (const worker of workers) worker.send({ type: 'wp-frames:read-metrics', request })
    await Promise.race([answered, timeout])
    timer.abort()
    this.#readings.delete(request)
  }

  #aggregate(parts: readonly MetricsData[]) {
    return AggregatorRegistry.aggregate([this.#ended, ...parts])
  }
}

const COUNTING_TYPES = new Set(['counter', 'histogram'])

function settle({ waiting, done }: Reading, worker: number): void {
  waiting.delete(worker)
  if (waiting.size === 0) done()
}
