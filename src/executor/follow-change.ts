import { setTimeout as sleep } from 'node:timers/promises'
import { describeBake, outcomeSince } from '../baking/bake-frame.ts'
import { findDependents } from '../baking/dependents.ts'
import { SiteData } from '../baking/site-data.ts'
import { forEachBounded } from '../concurrency/for-each.ts'
import type { Db } from '../db/database.ts'
import { isMissingTable } from '../db/database-error.ts'
import type { Effects, RebakeEffect, StaticEffect } from '../effects.ts'
import { readSiteGraph } from '../frames/read-graph.ts'
import {
  type CopyRecord,
  hasCopies,
  listPagesSince,
  type PageRow,
  readCopyRecords,
  readPageRows,
} from '../publishing/copies-table.ts'
import {
  failedEffect,
  noCopyEffect,
  recordedCopy,
  unchangedEffect,
} from '../publishing/static-effects.ts'
import type { Site } from '../wordpress/network/site.ts'
import { isPublic } from '../wordpress/pages/posts.ts'
import { type Change, workOf } from '../work/change.ts'
import { countWork, type LeftThing, listLeftThings } from '../work/due-work.ts'
import type { RecordedChange } from '../work/record-work.ts'
import { namesOf, pagesOf } from '../work/work.ts'
import { type BakeResult, bakeFrames, describeRebake } from './bake-frames.ts'
import { framesFor, framesOf, messagesOf } from './bake-things.ts'
import {
  type BakedChange,
  type ChangeState,
  cacheOf,
  effectsOf,
  type PurgedPages,
  type WrittenBake,
} from './effects-of.ts'
import { logAndDescribe } from './executor.ts'
import { publicationsOf, routablePages } from './page-publication.ts'
import { allowedCaches } from './publish-pages.ts'
import { SiteBuild } from './site-build.ts'
import type { WorkerOptions } from './worker-options.ts'

/** Frames whose headers are read together. */
const HEADERS_AT_ONCE = 200
/** Copies that are read at the same time. */
const READS_AT_ONCE = 8
/** Pages whose rows are read together. */
const PAGES_AT_ONCE = 1000

const NO_RECORDS: ReadonlyMap<number, CopyRecord> = new Map<number, CopyRecord>()

/** How a request waits for what somebody else builds. */
export type Following = {
  /** Lets the site be built. Is called when the state before is known. */
  readonly wake: () => void | Promise<void>
  /** Resolves when there may be news, at the latest when the signal is aborted; with a message for clients if a build has failed in this process. */
  readonly news: (signal: AbortSignal) => Promise<string | undefined>
  /** Whether only other processes build. */
  readonly isApart: boolean
  /** How long the request waits, in milliseconds; undefined to wait until everything is done. */
  readonly budgetMs: number | undefined
}

/**
 * Waits for the effects of a recorded change, and reads them from the database: nobody carries them to the request, so that it makes no difference which
 * process builds.
 * @throws what `wake` throws
 */
export async function followChange(
  options: WorkerOptions,
  site: Site,
  change: RecordedChange,
  { wake, news, isApart, budgetMs = Number.POSITIVE_INFINITY }: Following,
): Promise<Effects> {
  const { db, log } = options
  // The records before the site is built: what the answer compares with.
  const before = await readCopyRecords(db, site, pagesOf(change.work)).catch(() => NO_RECORDS)
  await wake()
  const follower = new Follower(options, site, change, { before, isApart })
  const end = performance.now() + budgetMs
  let failures = 0
  do {
    const leftMs = Math.min(db.timings.executor.followMs, end - performance.now())
    const failure = await news(AbortSignal.timeout(Math.max(0, Math.round(leftMs))))
    failures = failure === undefined ? 0 : failures + 1
    const isRead = await follower.look().then(
      () => true,
      (error) => {
        log.debug({ err: error, site: site.blogId }, 'the work of a change was not read')
        return false
      },
    )
    // The first slice may have begun before the change. Of the second one not even the failure was stored.
    if (failure !== undefined && !follower.isDone && (failures > 1 || !isRead))
      follower.fail(failure)
  } while (!follower.isDone && performance.now() < end)
  const left = () => countWork(db, site).catch(() => ({ pages: 0, frames: 0 }))
  return effectsOf(change, await follower.state(), follower.isDone ? undefined : await left())
}

/** Reads what a change has become: first its frames, then the pages that follow. */
class Follower {
  readonly #options: WorkerOptions
  readonly #site: Site
  readonly #change: RecordedChange
  /** The records of the static copies of the pages that the change names, before it was built. */
  readonly #before: ReadonlyMap<number, CopyRecord>
  readonly #isApart: boolean
  #baked: BakedChange | undefined
  #failure: string | undefined
  readonly #remaining = new Set<number>()
  readonly #statics = new Map<number, StaticEffect>()
  readonly #rows = new Map<number, PageRow | undefined>()
  /** Where visitors see pages that have no copies. */
  readonly #urls = new Map<number, string>()
  /** Why the frame of a page was not baked. The page keeps its copy, unless it has lost its visitors. */
  readonly #frameFailures = new Map<number, string>()

  constructor(
    options: WorkerOptions,
    site: Site,
    change: RecordedChange,
    {
      before,
      isApart,
    }: { readonly before: ReadonlyMap<number, CopyRecord>; readonly isApart: boolean },
  ) {
    this.#options = options
    this.#site = site
    this.#change = change
    this.#before = before
    this.#isApart = isApart
  }

  get isDone(): boolean {
    return this.#failure !== undefined || (this.#baked !== undefined && this.#remaining.size === 0)
  }

  /** What is not known yet has failed. */
  fail(message: string): void {
    if (!this.#baked) this.#failure = message
    for (const page of this.#remaining) this.#statics.set(page, noCopyEffect('failed', message))
    this.#remaining.clear()
  }

  look(): Promise<void> {
    return this.#options.db.together(async (now) => {
      if (!this.#baked) await this.#lookAtFrames(now)
      if (this.#baked && this.#remaining.size > 0) await this.#lookAtPages(now)
    })
  }

  async state(): Promise<ChangeState> {
    return {
      ...(this.#baked && { baked: this.#baked }),
      ...(this.#failure !== undefined && { failure: this.#failure }),
      statics: this.#statics,
      remaining: this.#remaining,
      cache: cacheOf(await this.#purged()),
    }
  }

  /** The frames are baked when nothing of the change waits besides pages. */
  async #lookAtFrames(now: Db): Promise<void> {
    const { copies, globals } = this.#options
    const site = this.#site
    const change = this.#change
    if (copies === undefined && !this.#isApart && (await hasCopies(now, globals))) {
      this.#failure = NO_STATIC_DIR
      return
    }
    const data = new SiteData(now, site)
    // The description of the bake needs it.
    if (change.bake && change.frame !== undefined) data.defaultLanguage().catch(() => {})
    const [left, graph] = await Promise.all([
      listLeftThings(now, site),
      readSiteGraph(now, site).catch(unlessMissing),
    ])
    if (!graph) {
      if (left.length === 0) this.#failure = NO_TABLES
      return
    }
    const ids = framesOf(graph, change)
    const own = left.filter(isOf(change, new Set(ids)))
    if (own.some(({ isWaiting }) => isWaiting)) return
    const build = new SiteBuild({ ...this.#options, reads: now, data }, site, graph)
    const { frames, outdated } = framesFor(graph, workOf(change))
    const written = change.frame === undefined ? [] : [change.frame]
    // Read with the headers of the copies.
    build.pagesOn([...frames, ...written]).catch(() => {})
    const results = await this.#resultsOf(build, ids, own)
    const failedFrames = messagesOf(results)
    const [failedPages, whole, since] = await Promise.all([
      Promise.all(
        [...failedFrames].map(
          async ([id, message]) => [await build.pagesOn([id]), message] as const,
        ),
      ),
      build.pagesOn(frames.filter((id) => !failedFrames.has(id))),
      outdated.length === 0
        ? []
        : build.pagesOn(outdated).then((pages) => listPagesSince(now, site, pages, change.version)),
    ])
    this.#baked = {
      bake: await describeWrittenFrame(build, change, results),
      rebaked: rebakeOf(build, change, results),
    }
    for (const page of [...pagesOf(workOf(change)), ...whole, ...since]) this.#remaining.add(page)
    for (const [pages, message] of failedPages)
      for (const page of pages) {
        this.#remaining.add(page)
        this.#frameFailures.set(page, message)
      }
  }

  /** What became of frames, by their copies and by what has failed. */
  async #resultsOf(
    build: SiteBuild,
    ids: readonly string[],
    left: readonly LeftThing[],
  ): Promise<Map<string, BakeResult>> {
    const { log } = this.#options
    const { bake, frame, work, version } = this.#change
    // Nobody else bakes a frame that no page shows.
    const isOwn = bake && frame !== undefined && !namesOf('frame', work).includes(frame)
    const own = isOwn && build.graph.get(frame) ? [frame] : []
    const results = await bakeFrames(build, own, (_, error) => logAndDescribe(error, log, 'debug'))
    const others = ids.filter((id) => !results.has(id) && build.graph.get(id))
    const headers = await build.storedHeaders(others, HEADERS_AT_ONCE)
    const errorOf = (id: string) =>
      left.find(({ kind, name, error }) => error !== null && (kind !== 'frame' || name === id))
        ?.error
    for (const id of others) {
      const message = errorOf(id)
      const header = headers.get(id)
      if (message != null) results.set(id, { message })
      else if (header) {
        const outcome = outcomeSince(version, header)
        results.set(id, { bake: { id, copy: { header, body: undefined }, outcome } })
      } else results.set(id, { message: NOT_STORED })
    }
    return results
  }

  async #lookAtPages(now: Db): Promise<void> {
    const asked = [...this.#remaining].slice(0, PAGES_AT_ONCE)
    const rows = await readPageRows(now, this.#site, asked)
    const done = asked.filter((page) => rows.get(page)?.isWaiting !== true)
    const named = new Set(pagesOf(this.#change.work))
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
          ? this.#staticOf(page, row, named.has(page), reasons.get(page))
          : failedEffect(kept.get(page), failure),
      )
      this.#remaining.delete(page)
    }
    if (done.length > 0 && this.#remaining.size > 0) await this.#lookAtPages(now)
  }

  #staticOf(
    page: number,
    row: PageRow | undefined,
    isNamed: boolean,
    why: WhyNone | undefined,
  ): StaticEffect {
    const record = row?.record
    const former = isNamed ? this.#before.get(page) : undefined
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
      copies && !this.#isApart && records.length > 0
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
    const { copies, db, hosts } = this.#options
    const site = this.#site
    if (copies === undefined && !this.#isApart) return new Map(ids.map((id) => [id, DISABLED]))
    const build = new SiteBuild(this.#options, site, await readSiteGraph(db, site))
    const [pages, frames] = await Promise.all([build.data.pagesById(ids), build.framesOf(ids)])
    const routing = { db, site, hosts, startedAt: performance.now() }
    const publications = await publicationsOf(routing, build, { pages, frames })
    // The executor that is apart may have no static copies, too.
    const visible = copies || (await hasCopies(db, site.globals)) ? OVER_QUOTA : DISABLED
    for (const id of ids) {
      const found = publications.get(id)
      if (found && 'isRoutable' in found && found.isRoutable) this.#urls.set(id, found.url)
      if (!found) reasons.set(id, DELETED)
      else if ('error' in found) reasons.set(id, { reason: 'failed', message: NOT_STORED })
      else if ('reason' in found.publication) reasons.set(id, found.publication)
      else if (copies && copies.locate(found.url) === undefined) reasons.set(id, NO_FOLDER)
      else reasons.set(id, visible)
    }
    return reasons
  }

  async #purged(): Promise<PurgedPages> {
    const { tagPurges } = this.#options
    const finished = [...this.#rows].filter(
      ([page]) => this.#statics.get(page)?.reason !== 'failed',
    )
    const nothing = {
      by: 'none',
      taggedBy: undefined,
      addresses: new Map(),
      refused: new Set<number>(),
    }
    if (finished.length === 0) return nothing
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
        const former = this.#before.get(page)?.url
        const own = [row?.record?.url ?? urls.get(page), former].flatMap((url) => url ?? [])
        return [page, [...new Set(own)]]
      }),
    )
  }

  /** Without static copies, no row tells where a page is. */
  async #urlsOf(ids: readonly number[]): Promise<Map<number, string>> {
    if (ids.length === 0) return new Map()
    const { db, hosts } = this.#options
    const site = this.#site
    const build = new SiteBuild(this.#options, site, await readSiteGraph(db, site))
    const pages = (await build.data.pagesById(ids)).filter(isPublic)
    const routing = { db, site, hosts, startedAt: performance.now() }
    const routable = await routablePages(routing, build, pages)
    const urls = new Map<number, string>()
    for (const page of pages)
      if (routable.has(page.id)) urls.set(page.id, await build.data.urlOf(page))
    return urls
  }
}

/** A site that was deleted has no tables. */
function unlessMissing(error: unknown): undefined {
  if (!isMissingTable(error)) throw error
}

type WhyNone = Pick<StaticEffect, 'reason' | 'message'>

/** Many things of a site are recorded as `all`, and become single frames. */
function isOf(change: Change, frames: ReadonlySet<string>): (row: LeftThing) => boolean {
  const things = new Set(workOf(change).map(({ kind, name }) => `${kind} ${name}`))
  return ({ kind, name }) =>
    kind === 'all' ||
    things.has(`${kind} ${name}`) ||
    (kind === 'frame' && frames.has(name)) ||
    (kind === 'outdated' && frames.has(name.replace(/^frame:/, '')))
}

/** Describes the bakes of the frames that a change affects, besides the one that it wrote. */
export function rebakeOf(
  { graph }: SiteBuild,
  change: Change,
  results: ReadonlyMap<string, BakeResult>,
): Omit<RebakeEffect, 'cache'> {
  const { bake, frame: written, work, declared } = change
  const dependents = findDependents(graph, declared?.work ?? workOf(change))
  const rebaked = describeRebake(
    dependents.filter(({ frame }) => frame.id !== written),
    declared && { chosen: new Set(namesOf('frame', work)), left: new Set(declared.left) },
    results,
  )
  return bake ? rebaked : { ...rebaked, status: 'skipped' }
}

/** Describes the bake of the frame that a change wrote. */
export async function describeWrittenFrame(
  build: SiteBuild,
  change: Change,
  results: ReadonlyMap<string, BakeResult>,
): Promise<WrittenBake> {
  const id = change.bake ? change.frame : undefined
  const frame = id === undefined ? undefined : build.graph.get(id)
  const result = frame && results.get(frame.id)
  if (!frame || !result) return { status: 'skipped' }
  if ('message' in result) return { status: 'failed', message: result.message }
  const { bake } = result
  return {
    status: 'ok',
    response: {
      ...describeBake(frame, bake),
      renders_on_request:
        build.graph.rendersOnRequest(frame.id) ||
        bake.copy.header.languages.some(({ live }) => live),
      default_lang: await build.data.defaultLanguage(),
      pages: await build.pagesOn([frame.id]),
    },
  }
}

const changesSince = (former: CopyRecord | undefined, present: CopyRecord | undefined) => ({
  was_published: recordedCopy(former) !== undefined,
  was_url: recordedCopy(former)?.url ?? null,
  removed: recordedCopy(former) !== undefined && former?.url !== present?.url,
  changed: former?.digest !== present?.digest || former?.url !== present?.url,
})

/** Resolves when the signal is aborted. */
export const untilAborted = (signal: AbortSignal): Promise<undefined> =>
  sleep(60_000, undefined, { signal }).catch(() => undefined)

const NO_TABLES = 'The site was deleted.'
const NOT_STORED = 'It could not be built; the reason is in the log of the service.'
const DELETED = { reason: 'page_not_public', message: 'The page was deleted.' } as const
const NO_FOLDER = {
  reason: 'page_not_public',
  message: "The page's URL cannot be mapped to a file.",
} as const
export const DISABLED = {
  reason: 'disabled',
  message: 'Static copies are turned off (STATIC_DIR is empty).',
} as const
const OVER_QUOTA = {
  reason: 'quota',
  message:
    'The page is not published; it is rendered on request. The static copies of this site use all the space that they may (STATIC_MB_PER_SITE). Use smaller frames, or ask the operator to raise it.',
} as const

/** Work that is done without a target leaves the copies as they are, so a process without one leaves the work to one that has it. */
const NO_STATIC_DIR =
  'Nothing was built here: the network has static copies, and this process has no STATIC_DIR and no STATIC_TARGET. Your change is saved; a process that has one builds it.'
