import { setTimeout as sleep } from 'node:timers/promises'
import { listBuilders } from '../../content/work/due-work.ts'
import { recordChange } from '../../content/work/record-work.ts'
import { workOn } from '../../content/work/work.ts'
import type { Database } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
import { forEachBounded } from '../../host/concurrency/for-each.ts'
import type { CacheTagSettings } from '../../host/config/cache-purge.ts'
import { sha256Hex } from '../../host/hash.ts'
import { findSite } from '../../wordpress/network/find-sites.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { tagsOfCopy } from '../publishing/cache-tags.ts'
import {
  findOrphanedCopies,
  removeOrphanedCopy,
  withoutLaterChanges,
} from '../publishing/check-copies.ts'
import {
  type CopyRecord,
  countCopies,
  listCopyRecords,
  listSitesWithCopies,
  readCopyRecords,
} from '../publishing/copies-table.ts'
import { assertNoFailure } from '../publishing/copy-failure.ts'
import type { CopyStore, NewCopy } from '../publishing/copy-store.ts'
import { withOwnWriter } from '../publishing/own-writer.ts'
import { fenceLeftWriters } from './publish-target.ts'

export type CopyMoveOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  /** Where the static copies are. Processes may publish there meanwhile. */
  readonly from: CopyStore
  /** Where they are to be. No process uses it yet. */
  readonly to: CopyStore
  readonly cacheTags?: CacheTagSettings | undefined
  /** The move ends after the present batch. Another call continues it. */
  readonly signal: AbortSignal
  /** Called with the number of copies that were compared in the present pass, and of all. */
  readonly onProgress: (compared: number, total: number) => void
}

export type MovedCopies = {
  /** Records whose copies in the new target are as recorded. */
  readonly copies: number
  readonly copied: number
  /** Copies without a record that were removed from the new target. */
  readonly removed: number
  /** Records without a copy that could be moved: it is missing or damaged and is published again, or it is being written. */
  readonly waiting: number
  /** Whether copies changed in the last pass, too. */
  readonly isChanging: boolean
  readonly isAborted: boolean
}

/** Copies that are compared and written together. */
const COPIES_AT_ONCE = 50
/** HTML that is written together, in bytes. */
const BYTES_AT_ONCE = 8 * 1024 * 1024
/** Copies that are read at once. */
const READS_AT_ONCE = 8
/** Passes over all records. In each, what was published during the last one is copied. */
const MAX_PASSES = 10

/**
 * Copies the static copies of all sites to another target, without a change of their records. A copy counts once the new target has it as its
 * record describes it, so a move that was interrupted continues where it was. Copies that the records do not describe are published again by
 * the processes that build, and copied then.
 *
 * The new target gets no publication numbers: the first process that uses it finds them missing, compares all copies with their records, and
 * publishes what has changed since (`FolderWatch`).
 * @throws CopyTargetError, errors of the database, and the first error of a copy that cannot be written
 */
export function moveCopies(options: CopyMoveOptions): Promise<MovedCopies> {
  return new CopyMove(options).run()
}

/** One call of `moveCopies`. */
class CopyMove {
  readonly #options: CopyMoveOptions
  /** What the new target has, by blog id and page: `stampOf` its record. Later passes compare without a request. */
  readonly #moved = new Map<number, Map<number, string>>()
  /** Pages that were recorded to be published again. */
  readonly #requested = new Set<string>()
  #copied = 0
  #waiting = 0

  constructor(options: CopyMoveOptions) {
    this.#options = options
  }

  async run(): Promise<MovedCopies> {
    const { db, globals, signal, to } = this.#options
    await to.open()
    await to.test()
    // Requests of a move that was killed may still arrive: what it was writing is written again.
    await fenceLeftWriters(to, () => listBuilders(db, globals))
    let changed = 0
    for (let pass = 1; pass <= MAX_PASSES && !signal.aborted; pass += 1) {
      if (this.#waiting > 0) await sleep(db.timings.executor.movePauseMs)
      this.#waiting = 0
      changed = await this.#pass()
      if (changed + this.#waiting === 0) break
    }
    const removed = signal.aborted ? 0 : await this.#removeOrphans()
    const copies = [...this.#moved.values()].reduce((sum, pages) => sum + pages.size, 0)
    return {
      copies,
      copied: this.#copied,
      removed,
      waiting: this.#waiting,
      isChanging: changed > 0,
      isAborted: signal.aborted,
    }
  }

  /** @returns how many copies the new target did not have as recorded */
  async #pass(): Promise<number> {
    const { db, globals, signal, onProgress } = this.#options
    const total = await countCopies(db, globals)
    let changed = 0
    let compared = 0
    for (const blogId of await listSitesWithCopies(db, globals)) {
      const records = await listCopyRecords(db, { blogId, globals })
      this.#forgetRemoved(blogId, records)
      const moved = this.#movedOf(blogId)
      const due = records.filter((record) => moved.get(record.page) !== stampOf(record))
      compared += records.length - due.length
      for (const some of inBatches(due, BYTES_AT_ONCE, ({ htmlBytes = 0 }) => htmlBytes))
        for (const batch of inBatches(some, COPIES_AT_ONCE)) {
          if (signal.aborted) return changed
          const pages = batch.map(({ page }) => page)
          changed += await this.#moveBatch(blogId, pages)
          compared += batch.length
          onProgress(compared, total)
        }
    }
    return changed
  }

  #movedOf(blogId: number): Map<number, string> {
    const moved = this.#moved.get(blogId) ?? new Map<number, string>()
    this.#moved.set(blogId, moved)
    return moved
  }

  #forgetRemoved(blogId: number, records: readonly CopyRecord[]): void {
    const pages = new Set(records.map(({ page }) => page))
    const moved = this.#movedOf(blogId)
    for (const page of [...moved.keys()]) if (!pages.has(page)) moved.delete(page)
  }

  /** @returns how many of these were written */
  async #moveBatch(blogId: number, pages: readonly number[]): Promise<number> {
    const { db, globals, to } = this.#options
    // As they are now: the list of all records may be some minutes old.
    const records = await readCopyRecords(db, { blogId, globals }, pages)
    const wanted = [...records.values()].filter(
      ({ url, digest }) => digest !== undefined && to.locate(url) !== undefined,
    )
    this.#waiting += records.size - wanted.length
    const missing = await this.#without(blogId, wanted)
    if (missing.length === 0) return 0
    const written = await this.#write(blogId, missing)
    const later = await readCopyRecords(db, { blogId, globals }, pages)
    const same = written.filter((record) => stampOf(record) === stampOf(later.get(record.page)))
    const failed = await this.#without(blogId, same)
    this.#copied += same.length - failed.length
    return missing.length
  }

  /** Those that the new target does not have as recorded. The others count as moved. */
  async #without(blogId: number, wanted: readonly CopyRecord[]): Promise<CopyRecord[]> {
    const files = await this.#options.to.check(blogId, wanted)
    return wanted.filter((record, index) => {
      const isThere = files[index] === 'intact'
      if (isThere) this.#movedOf(blogId).set(record.page, stampOf(record))
      return !isThere
    })
  }

  /** @returns those that were written */
  async #write(blogId: number, wanted: readonly CopyRecord[]): Promise<CopyRecord[]> {
    const { from, to, cacheTags } = this.#options
    const copies: NewCopy[] = []
    const unusable: CopyRecord[] = []
    await forEachBounded(wanted, READS_AT_ONCE, async (record) => {
      const { page, url, version, digest = '', fileTime = 0 } = record
      const at = from.locate(url)
      const location = to.locate(url) ?? ''
      const copy = at === undefined ? undefined : await from.read(blogId, at)
      if (copy === undefined || sha256Hex(copy.html) !== digest) return void unusable.push(record)
      const html = copy.html.toString()
      const shown = copy.owner?.shown
      const tagged = tagsOfCopy(cacheTags, { site: blogId, page, shown })
      copies.push({ page, url, version, digest, fileTime, location, html, shown, tagged })
    })
    await this.#publishAgain(blogId, unusable)
    if (copies.length === 0) return []
    await withOwnWriter(to, blogId, async (writer) => {
      assertNoFailure(await writer.write(copies))
    })
    const written = new Set(copies.map(({ page }) => page))
    return wanted.filter(({ page }) => written.has(page))
  }

  /** The copies of these records are missing or not as recorded, unless they were just replaced. */
  async #publishAgain(blogId: number, records: readonly CopyRecord[]): Promise<void> {
    const { db, globals } = this.#options
    this.#waiting += records.length
    const suspects = records.filter((record) => !this.#requested.has(`${blogId} ${record.page}`))
    const site = suspects.length === 0 ? undefined : await findSite(db, globals, blogId)
    // The work of a deleted site removes its copies.
    if (site === undefined) return
    const due = (await withoutLaterChanges(db, site, suspects)).map(({ page }) => page)
    if (due.length === 0) return
    for (const page of due) this.#requested.add(`${blogId} ${page}`)
    const change = { bake: true, work: workOn('page', due) }
    await db.write({ site, isWork: true }, (tx) => recordChange(tx, site, change))
  }

  /** Removes what an earlier move has copied and what is not recorded any more. */
  async #removeOrphans(): Promise<number> {
    const { db, globals, to: copies, signal } = this.#options
    const target = { db, globals, copies }
    let removed = 0
    for await (const orphan of findOrphanedCopies(target)) {
      if (signal.aborted) break
      await removeOrphanedCopy(target, orphan)
      removed += 1
    }
    return removed
  }
}

/** What distinguishes a copy from all former ones of its page. */
const stampOf = (record: CopyRecord | undefined): string =>
  `${record?.digest} ${record?.fileTime} ${record?.url}`
