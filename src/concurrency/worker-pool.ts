import { availableParallelism } from 'node:os'
import { Piscina } from 'piscina'
import { AppError } from '../errors.ts'
import { FairQueue } from './fair-queue.ts'

/** Threads of one process. Two at least, so that one site's long job never keeps all other sites waiting. */
const THREADS = Math.min(4, Math.max(2, availableParallelism() - 1))
/** A job that runs longer than this is stopped, in milliseconds. Time in the queue does not count. */
export const MAX_JOB_MS = 30_000
/** Jobs of one key that may wait for a thread. */
export const MAX_WAITING_JOBS = 50
/** Longest wait for a thread, in milliseconds. */
export const MAX_JOB_WAIT_MS = 60_000
/** Idle threads are kept for a while, with what they compiled: each has some 40 MB, and starts within a tenth of a second. */
const IDLE_MS = 10_000
/** Memory of a thread. The young generation is kept small: by default it would take 48 MB before anything is in use. */
const THREAD_MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 4 }

/** A function that a module exports, to be called on a thread. */
export type WorkerJob = {
  /** URL of the module, `.ts` where the sources run as they are, else `.js`. */
  readonly module: URL
  readonly name: string
  /** The argument, plain data that is copied; or a function that reads it when the job begins, so that jobs that wait hold no memory. */
  readonly data: object | (() => Promise<object>)
}

/**
 * The threads of the process, for work that would keep requests waiting. One job of a key (a site) runs at a time, and the keys are
 * served in rotation. No thread starts before the first job.
 */
export class WorkerPool {
  readonly #queue = new FairQueue({
    resource: 'a worker thread',
    concurrency: THREADS,
    concurrencyPerKey: 1,
    maxWaitingPerKey: MAX_WAITING_JOBS,
    maxWaitMs: MAX_JOB_WAIT_MS,
  })
  readonly #maxJobMs: number
  #threads: Piscina | undefined

  /** @param maxJobMs time that a job may run, in milliseconds */
  constructor(maxJobMs = MAX_JOB_MS) {
    this.#maxJobMs = maxJobMs
  }

  /**
   * Calls an exported function on a thread and gives what it returns.
   * @throws AppError `service_busy` where the job waited or ran too long; and what the function throws
   */
  run<Result>(key: string, job: WorkerJob): Promise<Result> {
    return this.#queue.run(key, () => this.#call<Result>(job))
  }

  /** Stops the threads. Jobs that run fail. */
  async close(): Promise<void> {
    await this.#threads?.destroy()
    this.#threads = undefined
  }

  async #call<Result>({ module, name, data }: WorkerJob): Promise<Result> {
    const argument = typeof data === 'function' ? await data() : data
    this.#threads ??= openThreads()
    const timeout = AbortSignal.timeout(this.#maxJobMs)
    try {
      return await this.#threads.run(argument, { filename: module.href, name, signal: timeout })
    } catch (error) {
      if (!timeout.aborted) throw error
      throw new AppError(
        'service_busy',
        `The work took longer than ${this.#maxJobMs / 1000} seconds and was stopped. Try again later, or send less.`,
        { retry_after: Math.ceil(this.#maxJobMs / 1000) },
      )
    }
  }
}

function openThreads(): Piscina {
  const isSource = import.meta.url.endsWith('.ts')
  return new Piscina({
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    execArgv: isSource ? ['--import', typescriptReader()] : [],
    resourceLimits: THREAD_MEMORY,
  })
}

/** Where the sources run as they are, under tsx or vitest, a thread has to be taught to read them. */
function typescriptReader(): string {
  const tsx = import.meta.resolve('tsx/esm/api')
  const code = `import { register } from ${JSON.stringify(tsx)}; register()`
  return `data:text/javascript,${encodeURIComponent(code)}`
}
