import { inlineLimits } from '../../../content/markup/evaluation/budget.ts'
import * as jobs from './bake-jobs.ts'
import type { Bakery } from './bakery.ts'

/** Bytes of markup that are read before a job has a thread. A queued job occupies at most this much memory. */
const MAX_READ_AHEAD_BYTES = 256 * 1024

/** The markup of a job, to be read later; `bytes` is its size. */
export type UnreadFrames = {
  readonly bytes: number
  read(): Promise<readonly jobs.FrameSource[]>
}

/**
 * Runs the bake jobs of one build. Jobs that need a worker thread are submitted one at a time, so that a build of a thousand frames occupies
 * a single slot of the queue.
 */
export class BuildBakery {
  readonly #bakery: Bakery
  readonly #key: string
  readonly #onTimeout: (() => void) | undefined
  #last: Promise<unknown> = Promise.resolve()

  /** @param onTimeout is called if the time limit has cut a page: the next attempt may get further */
  constructor(bakery: Bakery, key: string, onTimeout?: () => void) {
    this.#bakery = bakery
    this.#key = key
    this.#onTimeout = onTimeout
  }

  /** Reads small markup at once, so that several jobs can share it. */
  async readAhead(unread: UnreadFrames): Promise<UnreadFrames> {
    if (unread.bytes > MAX_READ_AHEAD_BYTES) return unread
    const frames = await unread.read()
    return { bytes: unread.bytes, read: async () => frames }
  }

  inspect(unread: UnreadFrames): Promise<jobs.Inspection> {
    return this.#runJob('inspect', unread, (frames) => ({ frames }), jobs.inspect)
  }

  bake(unread: UnreadFrames, languages: jobs.BakeJob['languages']): Promise<jobs.BakedPieces> {
    const limits = inlineLimits(languages.length)
    return this.#runJob(
      'bake',
      unread,
      (frames) => ({ frames, languages }),
      (job, programs) => unlessExhausted(jobs.bake(job, programs, limits)),
    )
  }

  async finish(
    unread: UnreadFrames,
    page: Omit<jobs.FinishJob, 'frames'>,
  ): Promise<jobs.FinishedPage> {
    const limits = inlineLimits(1)
    const finished = await this.#runJob(
      'finish',
      unread,
      (frames) => ({ ...page, frames }),
      (job, programs) => unlessExhausted(jobs.finish(job, programs, limits)),
    )
    if (finished.exhausted === 'milliseconds') this.#onTimeout?.()
    return finished
  }

  /** @param runInline runs the job on this thread; returns undefined if the job is too large for that */
  async #runJob<Job extends { readonly frames: readonly jobs.FrameSource[] }, Result>(
    name: string,
    unread: UnreadFrames,
    jobOf: (frames: readonly jobs.FrameSource[]) => Job,
    runInline: (job: Job, programs: jobs.Programs) => Result | undefined,
  ): Promise<Result> {
    const job = unread.bytes <= MAX_READ_AHEAD_BYTES ? jobOf(await unread.read()) : undefined
    const result =
      job && (await this.#bakery.tryInline(job.frames, (programs) => runInline(job, programs)))
    if (result !== undefined) return result
    const load = async () => job ?? jobOf(await unread.read())
    return this.#runInSequence(() => this.#bakery.runOnWorker<Result>(this.#key, name, load))
  }

  #runInSequence<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#last.then(run)
    this.#last = result.catch(() => {})
    return result
  }
}

function unlessExhausted<T extends { readonly exhausted: unknown }>(result: T): T | undefined {
  return result.exhausted ? undefined : result
}
