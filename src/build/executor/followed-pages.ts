import { readSiteGraph } from '../../content/frames/read-graph.ts'
import type { Db } from '../../db/database.ts'
import { forEachBounded } from '../../host/concurrency/for-each.ts'
import type { StaticEffect } from '../../host/effects.ts'
import type { Site } from '../../wordpress/network/site.ts'
import {
  type CopyRecord,
  hasCopies,
  type PageRow,
  readPageRows,
} from '../publishing/copies-table.ts'
import {
  DELETED,
  failedEffect,
  NO_FOLDER,
  noCopyEffect,
  recordedCopy,
  unchangedEffect,
} from '../publishing/static-effects.ts'
import { type ChangeState, NOTHING_PURGED, type PurgedPages } from './effects-of.ts'
import { publicationsOf, routablePages } from './page-publication.ts'
import { allowedCaches, batchesOf, readPages } from './publish-pages.ts'
import { SiteBuild } from './site-build.ts'
import type { WorkerOptions } from './worker-options.ts'

/** Copies that are read at the same time. */
const READS_AT_ONCE = 8
/** Pages whose rows are read together. */
const PAGES_AT_ONCE = 1000

/** What is known of a change before it is built. */
export type KnownBefore = {
  /** The pages that the change names. */
  readonly named: ReadonlySet<number>
  /** The records of their static copies. */
  readonly before: ReadonlyMap<number, CopyRecord>
  /** Whether only other processes build. */
  readonly isApart: boolean
}

/** What becomes of the pages of a change, by their rows. */
export class FollowedPages {
  readonly #options: WorkerOptions
  readonly #site: Site
  readonly #known: KnownBefore
  readonly #remaining = new Set<number>()
  readonly #statics = new Map<number, StaticEffect>()
  readonly #rows = new Map<number, PageRow | undefined>()
  /** Where visitors see pages that have no copies. */
  readonly #urls = new Map<number, string>()
  /** Why the frame of a page was not baked. The page keeps its copy, unless it has lost its visitors. */
  readonly #frameFailures = new Map<number, string>()

  constructor(options: WorkerOptions, site: Site, known: KnownBefore) {
    this.#options = options
    this.#site = site
    this.#known = known
  }

  get isDone(): boolean {
    return this.#remaining.size === 0
  }

  /** @param failure why the frame of these pages was not baked */
  follow(pages: readonly number[], failure?: string): void {
    for (const page of pages) {
      this.#remaining.add(page)
      if (failure !== undefined) this.#frameFailures.set(page, failure)
    }
  }

  /** What is not known yet has failed. */
  fail(message: string): void {
    for (const page of this.#remaining) this.#statics.set(page, noCopyEffect('failed', message))
    this.#remaining.clear()
  }

  statics(): Pick<ChangeState, 'statics' | 'remaining'> {
    return { statics: this.#statics, remaining: this.#remaining }
  }

  /** Reads the rows of the pages that are not done yet. */
  async look(now: Db): Promise<void> {
    const asked = [...this.#remaining].slice(0, PAGES_AT_ONCE)
    const rows = await readPageRows(now, this.#site, asked)
    const done = asked.filter((page) => rows.get(page)?.isWaiting !== true)
    const without = done.filter((page) => {
      const row = rows.get(page)
      return row?.error == null && row?.record === undefined
    })
    const reasons = await this.#reasonsOf(without)
    const failures = new Map<number, string>()
    for (const page of done) {
      const failure = this.#failureOf(page, rows.get(page), reasons.get(page))
      if (failure !== undefined) failures.set(page, failure)
    }
    const kept = await this.#describeKept([...failures.keys()], rows)
    for (const page of done) {
      const row = rows.get(page)
      const failure = failures.get(page)
      this.#rows.set(page, row)
      this.#statics.set(
        page,
        failure === undefined
          ? this.#staticOf(page, row, reasons.get(page))
          : failedEffect(kept.get(page), failure),
      )
      this.#remaining.delete(page)
    }
    if (done.length > 0 && this.#remaining.size > 0) await this.look(now)
  }

  #staticOf(page: number, row: PageRow | undefined, why: WhyNone | undefined): StaticEffect {
    const isNamed = this.#known.named.has(page)
    const record = row?.record
    const former = isNamed ? this.#known.before.get(page) : undefined
    const changes = isNamed ? changesSince(former, record) : {}
    const moved =
      former && record && former.url !== record.url ? ` The one at ${former.url} was removed.` : ''
    const isNew = !isNamed || former?.digest !== record?.digest
    return {
      ...unchangedEffect(
        recordedCopy(record),
        isNew ? `The copy was written.${moved}` : 'The copy was up to date.',
      ),
      ...why,
      ...changes,
    }
  }

  /** Why a page was not published; undefined if it was. What page caches have refused is published. */
  #failureOf(page: number, row: PageRow | undefined, why: WhyNone | undefined): string | undefined {
    if (row?.error != null && row.code !== 'purge') return row.error
    return why?.reason === 'page_not_public' ? undefined : this.#frameFailures.get(page)
  }

  /** The copies that pages keep although they could not be published. The record of a copy that could not be written does not describe it. */
  async #describeKept(
    ids: readonly number[],
    rows: ReadonlyMap<number, PageRow | undefined>,
  ): Promise<ReadonlyMap<number, StaticEffect>> {
    const { copies } = this.#options
    const records = ids.flatMap((id) => rows.get(id)?.record ?? [])
    const files =
      copies && !this.#known.isApart && records.length > 0
        ? await copies.check(this.#site.blogId, records).catch(() => undefined)
        : undefined
    const kept = new Map<number, StaticEffect>()
    await forEachBounded(records.entries(), READS_AT_ONCE, async ([index, record]) => {
      const found = files?.[index] === 'missing' ? undefined : await this.#withSize(record)
      kept.set(record.page, unchangedEffect(files ? found : recordedCopy(record), ''))
    })
    return kept
  }

  /** The record of a copy that was to be replaced does not say how large the former one is. */
  async #withSize(record: CopyRecord): Promise<CopyRecord> {
    const { copies } = this.#options
    const location = copies?.locate(record.url)
    if (record.htmlBytes !== undefined || !copies || location === undefined) return record
    const copy = await copies.read(this.#site.blogId, location).catch(() => undefined)
    return copy ? { ...record, htmlBytes: copy.html.length } : record
  }

  /** Why pages have no copies although nothing of them is left to do. */
  async #reasonsOf(ids: readonly number[]): Promise<Map<number, WhyNone>> {
    const reasons = new Map<number, WhyNone>()
    if (ids.length === 0) return reasons
    const { copies, db, globals } = this.#options
    if (copies === undefined && !this.#known.isApart)
      return new Map(ids.map((id) => [id, DISABLED]))
    const { build, routing } = await this.#startBuild()
    const read = await readPages(build, ids)
    // The executor that is apart may have no static copies, too.
    const visible = copies || (await hasCopies(db, globals)) ? OVER_QUOTA : DISABLED
    for (const batch of await batchesOf(build, ids, read)) {
      const pages = batch.flatMap((id) => read.pages.get(id) ?? [])
      const publications = await publicationsOf(routing, build, { ...read, pages })
      for (const id of batch) {
        const found = publications.get(id)
        if (found && 'isRoutable' in found && found.isRoutable) this.#urls.set(id, found.url)
        if (!found) reasons.set(id, DELETED)
        else if ('error' in found) reasons.set(id, { reason: 'failed', message: NOT_STORED })
        else if ('reason' in found.publication) reasons.set(id, found.publication)
        else if (copies && copies.locate(found.url) === undefined) reasons.set(id, NO_FOLDER)
        else reasons.set(id, visible)
      }
    }
    return reasons
  }

  /** What was purged for the pages that are done. */
  async purged(): Promise<PurgedPages> {
    const { tagPurges } = this.#options
    const finished = [...this.#rows].filter(
      ([page]) => this.#statics.get(page)?.reason !== 'failed',
    )
    if (finished.length === 0) return NOTHING_PURGED
    const [caches, isTagged] = await Promise.all([
      allowedCaches(this.#options),
      tagPurges ? tagPurges.isAllowed() : false,
    ])
    return {
      by: caches.length > 0 ? 'PURGE' : 'none',
      taggedBy: isTagged ? tagPurges?.by : undefined,
      addresses: await this.#addressesOf(finished),
      refused: new Set(finished.flatMap(([page, row]) => (row?.code === 'purge' ? page : []))),
    }
  }

  async #addressesOf(
    finished: readonly (readonly [number, PageRow | undefined])[],
  ): Promise<Map<number, readonly string[]>> {
    const unrecorded = finished.flatMap(([page, row]) => (row?.record ? [] : page))
    const urls = this.#options.copies ? this.#urls : await this.#urlsOf(unrecorded)
    return new Map(
      finished.map(([page, row]) => {
        const former = this.#known.before.get(page)?.url
        const own = [row?.record?.url ?? urls.get(page), former].flatMap((url) => url ?? [])
        return [page, [...new Set(own)]]
      }),
    )
  }

  /** Without static copies, no row tells where a page is. */
  async #urlsOf(ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map()
    const { build, routing } = await this.#startBuild()
    return routablePages(routing, build, await build.data.pagesById(ids))
  }

  /** A build that reads what is there now. */
  async #startBuild() {
    const { db, hosts } = this.#options
    const site = this.#site
    const build = new SiteBuild(this.#options, site, await readSiteGraph(db, site))
    return { build, routing: { db, site, hosts, startedAt: performance.now() } }
  }
}

type WhyNone = Pick<StaticEffect, 'reason' | 'message'>

const changesSince = (former: CopyRecord | undefined, present: CopyRecord | undefined) => ({
  was_published: recordedCopy(former) !== undefined,
  was_url: recordedCopy(former)?.url ?? null,
  removed: recordedCopy(former) !== undefined && former?.url !== present?.url,
  changed: former?.digest !== present?.digest || former?.url !== present?.url,
})

export const NOT_STORED = 'It could not be built; the reason is in the log of the service.'
export const DISABLED = {
  reason: 'disabled',
  message: 'Static copies are turned off (STATIC_DIR is empty).',
} as const
const OVER_QUOTA = {
  reason: 'quota',
  message:
    'The page is not published; it is rendered on request. The static copies of this site use all the space that they may (STATIC_MB_PER_SITE). Use smaller frames, or ask the operator to raise it.',
} as const
