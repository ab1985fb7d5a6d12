import {
  type CopyStore,
  CopyTargetError,
  type PublicationNumbers,
} from '../../build/publishing/copy-store.ts'
import { bucketsBehind, readStoredNumbers } from '../../build/publishing/publication-numbers.ts'
import { urgentScrub } from '../../build/publishing/scrub-position.ts'
import type { Database } from '../../db/database.ts'
import type { Held } from '../../db/tasks/hold-task.ts'
import type { Task, TaskRest } from '../../db/tasks/task-runner.ts'
import { BackgroundLoop, pause } from '../../host/concurrency/background-loop.ts'
import type { Log } from '../../host/log.ts'
import type { Metrics } from '../../host/metrics.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { readRestore, recordRestore, verifyAgain } from './restored-database.ts'

export type FolderWatchOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  readonly metrics?: Metrics | undefined
  readonly copies: CopyStore
}

/** Looks that find the same before it is believed: a server of a cluster may lag behind the others for some seconds. */
const LOOKS = 3

/**
 * Compares the publication numbers of the database with those of the folder of the static copies. A database that is behind was restored, or
 * has lost transactions in a failover; a folder that is behind is new, or was restored. Either way everything is verified.
 */
export class FolderWatch implements Task {
  readonly name = 'folder'
  readonly failure = 'comparing the database with the static folder failed'
  readonly #options: FolderWatchOptions
  #looksBehind = 0
  /** The numbers of the database at the last look, of buckets in which the folder was behind. */
  #late: PublicationNumbers = new Map()

  constructor(options: FolderWatchOptions) {
    this.#options = options
  }

  /** Looks again and again: a process believes what it sees in several looks in a row. */
  async run(_: Held, signal: AbortSignal): Promise<TaskRest> {
    const { folderLookMs } = this.#options.db.timings.executor
    this.#looksBehind = 0
    this.#late = new Map()
    try {
      while (!signal.aborted) {
        await this.#look()
        await pause(folderLookMs, signal)
      }
      return { dueInMs: 0 }
    } catch (error) {
      // The readiness check and the log of the builders name an unusable folder. Another process may be able to use it.
      if (!(error instanceof CopyTargetError)) throw error
      return { dueInMs: folderLookMs }
    }
  }

  async #look(): Promise<void> {
    const { db, globals, copies } = this.#options
    await copies.open()
    // In this order: a publication that begins in between is in the database first.
    const inFolder = await copies.marks()
    const stored = await readStoredNumbers(db, globals)
    await this.#findRestore(inFolder, stored)
    await this.#findOlderFolder(inFolder, stored)
  }

  async #findRestore(inFolder: PublicationNumbers, stored: PublicationNumbers): Promise<void> {
    const { db, globals, log, metrics } = this.#options
    this.#looksBehind = bucketsBehind(stored, inFolder).length > 0 ? this.#looksBehind + 1 : 0
    if (this.#looksBehind < LOOKS) return
    this.#looksBehind = 0
    if (!(await recordRestore(db, globals, inFolder))) return
    metrics?.count('database_restores_total', {})
    log.error(
      'the database is older than the static copies: it was restored, or a replica took over that had not received everything. All pages are verified now. Writes that were made after the restored state are lost',
    )
  }

  /** A publication is in the database a moment before it is in the folder, so the folder is older only if a number stays away. */
  async #findOlderFolder(inFolder: PublicationNumbers, stored: PublicationNumbers): Promise<void> {
    const { db, globals, log, copies } = this.#options
    const behind = bucketsBehind(inFolder, stored)
    const missing = behind.filter((bucket) => {
      const since = this.#late.get(bucket)
      return since !== undefined && (inFolder.get(bucket) ?? 0) < since
    })
    this.#late = new Map(behind.map((bucket) => [bucket, stored.get(bucket) ?? 0]))
    if (missing.length === 0) return
    await db.write({}, (tx) => urgentScrub(tx, globals))
    for (const bucket of missing)
      await copies.marks({ bucket, number: this.#late.get(bucket) ?? 0 })
    log.warn(
      'the static copies are older than the database, or new: all static copies are verified now',
    )
  }
}

/**
 * Follows a restore in each process. A dump may still be loading when the restore is found, and may replace what was recorded then.
 */
export class RestoreWatch {
  readonly #options: Pick<FolderWatchOptions, 'db' | 'globals' | 'log'>
  readonly #loop: BackgroundLoop
  /** `restored_at` at the last look. */
  #restoredAt: string | null = null

  /** Starts the first look at once. */
  constructor(options: Pick<FolderWatchOptions, 'db' | 'globals' | 'log'>) {
    const { db, log } = options
    this.#options = options
    this.#loop = new BackgroundLoop(async () => {
      await this.#look().catch((error: unknown) =>
        log.debug({ err: error }, 'looking for a restore of the database failed'),
      )
      return db.timings.executor.folderLookMs
    })
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #look(): Promise<void> {
    const { db, globals, log } = this.#options
    const { restoredAt, isVerifyDue, isLoading } = await readRestore(db, globals)
    const hasGoneBack = this.#restoredAt !== null && (restoredAt ?? '') < this.#restoredAt
    // What this process keeps may be of the lost history.
    if (restoredAt !== this.#restoredAt) db.cache.clear()
    this.#restoredAt = restoredAt
    if (!isVerifyDue && !hasGoneBack) return
    const because = isVerifyDue && !isLoading ? VERIFIED_AGAIN : STILL_LOADING
    const isLast = isVerifyDue && !isLoading
    if (await verifyAgain(db, globals, because, isLast)) log.warn(because)
  }
}

const VERIFIED_AGAIN =
  'All pages are verified once more, because tables may still have been loading when the restore of the database was found.'
const STILL_LOADING =
  'Tables of the database are still being created: it is still being restored. All pages are verified again.'
