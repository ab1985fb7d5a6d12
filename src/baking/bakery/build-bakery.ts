import { inlineLimits } from '../budget.ts'
import * as jobs from './bake-jobs.ts'
import type { Bakery } from './bakery.ts'

/** Markup that is read before its job has a thread, in bytes. What waits for a thread holds no more than this. */
const MAX_READ_AHEAD_BYTES = 256 * 1024

/** The markup of a job that is still to be read, and how much it is, in bytes. */
export type UnreadFrames = {
  readonly bytes: number
  read(): Promise<readonly jobs.FrameSource[]>
}

/** The bakery as one build uses it. Of its jobs that need a thread it submits one at a time, so that a thousand frames take one place in the queue. */
export class BuildBakery {
  readonly #bakery: Bakery
  readonly #key: string
  #last: Promise<unknown> = Promise.resolve()

  constructor(bakery: Bakery, key: string) {
    this.#bakery = bakery
    this.#key = key
  }

  /** Reads what is little at once, for all jobs that take it. */
  async readAhead(unread: UnreadFrames): Promise<UnreadFrames> {
    if (unread.bytes > MAX_READ_AHEAD_BYTES) return unread
    const frames = await unread.read()
    return { bytes: unread.bytes, read: async () => frames }
  }

  inspect(unread: UnreadFrames): Promise<jobs.Inspection> {
    return this.#do('inspect', unread, (frames) => ({ frames }), jobs.inspect)
  }

  bake(unread: UnreadFrames, languages: jobs.BakeJob['languages']): Promise<jobs.BakedPieces> {
    const limits = inlineLimits(languages.length)
    return this.#do(
      'bake',
      unread,
      (frames) => ({ frames, languages }),
      (job, programs) => unlessExhausted(jobs.bake(job, programs, limits)),
    )
  }

  async finish(unread: UnreadFrames, page: Omit<jobs.FinishJob, 'frames'>): Promise<string> {
    const limits = inlineLimits(1)
    const { html } = await this.#do(
      'finish',
      unread,
      (frames) => ({ ...page, frames }),
      (job, programs) => unlessExhausted(jobs.finish(job, programs, limits)),
    )
    return html
  }

  /** @param here does the job on this thread, or gives undefined where it is too large for that */
  async #do<Job extends { readonly frames: readonly jobs.FrameSource[] }, Result>(
    name: string,
    unread: UnreadFrames,
    jobOf: (frames: readonly jobs.FrameSource[]) => Job,
    here: (job: Job, programs: jobs.Programs) => Result | undefined,
  ): Promise<Result> {
    const job = unread.bytes <= MAX_READ_AHEAD_BYTES ? jobOf(await unread.read()) : undefined
    const done =
      job && (await this.#bakery.tryInline(job.frames, (programs) => here(job, programs)))
    if (done !== undefined) return done
    const load = async () => job ?? jobOf(await unread.read())
    return this.#afterOthers(() => this.#bakery.runOnWorker<Result>(this.#key, name, load))
  }

  #afterOthers<T>(run: () => Promise<T>): Promise<T> {
    const result = this.#last.then(run)
    this.#last = result.catch(() => {})
    return result
  }
}

function unlessExhausted<T extends { readonly exhausted: boolean }>(done: T): T | undefined {
  return done.exhausted ? undefined : done
}
