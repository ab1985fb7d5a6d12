import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { OperatorError } from '../errors.ts'
import { type Log, relayLog } from '../log.ts'
import type { Timings } from '../timings.ts'
import type { Addresses, ToPrimary, ToWorker } from './messages.ts'
import { WorkerMetrics } from './worker-metrics.ts'

const STOP: ToWorker = { type: 'wp-frames:stop' }

/** A worker process that ended before it answered requests. Its own message is in the log. */
class WorkerStartError extends OperatorError {
  override readonly name = 'WorkerStartError'
}

/**
 * The worker processes of the service. Each runs the command of this process again. A worker process that ends is replaced until `stop`.
 *
 * All of them accept connections from the same sockets. If this process accepted them and passed them on, as Node.js does by default, a
 * connection that it passes to a process that is killed would never be closed or answered.
 */
export class WorkerProcesses {
  readonly #count: number
  readonly #log: Log
  readonly #running = new Set<Worker>()
  /** Those of the running ones that answer requests and messages. */
  readonly #listening = new Set<Worker>()
  readonly #timings: Timings['cluster']
  readonly #metrics: WorkerMetrics
  #isStarted = false
  #isStopping = false

  constructor(count: number, log: Log, timings: Timings['cluster']) {
    this.#count = count
    this.#log = log
    this.#timings = timings
    this.#metrics = new WorkerMetrics(timings.scrapeMs)
    // A worker process writes its log to a pipe of its own, so that lines of several processes do not mix.
    cluster.schedulingPolicy = cluster.SCHED_NONE
    cluster.setupPrimary({ stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  }

  /**
   * Starts the worker processes: the first one alone, because the others would fail for the same reason.
   * @returns where they listen
   * @throws WorkerStartError
   */
  async start(): Promise<Addresses> {
    const addresses = await this.#start(true)
    const others = Array.from({ length: this.#count - 1 }, () => this.#start(false))
    await Promise.all(others)
    this.#isStarted = true
    return addresses
  }

  /** Resolves when each worker process has answered its requests and ended. */
  async stop(): Promise<void> {
    this.#isStopping = true
    const ended = [...this.#running].map(async (worker) => {
      const exit = once(worker, 'exit')
      send(worker, STOP)
      await exit
    })
    await Promise.all(ended)
  }

  /** The metrics of all worker processes in Prometheus's format. */
  readMetrics(): Promise<string> {
    return this.#metrics.read(
      [...this.#listening].map((worker) => ({
        id: worker.id,
        send: (message) => send(worker, message),
      })),
    )
  }

  /** @param isPolling whether it polls for edits in WordPress: one process does it for all */
  #start(isPolling: boolean): Promise<Addresses> {
    const worker = cluster.fork(isPolling ? {} : { WATCH_SECONDS: '0' })
    const startedAt = performance.now()
    this.#running.add(worker)
    if (worker.process.stderr) relayLog(worker.process.stderr, this.#log)
    // Without a listener, a message that can no longer be sent would end this process.
    worker.on('error', () => {})
    return new Promise((listening, failed) => {
      worker.on('message', (message: ToPrimary) => {
        if (!this.#running.has(worker)) return
        if (message.type === 'wp-frames:metrics')
          this.#metrics.receive(worker.id, message.request, message.data)
        if (message.type !== 'wp-frames:listening') return
        this.#listening.add(worker)
        // A worker process that is starting misses the message of `stop`.
        if (this.#isStopping) send(worker, STOP)
        listening(message.addresses)
      })
      worker.once('exit', (code, signal) => {
        this.#running.delete(worker)
        const hasListened = this.#listening.delete(worker)
        this.#metrics.end(worker.id)
        const reason = signal ?? `exit code ${code}`
        failed(new WorkerStartError(`A worker process ended before it listened (${reason}).`))
        if (hasListened || this.#isStarted)
          this.#replace(isPolling, worker, reason, performance.now() - startedAt)
      })
    })
  }

  #replace(
    isPolling: boolean,
    { id, process: { pid } }: Worker,
    reason: string,
    lived: number,
  ): void {
    if (this.#isStopping) return
    const { shortLifeMs } = this.#timings
    const pauseMs = lived < shortLifeMs ? this.#timings.pauseMs : 0
    const ended = { worker: id, workerPid: pid, reason, pauseMs }
    this.#log.error(ended, 'a worker process ended; another one is started')
    setTimeout(() => {
      // If that one fails too, it is replaced as well.
      if (!this.#isStopping) this.#start(isPolling).catch(() => {})
    }, pauseMs)
  }
}

function send(worker: Worker, message: ToWorker): void {
  // The worker process may end at the same time.
  if (worker.isConnected()) worker.send(message, () => {})
}
