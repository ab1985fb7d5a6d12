import { JobTimeoutError, threadModule, WorkerPool } from '../concurrency/worker-pool.ts'
import { inBatches } from '../db/sql.ts'
import type { Timings } from '../timings.ts'
import { STATIC_PATH_CODE } from './copy-files.ts'
import type {
  CopyError,
  CopyQuery,
  CopyQuota,
  FindJob,
  FormerCopy,
  FoundCopy,
  NewCopy,
  Outcomes,
  RemoveJob,
  RemoveOutcome,
  WriteJob,
  WriteOutcome,
  WrittenFiles,
} from './copy-jobs.ts'
import { LostLeaseError } from './copy-target.ts'
import type { Staging } from './staging.ts'
import { StaticPathError } from './static-path.ts'
import { isStorageError } from './storage-error.ts'

const THREAD = threadModule('copy-writer-thread', import.meta.url)

/** Weight of one job: that of a copy to write is the number of characters of its HTML. */
const JOB_WEIGHT = 4 * 1024 * 1024
/** Copies that are written in one job: their files are open at the same time, and are synced in one group. */
const WRITE_WEIGHT = Math.floor(JOB_WEIGHT / 50)
/** Reading and decompressing a copy takes twenty times as long as looking for it. */
const COMPARE_WEIGHT = WRITE_WEIGHT
/** Looking for a copy, or removing it. */
const SHORT_WEIGHT = Math.floor(JOB_WEIGHT / 1000)
/** After a job that was stopped, each job that is completed enlarges the next ones by this share. */
const REGAINED_SHARE = 0.02

/** Where copies are written for a claim. */
export type WriteTarget = {
  /** Absolute path of the folder of the static copies. */
  readonly staticDir: string
  readonly staging: Staging
  /** Blog id. */
  readonly site: number
}

/**
 * Reads, writes and removes static copies on a thread of its own, with synchronous calls: compressing and dozens of calls for each copy
 * would block requests, or bakes if they shared the threads.
 */
export class CopyWriter {
  readonly #thread: WorkerPool
  /** The share of `JOB_WEIGHT` that the disk manages in time. */
  #share = 1

  constructor(timings: Timings['threads']) {
    this.#thread = new WorkerPool(timings, 1)
  }

  /** Stops the thread. Running jobs fail. */
  close(): Promise<void> {
    return this.#thread.close()
  }

  /** Finds copies on disk, in the order of the queries; null for a page that has none. */
  async find(site: number, copies: readonly CopyQuery[]): Promise<(FoundCopy | null)[]> {
    const found: (FoundCopy | null)[] = []
    const jobs = this.#runJobs<CopyQuery, (FoundCopy | null)[]>(site, 'findCopies', copies, {
      weightOf: ({ digest }) => (digest === undefined ? SHORT_WEIGHT : COMPARE_WEIGHT),
      dataOf: (batch): FindJob => ({ copies: batch }),
    })
    for await (const { result } of jobs) found.push(...result)
    return found
  }

  /**
   * Writes copies. One that fails does not affect the others; once the disk accepts no data, all further ones fail.
   * @param findQuota finds the quota of the site; called when the copies of the site that other calls write at the same time are written
   * @returns by page: what was written, `over` if the copy would exceed the quota, or the error
   * @throws LostLeaseError
   */
  async write(
    target: WriteTarget,
    copies: readonly NewCopy[],
    findQuota?: () => Promise<CopyQuota>,
  ): Promise<Map<number, WrittenFiles | 'over' | Error>> {
    const { staticDir, staging, site } = target
    const written = new Map<number, WrittenFiles | 'over' | Error>()
    const jobs = this.#runJobs<NewCopy, Outcomes<WriteOutcome>>(site, 'writeCopies', copies, {
      weightOf: ({ html }) => Math.max(WRITE_WEIGHT, html.length),
      dataOf: async (batch): Promise<WriteJob> => ({
        staticDir,
        staging: staging.path,
        copies: batch,
        quota: await findQuota?.(),
      }),
    })
    let failure: Error | undefined
    for await (const { batch, result } of jobs) {
      const outcomes = unlessLost(target, result)
      for (const [index, { page, replacedBytes }] of batch.entries()) {
        const outcome = resultOf(outcomes[index])
        written.set(page, outcome)
        if (isStorageError(outcome)) failure = outcome as Error
        if (!(outcome instanceof Error) && outcome !== 'over')
          staging.growth += outcome.bytes - replacedBytes
      }
      if (failure) break
    }
    for (const { page } of copies) if (failure && !written.has(page)) written.set(page, failure)
    return written
  }

  /**
   * Removes copies, and what a crash has left of them. The copy of another page in the same folder stays.
   * @returns by page: whether anything was removed, or the error
   * @throws LostLeaseError
   */
  async remove(
    target: WriteTarget,
    copies: readonly FormerCopy[],
  ): Promise<Map<number, boolean | Error>> {
    const { staticDir, staging, site } = target
    const removed = new Map<number, boolean | Error>()
    const jobs = this.#runJobs<FormerCopy, Outcomes<RemoveOutcome>>(site, 'removeCopies', copies, {
      weightOf: () => SHORT_WEIGHT,
      dataOf: (batch): RemoveJob => ({ staticDir, staging: staging.path, copies: batch }),
    })
    for await (const { batch, result } of jobs) {
      const outcomes = unlessLost(target, result)
      for (const [index, { page }] of batch.entries()) {
        const outcome = outcomes[index]
        removed.set(page, outcome && 'removed' in outcome ? outcome.removed : errorOf(outcome))
      }
    }
    return removed
  }

  /**
   * Calls a function of the thread with some copies after the others. A call that takes too long is done in parts: on a slow disk, the same call would be
   * stopped each time.
   */
  async *#runJobs<Copy, Result>(
    site: number,
    name: string,
    copies: readonly Copy[],
    { weightOf, dataOf }: JobsOptions<Copy>,
  ): AsyncGenerator<{ readonly batch: readonly Copy[]; readonly result: Result }> {
    for (let done = 0; done < copies.length; ) {
      let batch: readonly Copy[] = []
      // The share may become smaller while the job waits.
      const data = async () => {
        ;[batch = []] = inBatches(copies.slice(done), JOB_WEIGHT * this.#share, weightOf)
        return dataOf(batch)
      }
      try {
        const result = await this.#thread.run<Result>(String(site), { module: THREAD, name, data })
        this.#share = Math.min(1, this.#share + REGAINED_SHARE)
        done += batch.length
        yield { batch, result }
      } catch (error) {
        if (!(error instanceof JobTimeoutError) || batch.length < 2) throw error
        const weight = batch.reduce((sum, copy) => sum + weightOf(copy), 0)
        this.#share = Math.min(this.#share, weight / JOB_WEIGHT) / 2
      }
    }
  }
}

type JobsOptions<Copy> = {
  readonly weightOf: (copy: Copy) => number
  /** The argument of the function, made when the job starts. */
  readonly dataOf: (batch: readonly Copy[]) => object | Promise<object>
}

/** @throws LostLeaseError */
function unlessLost<T>({ staging }: WriteTarget, outcomes: Outcomes<T>): readonly T[] {
  if (outcomes === 'lost') throw new LostLeaseError(staging.claimId)
  return outcomes
}

function resultOf(outcome: WriteOutcome | undefined): WrittenFiles | 'over' | Error {
  if (!outcome || 'error' in outcome) return errorOf(outcome)
  return 'over' in outcome ? 'over' : outcome
}

/** The error of one copy, as it was thrown on the thread. */
function errorOf(outcome: { readonly error?: CopyError } | undefined): Error {
  const { code, message } = outcome?.error ?? { code: '', message: 'no outcome' }
  if (code === STATIC_PATH_CODE) return new StaticPathError(message)
  return Object.assign(new Error(message), code === '' ? {} : { code })
}
