import { relative } from 'node:path'
import { JobTimeoutError, threadModule, WorkerPool } from '../concurrency/worker-pool.ts'
import { inBatches } from '../db/sql.ts'
import type { Timings } from '../timings.ts'
import { type CopyFailure, fileFailure } from './copy-failure.ts'
import type {
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
  ): Promise<Map<number, WrittenFiles | 'over' | CopyFailure>> {
    const { staticDir, staging, site } = target
    const written = new Map<number, WrittenFiles | 'over' | CopyFailure>()
    const jobs = this.#runJobs<NewCopy, Outcomes<WriteOutcome>>(site, 'writeCopies', copies, {
      weightOf: ({ html }) => Math.max(WRITE_WEIGHT, html.length),
      dataOf: async (batch): Promise<WriteJob> => ({
        staticDir,
        staging: staging.path,
        copies: batch,
        quota: await findQuota?.(),
      }),
    })
    let failure: CopyFailure | undefined
    for await (const { batch, result } of jobs) {
      const outcomes = unlessLost(target, result)
      for (const [index, copy] of batch.entries()) {
        const { page, location, replacedBytes } = copy
        const outcome = outcomes[index] ?? NO_OUTCOME
        if ('error' in outcome) {
          const name = relative(staticDir, location)
          const failed = fileFailure(outcome.error, { purpose: 'write', name })
          written.set(page, failed)
          if (failed.isOutage) failure = failed
        } else if ('over' in outcome) written.set(page, 'over')
        else {
          written.set(page, outcome)
          staging.growth += outcome.bytes - replacedBytes
        }
      }
      if (failure) break
    }
    for (const { page } of copies) if (failure && !written.has(page)) written.set(page, failure)
    return written
  }

  /**
   * Removes copies, and what a crash has left of them. The copy of another page in the same folder stays.
   * @returns by page: why it could not be removed
   * @throws LostLeaseError
   */
  async remove(
    target: WriteTarget,
    copies: readonly FormerCopy[],
  ): Promise<Map<number, CopyFailure>> {
    const { staticDir, staging, site } = target
    const failures = new Map<number, CopyFailure>()
    const jobs = this.#runJobs<FormerCopy, Outcomes<RemoveOutcome>>(site, 'removeCopies', copies, {
      weightOf: () => SHORT_WEIGHT,
      dataOf: (batch): RemoveJob => ({ staticDir, staging: staging.path, copies: batch }),
    })
    for await (const { batch, result } of jobs) {
      const outcomes = unlessLost(target, result)
      for (const [index, { page, location }] of batch.entries()) {
        const { error } = outcomes[index] ?? NO_OUTCOME
        const name = relative(staticDir, location)
        if (error) failures.set(page, fileFailure(error, { purpose: 'remove', name }))
      }
    }
    return failures
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

const NO_OUTCOME = { error: { code: '', message: 'no outcome' } }

/** @throws LostLeaseError */
function unlessLost<T>({ staging }: WriteTarget, outcomes: Outcomes<T>): readonly T[] {
  if (outcomes === 'lost') throw new LostLeaseError(staging.claimId)
  return outcomes
}
