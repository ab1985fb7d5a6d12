import { join, relative } from 'node:path'
import { inBatches } from '../../db/sql.ts'
import { LostLeaseError } from '../../db/tasks/tasks-table.ts'
import { JobTimeoutError, threadModule, WorkerPool } from '../../host/concurrency/worker-pool.ts'
import type { Timings } from '../../host/timings.ts'
import { fileFailure, isFailure, isOutage } from './copy-failure.ts'
import {
  type CheckedCopy,
  type CopyFailure,
  type CopyFiles,
  type NewCopy,
  type OwnedCopy,
  type PlacedCopy,
  UnusableTargetError,
  type WrittenCopy,
} from './copy-store.ts'
import type { ChangeJob, createFolder, Outcomes, readFolders } from './folder-thread.ts'
import { copyFolderForUrl } from './static-path.ts'

const THREAD = threadModule('folder-thread', import.meta.url)

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
/** Folders that are read in one job: no copy waits long for it. */
const FOLDERS_PER_JOB = 50

/** The site whose copies a writer changes. */
export type ChangedSite = {
  /** Blog id. */
  readonly site: number
  /** Id of the writer. */
  readonly owner: string
  /** Path of its staging folder. */
  readonly staging: string
}

/**
 * Reads, writes and removes static copies on a thread of its own, with synchronous calls: compressing and dozens of calls for each copy
 * would block requests, or bakes if they shared the threads.
 */
export class FolderJobs {
  readonly #staticDir: string
  readonly #thread: WorkerPool
  /** The share of `JOB_WEIGHT` that the disk manages in time. */
  #share = 1

  /** @param staticDir absolute path */
  constructor(staticDir: string, timings: Timings['threads']) {
    this.#staticDir = staticDir
    this.#thread = new WorkerPool(timings, 1)
  }

  /** Stops the thread. Running jobs fail. */
  close(): Promise<void> {
    return this.#thread.close()
  }

  /** @throws UnusableTargetError if the folder of the static copies does not exist and cannot be created */
  async createFolder(): Promise<void> {
    const path = this.#staticDir
    const failed = await this.#run<ReturnType<typeof createFolder>>('createFolder', { path })
    if (failed)
      throw new UnusableTargetError(
        `The folder of the static copies "${path}" does not exist, and "${failed.at}" cannot be created (${failed.code}). Create it for the operating system user of the service, or set STATIC_DIR to another folder`,
      )
  }

  /** All copies that have an owner. */
  async *list(): AsyncGenerator<OwnedCopy> {
    const open = [this.#staticDir]
    // If the folder is a volume, the file system has this one there, which only root may read. No host has the name.
    const ofFileSystem = join(this.#staticDir, 'lost+found')
    while (open.length > 0) {
      const folders = open.splice(-FOLDERS_PER_JOB)
      const read = await this.#run<ReturnType<typeof readFolders>>('readFolders', { folders })
      open.push(...read.folders.filter((folder) => folder !== ofFileSystem))
      yield* read.copies
    }
  }

  /** See `CopyStore.check`. */
  async check(site: number, copies: readonly CheckedCopy[]): Promise<CopyFiles[]> {
    const files: CopyFiles[] = []
    const jobs = this.#runJobs<CheckedCopy, CopyFiles[]>(site, 'compareCopies', copies, {
      weightOf: ({ digest }) => (digest === undefined ? SHORT_WEIGHT : COMPARE_WEIGHT),
      dataOf: (batch) => ({
        site,
        copies: batch.map((copy) => ({
          ...copy,
          location: copyFolderForUrl(this.#staticDir, copy.url),
        })),
      }),
    })
    for await (const { result } of jobs) files.push(...result)
    return files
  }

  /** See `CopyWriter.write`. */
  async write(
    change: ChangedSite,
    copies: readonly NewCopy[],
  ): Promise<Map<number, WrittenCopy | CopyFailure>> {
    const outcomes = new Map<number, WrittenCopy | CopyFailure>()
    const weightOf = ({ html }: NewCopy) => Math.max(WRITE_WEIGHT, html.length)
    const written = this.#change<NewCopy, WrittenCopy>(change, 'writeCopies', copies, weightOf)
    for await (const batch of written) {
      for (const [page, outcome] of batch) outcomes.set(page, outcome)
      const outage = batch.map(([, outcome]) => outcome).find(isOutage)
      if (outage === undefined) continue
      for (const { page } of copies) if (!outcomes.has(page)) outcomes.set(page, outage)
      break
    }
    return outcomes
  }

  /** See `CopyWriter.remove`. */
  async remove(
    change: ChangedSite,
    copies: readonly PlacedCopy[],
  ): Promise<Map<number, CopyFailure>> {
    const failures = new Map<number, CopyFailure>()
    const weightOf = () => SHORT_WEIGHT
    const removed = this.#change<PlacedCopy, object>(change, 'removeCopies', copies, weightOf)
    for await (const batch of removed)
      for (const [page, outcome] of batch) if (isFailure(outcome)) failures.set(page, outcome)
    return failures
  }

  /** @throws LostLeaseError */
  async *#change<Copy extends PlacedCopy, Done extends object>(
    { site, owner, staging }: ChangedSite,
    name: 'writeCopies' | 'removeCopies',
    copies: readonly Copy[],
    weightOf: (copy: Copy) => number,
  ): AsyncGenerator<(readonly [number, Done | CopyFailure])[]> {
    const staticDir = this.#staticDir
    const purpose = name === 'writeCopies' ? 'write' : 'remove'
    const jobs = this.#runJobs<Copy, Outcomes<Done>>(site, name, copies, {
      weightOf,
      dataOf: (batch): ChangeJob<Copy> => ({ staticDir, staging, site, copies: batch }),
    })
    for await (const { batch, result } of jobs) {
      if (result === 'lost') throw new LostLeaseError(owner)
      yield batch.map(({ page, location }, index) => {
        const outcome = result[index] as (typeof result)[number]
        const failed = { purpose, name: relative(staticDir, location) } as const
        return [page, 'error' in outcome ? fileFailure(outcome.error, failed) : outcome]
      })
    }
  }

  #run<Result>(name: string, data: object): Promise<Result> {
    return this.#thread.run<Result>(name, { module: THREAD, name, data })
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
  /** The argument of the function. */
  readonly dataOf: (batch: readonly Copy[]) => object
}
