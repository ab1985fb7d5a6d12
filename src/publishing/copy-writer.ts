import { threadModule, type WorkerJob, WorkerPool } from '../concurrency/worker-pool.ts'
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

/** Copies in one job: their files are open at the same time, and are synced in one group. */
const COPIES_PER_JOB = 50
/** HTML in one job, in characters. */
const CHARACTERS_PER_JOB = 4 * 1024 * 1024
/** Copies in one job that needs little time for each. One whose contents are compared counts as `COMPARED_WEIGHT`. */
const COPIES_PER_SHORT_JOB = 1000
/** Reading and decompressing a copy takes so many times as long as looking for it. */
const COMPARED_WEIGHT = 20

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
    const weightOf = ({ digest }: CopyQuery) => (digest === undefined ? 1 : COMPARED_WEIGHT)
    for (const batch of inBatches(copies, COPIES_PER_SHORT_JOB, weightOf)) {
      const job: FindJob = { copies: batch }
      found.push(...(await this.#run<(FoundCopy | null)[]>(site, 'findCopies', job)))
    }
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
    const { staticDir, staging } = target
    const written = new Map<number, WrittenFiles | 'over' | Error>()
    let failure: Error | undefined
    for (const batch of batchesOf(copies)) {
      const job = async (): Promise<WriteJob> => ({
        staticDir,
        staging: staging.path,
        copies: batch,
        quota: await findQuota?.(),
      })
      const outcomes = failure
        ? []
        : await this.#runFenced<WriteOutcome>(target, 'writeCopies', job)
      for (const [index, { page, replacedBytes }] of batch.entries()) {
        const outcome = failure ?? resultOf(outcomes[index])
        written.set(page, outcome)
        if (isStorageError(outcome)) failure = outcome as Error
        if (!(outcome instanceof Error) && outcome !== 'over')
          staging.growth += outcome.bytes - replacedBytes
      }
    }
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
    const { staticDir, staging } = target
    const removed = new Map<number, boolean | Error>()
    for (const batch of inBatches(copies, COPIES_PER_SHORT_JOB)) {
      const job: RemoveJob = { staticDir, staging: staging.path, copies: batch }
      const outcomes = await this.#runFenced<RemoveOutcome>(target, 'removeCopies', job)
      for (const [index, { page }] of batch.entries()) {
        const outcome = outcomes[index]
        removed.set(page, outcome && 'removed' in outcome ? outcome.removed : errorOf(outcome))
      }
    }
    return removed
  }

  async #runFenced<T>(
    { site, staging }: WriteTarget,
    name: string,
    data: WorkerJob['data'],
  ): Promise<readonly T[]> {
    const outcomes = await this.#run<Outcomes<T>>(site, name, data)
    if (outcomes === 'lost') throw new LostLeaseError(staging.claimId)
    return outcomes
  }

  #run<T>(site: number, name: string, data: WorkerJob['data']): Promise<T> {
    return this.#thread.run<T>(String(site), { module: THREAD, name, data })
  }
}

function* batchesOf(copies: readonly NewCopy[]): Generator<NewCopy[]> {
  for (const batch of inBatches(copies, CHARACTERS_PER_JOB, ({ html }) => html.length))
    yield* inBatches(batch, COPIES_PER_JOB)
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
