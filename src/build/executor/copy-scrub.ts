import { recordChange } from '../../content/work/record-work.ts'
import { workOn } from '../../content/work/work.ts'
import { isDatabaseUnavailable } from '../../db/database-error.ts'
import type { Held } from '../../db/tasks/hold-task.ts'
import type { Task, TaskRest } from '../../db/tasks/task-runner.ts'
import { groupBy } from '../../host/group-by.ts'
import type { Metrics } from '../../host/metrics.ts'
import { findSite } from '../../wordpress/network/find-sites.ts'
import {
  findDamagedCopies,
  findOrphanedCopies,
  removeOrphanedCopy,
} from '../publishing/check-copies.ts'
import { CopyFailedError } from '../publishing/copy-failure.ts'
import { type CopyStore, CopyTargetError, type OwnedCopy } from '../publishing/copy-store.ts'
import {
  listCopiesAfter,
  ROUND_BEGIN,
  SCRUB,
  type ScrubPosition,
} from '../publishing/scrub-position.ts'
import { purgeUrls } from './publish-pages.ts'
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
 * written again; copies without a record are removed. Each run compares a batch, or ends the round.
 */
export class CopyScrub implements Task {
  readonly name = SCRUB
  readonly failure = 'checking the static copies failed; it is tried again'
  readonly #options: CopyScrubOptions

  constructor(options: CopyScrubOptions) {
    this.#options = options
  }

  async run(held: Held, signal: AbortSignal): Promise<TaskRest> {
    try {
      return await this.#run(held, signal)
    } catch (error) {
      // The readiness check and the log of the builders name an unusable folder.
      if (!(error instanceof CopyTargetError)) throw error
      return { dueInMs: this.#options.db.timings.scrub.awayMs }
    }
  }

  /** The position moves when a batch was compared: one that fails, or whose process is killed, is compared again. */
  async #run({ state, tries }: Held, signal: AbortSignal): Promise<TaskRest> {
    const { db, globals, copies, pagesPerMinute } = this.#options
    const { batchPauseMs } = db.timings.scrub
    await copies.open()
    const position: ScrubPosition = state === null ? ROUND_BEGIN : JSON.parse(state)
    const { isUrgent, batches = 0 } = position
    const size = isUrgent
      ? Math.max(URGENT_COPIES, pagesPerMinute)
      : Math.ceil((pagesPerMinute * batchPauseMs) / 60_000)
    if (size === 0) return { dueInMs: batchPauseMs }
    const batch = await listCopiesAfter(db, globals, position, size)
    const last = batch.at(-1)
    if (last === undefined) return this.#endRound(position, signal)
    try {
      for (const [blogId, own] of groupBy(batch, (copy) => copy.blogId))
        await this.#check(
          blogId,
          own.map(({ page }) => page),
        )
    } catch (error) {
      const isAway = isDatabaseUnavailable(error) || error instanceof CopyTargetError
      if (isAway || tries + 1 < TRIES) throw error
      this.#options.log.error(
        { err: error, first: batch[0], last },
        'static copies could not be checked; they are left out',
      )
    }
    const next: ScrubPosition = { ...last, isUrgent, batches: batches + 1 }
    return { dueInMs: isUrgent ? 0 : batchPauseMs, state: JSON.stringify(next) }
  }

  async #check(blogId: number, pages: readonly number[]): Promise<void> {
    const { db, globals, log, metrics, copies, wake } = this.#options
    metrics?.count('scrubbed_copies_total', { outcome: 'checked' }, pages.length)
    const site = await findSite(db, globals, blogId)
    // The work of a deleted site removes its copies.
    if (site === undefined) return
    const damaged = await findDamagedCopies(db, site, copies, pages)
    if (damaged.length === 0) return
    const change = { bake: true, work: workOn('page', damaged) }
    await db.write({ site, isWork: true }, (tx) => recordChange(tx, site, change))
    metrics?.count('scrubbed_copies_total', { outcome: 'damaged' }, damaged.length)
    log.warn(
      { site: blogId, copies: damaged.length, pages: damaged.slice(0, NAMED_PAGES) },
      'static copies were missing, replaced or damaged; they are written again',
    )
    wake(blogId)
  }

  /** Removes the copies that no record points to. One that cannot be removed is left to the next round. */
  async #endRound(
    { isUrgent, batches = 0 }: ScrubPosition,
    signal: AbortSignal,
  ): Promise<TaskRest> {
    const { db, globals, log, metrics, tagPurges } = this.#options
    let removed = 0
    let left = 0
    for await (const orphan of findOrphanedCopies(this.#options)) {
      if (signal.aborted) return { dueInMs: 0 }
      const failure = await this.#remove(orphan)
      if (failure) {
        left += 1
        if (left <= NAMED_PAGES) log.error({ err: failure }, 'a static copy was not removed')
        continue
      }
      await purgeUrls(this.#options, [orphan.owner.url])
      removed += 1
      const { site, page, url } = orphan.owner
      if (await tagPurges?.isAllowed())
        await db.write({ isWork: true }, async (tx) =>
          tagPurges?.record(tx, { blogId: site, globals }, [page]),
        )
      if (removed <= NAMED_PAGES)
        log.warn({ site, page, url }, 'a static copy without a record was removed')
    }
    metrics?.count('scrubbed_copies_total', { outcome: 'removed' }, removed)
    if (isUrgent || removed > 0) log.info({ removed }, 'all static copies were checked')
    const { roundMs, batchPauseMs } = db.timings.scrub
    const dueInMs = Math.max(0, roundMs - batches * (isUrgent ? 0 : batchPauseMs))
    return { dueInMs, state: JSON.stringify(ROUND_BEGIN) }
  }

  /** @returns why this copy cannot be removed, unless no copy can be changed now */
  async #remove(orphan: OwnedCopy): Promise<CopyFailedError | undefined> {
    try {
      await removeOrphanedCopy(this.#options, orphan)
      return undefined
    } catch (error) {
      if (!(error instanceof CopyFailedError)) throw error
      if (error.failure.isOutage || error.failure.isTemporary) throw error
      return error
    }
  }
}
