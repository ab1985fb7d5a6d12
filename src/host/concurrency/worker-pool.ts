import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { AppError } from '../errors.ts'
import type { Timings } from '../timings.ts'
import { FairQueue } from './fair-queue.ts'

/** Threads of one process. At least two, so that a long job of one site does not block all other sites. */
const THREADS = Math.min(4, Math.max(2, availableParallelism() - 1))
/** Maximum number of jobs of one key that wait for a thread. */
export const MAX_WAITING_JOBS = 50
/** Memory limits of a thread. The young generation is small: by default it would take 48 MB before anything is in use. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 4 }

/** The module of a thread, beside the module at this URL: a source runs as it is where the process can load sources (`npm start`). */
export const threadModule = (name: string, beside: string): URL =>
  new URL(`./${name}${beside.endsWith('.ts') ? '.ts' : '.js'}`, beside)

/** A call of an exported function on a worker thread. */
export type WorkerJob = {
  /** See `threadModule`. */
  readonly module: URL
  readonly name: string
  /** The argument: plain data, which is copied, or a function that reads it when the job starts, so that waiting jobs take no memory. */
  readonly data: object | (() => Promise<object>)
}

/** A job ran too long and was stopped. */
export class JobTimeoutError extends AppError {
  constructor(jobMs: number) {
    super(
      'service_busy',
      `The work took longer than ${jobMs / 1000} seconds and was stopped. Retry later, or send less markup.`,
      { retry_after: Math.ceil(jobMs / 1000) },
    )
  }
}

/**
 * The worker threads of the process, for work that would block requests. One job of a key (a site) runs at a time, and the keys are served
 * in rotation. No thread starts before the first job.
 */
export class WorkerPool {
  readonly #queue: FairQueue
  readonly #timings: Timings['threads']
  readonly #threadCount: number
  #threads: Piscina | undefined

  /** @param threads number of threads [one per core but one, from 2 to 4] */
  constructor(timings: Timings['threads'], threads = THREADS) {
    this.#timings = timings
    this.#threadCount = threads
    this.#queue = new FairQueue({
      resource: 'a worker thread',
      concurrency: threads,
      concurrencyPerKey: 1,
      maxWaitingPerKey: MAX_WAITING_JOBS,
      maxWaitMs: timings.jobWaitMs,
    })
  }

  /**
   * Calls an exported function on a thread and returns its result.
   * @throws AppError `service_busy` if the job waited too long, JobTimeoutError if it ran too long; and errors of the function
   */
  run<Result>(key: string, job: WorkerJob): Promise<Result> {
    return this.#queue.run(key, () => this.#call<Result>(job))
  }

  /** Stops the threads. Running jobs fail. */
  async close(): Promise<void> {
    await this.#threads?.destroy()
    this.#threads = undefined
  }

  async #call<Result>({ module, name, data }: WorkerJob): Promise<Result> {
    const argument = typeof data === 'function' ? await data() : data
    const { jobMs, idleMs } = this.#timings
    this.#threads ??= new Piscina({
      minThreads: 0,
      maxThreads: this.#threadCount,
      idleTimeout: idleMs,
      resourceLimits: THREAD_MEMORY,
    })
    const timeout = AbortSignal.timeout(jobMs)
    try {
      return await this.#threads.run(argument, { filename: module.href, name, signal: timeout })
    } catch (error) {
      if (!timeout.aborted) throw error
      throw new JobTimeoutError(jobMs)
    }
  }
}
