import { BackgroundLoop } from '../concurrency/background-loop.ts'
import { isDatabaseUnavailable } from '../db/database-error.ts'
import { keepRenewing } from '../db/lease.ts'
import { groupBy } from '../group-by.ts'
import type { Metrics } from '../metrics.ts'
import {
  findDamagedCopies,
  findOrphanedCopies,
  removeOrphanedCopy,
} from '../publishing/check-copies.ts'
import { type CopyStore, CopyTargetError } from '../publishing/copy-store.ts'
import { purgeAddresses } from '../publishing/purgers/purge-addresses.ts'
import { findSite } from '../wordpress/network/find-sites.ts'
import { recordChange } from '../work/record-work.ts'
import { workOn } from '../work/work.ts'
import { allowedCaches } from './publish-pages.ts'
import {
  completeBatch,
  finishRound,
  renewBatch,
  type ScrubBatch,
  takeBatch,
} from './scrub-table.ts'
import type { WorkerOptions } from './worker-options.ts'

export type CopyScrubOptions = Pick<
  WorkerOptions,
  'db' | 'globals' | 'log' | 'identities' | 'pageCachePurge' | 'tagPurges'
> & {
  readonly metrics?: Metrics | undefined
  readonly copies: CopyStore
  /** Copies checked per minute; 0 to check them only after a restore. */
  readonly pagesPerMinute: number
  /** Starts the recorded work of a site. */
  readonly wake: (blogId: number) => void
}

/** Copies in one batch after a restore. */
const URGENT_COPIES = 200
/** Pages that a log line names. */
const NAMED_PAGES = 10
/** A batch that fails is compared so many times in a row, unless the database or the target is away, before the scrub goes on behind it. */
const TRIES = 5

/**
 * Goes through all static copies again and again, and compares their files with their records. What is missing, replaced or damaged is
 * written again; copies without a record are removed. Of several processes one checks a batch.
 */
export class CopyScrub {
  readonly #options: CopyScrubOptions
  readonly #loop: BackgroundLoop
  /** Batches in a row that have failed in this process. */
  #failed = 0

  /** Starts at once. */
  constructor(options: CopyScrubOptions) {
    this.#options = options
    this.#loop = new BackgroundLoop(() => this.#run())
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #run(): Promise<number> {
    const { db, log } = this.#options
    const isUrgent = await this.#step().catch((error: unknown) => {
      // The readiness check and the log of the claims name an unusable folder.
      if (!(error instanceof CopyTargetError))
        log.warn({ err: error }, 'checking the static copies failed; it is tried again')
      return false
    })
    return isUrgent ? 0 : db.timings.scrub.lookMs
  }

  /** @returns whether the next step is to follow at once */
  async #step(): Promise<boolean> {
    const { db, globals, copies, pagesPerMinute } = this.#options
    await copies.open()
    const batch = await takeBatch(db, globals, {
      size: Math.ceil((pagesPerMinute * db.timings.scrub.batchPauseMs) / 60_000),
      urgentSize: Math.max(URGENT_COPIES, pagesPerMinute),
    })
    if (batch === undefined) return false
    const renewal = keepRenewing(db.timings.scrub.leaseMs, () => renewBatch(db, globals, batch))
    try {
      if (batch.copies.length > 0) await this.#checkBatch(batch)
      else await this.#endRound(batch, renewal.lost)
    } finally {
      await renewal.stop()
    }
    return batch.isUrgent && batch.copies.length > 0
  }

  async #checkBatch(batch: ScrubBatch): Promise<void> {
    const { db, globals, log } = this.#options
    let damaged = 0
    try {
      for (const [blogId, copies] of groupBy(batch.copies, (copy) => copy.blogId))
        damaged += await this.#check(
          blogId,
          copies.map(({ page }) => page),
        )
      this.#failed = 0
    } catch (error) {
      if (isDatabaseUnavailable(error) || error instanceof CopyTargetError) throw error
      this.#failed += 1
      if (this.#failed < TRIES) throw error
      this.#failed = 0
      const [first, last] = [batch.copies[0], batch.copies.at(-1)]
      log.error(
        { err: error, first, last },
        'static copies could not be checked; they are left out',
      )
    }
    await completeBatch(db, globals, batch, damaged)
  }

  /** @returns the number of damaged copies */
  async #check(blogId: number, pages: readonly number[]): Promise<number> {
    const { db, globals, log, metrics, copies, wake } = this.#options
    metrics?.countScrubbed('checked', pages.length)
    const site = await findSite(db, globals, blogId)
    // The work of a deleted site removes its copies.
    if (site === undefined) return 0
    const damaged = await findDamagedCopies(db, site, copies, pages)
    if (damaged.length === 0) return 0
    const change = { bake: true, work: workOn('page', damaged) }
    await db.write({ site, isWork: true }, (tx) => recordChange(tx, site, change))
    metrics?.countScrubbed('damaged', damaged.length)
    log.warn(
      { site: blogId, copies: damaged.length, pages: damaged.slice(0, NAMED_PAGES) },
      'static copies were missing, replaced or damaged; they are written again',
    )
    wake(blogId)
    return damaged.length
  }

  /** Removes the copies that no record points to. */
  async #endRound(batch: ScrubBatch, lost: AbortSignal): Promise<void> {
    const { db, globals, log, metrics, copies, tagPurges } = this.#options
    let removed = 0
    for await (const orphan of findOrphanedCopies(db, globals, copies)) {
      if (this.#loop.signal.aborted || lost.aborted) return
      await removeOrphanedCopy(db, globals, copies, orphan)
      await purgeAddresses(await allowedCaches(this.#options), [orphan.owner.url], {
        log,
        timeoutMs: db.timings.publishing.addressPurgeMs,
      })
      removed += 1
      const { site, page, url } = orphan.owner
      if (await tagPurges?.isAllowed())
        await db.write({ isWork: true }, async (tx) =>
          tagPurges?.record(tx, { blogId: site, globals }, [page]),
        )
      if (removed <= NAMED_PAGES)
        log.warn({ site, page, url }, 'a static copy without a record was removed')
    }
    metrics?.countScrubbed('removed', removed)
    await finishRound(db, globals, batch)
    if (batch.isUrgent || removed > 0) log.info({ removed }, 'all static copies were checked')
  }
}
