import { readSiteGraph } from '../../content/frames/read-graph.ts'
import {
  addPages,
  addThings,
  completePages,
  completeThings,
  failAll,
  failFrames,
} from '../../content/work/complete-work.ts'
import {
  type DueWork,
  MAX_PAGES,
  MAX_THINGS,
  readDueWork,
  siteTask,
  type WantedPage,
  type WorkSite,
} from '../../content/work/due-work.ts'
import { type Work, workOn } from '../../content/work/work.ts'
import type { Db } from '../../db/database.ts'
import { type CommitOptions, type HeldTask, holdTask } from '../../db/tasks/hold-task.ts'
import { LostLeaseError } from '../../db/tasks/tasks-table.ts'
import type { Tx } from '../../db/transaction.ts'
import { inSpan } from '../../host/trace.ts'
import type { EventThing } from '../../record/history/history-row.ts'
import { recordEvent } from '../../record/history/record-event.ts'
import { listPathsBelow } from '../../wordpress/network/find-sites.ts'
import { type Site, siteOf } from '../../wordpress/network/site.ts'
import { SiteData } from '../baking/site-data.ts'
import {
  deleteCopyRecords,
  hasCopies,
  listCopiesOfOtherSources,
  listCopyUrls,
} from '../publishing/copies-table.ts'
import { assertNoFailure, isTemporary } from '../publishing/copy-failure.ts'
import { publishCopies, storePublishedCopies } from '../publishing/publish-copies.ts'
import { bakeThings } from './bake-things.ts'
import { type FailureLog, isUnavailable, logAndDescribe } from './executor.ts'
import { findStalePublications } from './page-publication.ts'
import { type PublishedPages, publishPages, type ReadPages, readPages } from './publish-pages.ts'
import { openTarget, type PublishTarget, TARGET_PROBLEM } from './publish-target.ts'
import { SiteBuild } from './site-build.ts'
import type { WorkerOptions } from './worker-options.ts'

/**
 * `more`: the site has more work. `done`: it has none, or the work cannot be done now and is due again later. `held`: another process builds the site.
 */
export type BuildOutcome = 'more' | 'done' | 'held'

/** Is called after each slice. @param failure why it failed, for clients. @returns whether this process goes on with the site */
type AfterSlice = (failure?: string) => boolean

/**
 * Builds a site, slice by slice, until nothing of it is due or the process is to give way. One process builds a site at a time: it has the site's task. A slice does things and
 * pages from one snapshot of the database; what was touched meanwhile stays for the next one. Work that fails waits for its next try.
 */
export async function buildSite(
  options: WorkerOptions,
  blogId: number,
  afterSlice: AfterSlice,
): Promise<BuildOutcome> {
  const { db, globals, copies } = options
  try {
    if (copies === undefined && (await hasCopies(db, globals))) return 'done'
    const { leaseMs } = db.timings.work
    const held = await holdTask(db, globals, { name: siteTask(blogId), leaseMs })
    if (!held) return 'held'
    try {
      const log = options.log.child({ site: blogId })
      return await buildHeld({ ...options, log }, blogId, held, afterSlice)
    } finally {
      await held.end().catch(() => {})
    }
  } catch (error) {
    afterSlice(describeBuildFailure(options, blogId, error))
    return 'done'
  }
}

/**
 * The transaction that begins a publication comes after the target knows the builder, and before the first change of a copy. It fails if the site is lost: so the process that
 * gets the site after it finds the builder, and can fence it.
 */
async function buildHeld(
  options: WorkerOptions,
  blogId: number,
  held: HeldTask,
  afterSlice: AfterSlice,
): Promise<'more' | 'done'> {
  const target = await openTarget(options, { site: blogId, owner: held.owner })
  try {
    if (held.former !== undefined && target.state === 'ready') {
      await target.copies.fence(held.former)
      await held.forgetFormer()
    }
    return await new HeldSite(options, blogId, held, target).build(afterSlice)
  } finally {
    if (target.state === 'ready') await target.publication.writer.end().catch(() => {})
  }
}

/** What a slice works on, read from its snapshot. */
type Slice = DueWork & {
  readonly reads: Db
  readonly site: Site
  readonly build: SiteBuild
  readonly startedAt: number
}

/** So many successive slices begin again because of edits that were not seen yet. */
const MAX_UNSEEN_SLICES = 3

/** A site that this process builds. */
class HeldSite {
  readonly #options: WorkerOptions
  readonly #blogId: number
  readonly #held: HeldTask
  readonly #target: PublishTarget
  /** That of the last snapshot: no later one may be older. */
  #version = 0
  /** Successive slices that were not published because they showed edits that were not seen yet. */
  #unseenSlices = 0
  /** What the slice in progress has read. */
  #due: DueWork | undefined

  constructor(options: WorkerOptions, blogId: number, held: HeldTask, target: PublishTarget) {
    this.#options = options
    this.#blogId = blogId
    this.#held = held
    this.#target = target
  }

  async build(afterSlice: AfterSlice): Promise<'more' | 'done'> {
    const { unavailable } = this.#options
    try {
      for (;;) {
        const outcome = await this.#buildSlice()
        unavailable.delete(this.#blogId)
        if (!afterSlice() || outcome === 'done') return outcome
      }
    } catch (error) {
      // Other pages of the slice may still be written: that ends before anyone else can build the site.
      if (this.#target.state === 'ready') await this.#target.copies.fence(this.#held.owner)
      afterSlice(await this.#giveBack(error))
      return 'done'
    }
  }

  get #workSite() {
    return { blogId: this.#blogId, globals: this.#options.globals }
  }

  /** The whole slice failed. If even that cannot be stored, the work is due as before. */
  async #giveBack(error: unknown): Promise<string | undefined> {
    const { log } = this.#options
    if (error instanceof LostLeaseError) {
      log.warn('another process took over this site, because a build took too long')
      return undefined
    }
    const message = describeBuildFailure(this.#options, this.#blogId, error)
    await this.#failSlice(message, isUnavailable(error) || isTemporary(error)).catch(() => {})
    return message
  }

  #failSlice(message: string, isOutage: boolean): Promise<void> {
    const { things = [], pages = [] } = this.#due ?? {}
    const tried = { things, pages: pages.map(({ page }) => page) }
    return this.#held.commit((tx) => failAll(tx, this.#workSite, tried, message, isOutage))
  }

  #buildSlice(): Promise<'more' | 'done'> {
    const { db, globals } = this.#options
    const startedAt = performance.now()
    this.#due = undefined
    return db.snapshot(async (reads) => {
      const readingDue = readDueWork(reads, this.#workSite, this.#held.owner)
      // Read with the work. A site that was deleted has none.
      const readingGraph = readSiteGraph(reads, deletedSite(this.#workSite))
      readingGraph.catch(() => {})
      const due = await readingDue
      const { things, pages, blog, version } = due
      // A snapshot of another node of a cluster may be older than the lease, or than the last snapshot.
      if (!due.isHeld || version < this.#version) throw new LostLeaseError(this.#held.owner)
      this.#version = version
      this.#due = due
      if (things.length === 0 && pages.length === 0) return 'done'
      if (this.#isOutage(due)) {
        await this.#failSlice(TARGET_PROBLEM, true)
        return 'done'
      }
      if (this.#target.state === 'ready') {
        // What this slice publishes was committed before its own number.
        this.#target.publication.begun = undefined
        this.#target.publication.growth = 0
      }
      const span = {
        attributes: {
          'wp_frames.site': this.#blogId,
          'wp_frames.rows': things.length + pages.length,
        },
        startTime: startedAt,
      }
      return inSpan('slice', span, async () => {
        if (!blog) return this.#withoutSite(reads, due)
        const site = siteOf(globals, blog)
        const data = new SiteData(reads, site)
        const options = { ...this.#options, reads, data, version, isWork: true }
        const build = new SiteBuild(options, site, await readingGraph)
        return this.#buildDue({ ...due, reads, site, build, startedAt })
      })
    })
  }

  /** Pages that were touched come first: what follows from things may take longer, and a list of all pages shows the title of one. */
  async #buildDue(slice: Slice): Promise<'more' | 'done'> {
    const { reads, site, build, version, things } = slice
    const touched = idsOf(slice.pages.filter(({ isTouched }) => isTouched))
    const isOnlyTouched = things.length === 0 && touched.length === slice.pages.length
    const isLast = slice.pages.length < MAX_PAGES
    if (touched.length > 0) {
      const end = await this.#publish(slice, touched, isOnlyTouched && isLast)
      if (end) return end
    }
    const others = idsOf(slice.pages.filter(({ isTouched }) => !isTouched))
    const room = MAX_PAGES - touched.length
    if (things.length === 0) {
      const end = others.length > 0 && (await this.#publish(slice, others.slice(0, room), isLast))
      return end || (isLast ? 'done' : 'more')
    }
    const { db } = this.#options
    const baked = await inSpan('bake', {}, () =>
      bakeThings({
        build,
        things,
        listOtherCopies: async (pages, sources) =>
          this.#target.state === 'off'
            ? undefined
            : listCopiesOfOtherSources(db, site, pages, sources),
        findStalePages: () => this.#findStalePages(reads, build, site),
        describeFailure: this.#failureLog(
          new Set(
            things.flatMap(({ kind, name, tries }) => (kind === 'frame' && tries > 0 ? name : [])),
          ),
        ),
      }),
    )
    const { pages, frames, failedFrames, left } = baked
    // What is not finished keeps its row, with the number of its tries.
    const isLeft = ({ kind, name }: Work) =>
      (kind === 'frame' && failedFrames.has(name)) ||
      left.some((one) => one.kind === kind && one.name === name)
    const done = things.filter((thing) => !isLeft(thing))
    const next = [...new Set([...others, ...pages])]
    const isAll = isLast && things.length < MAX_THINGS && left.length === 0 && next.length <= room
    const now = next.slice(0, room)
    // While the things are completed.
    const reading = now.length > 0 ? readPages(build, now) : undefined
    reading?.catch(() => {})
    await build.storeBaked((store) =>
      this.#commit(
        isAll && next.length === 0,
        async (tx) => {
          await store?.(tx)
          // A frame that has failed before waits no longer if something else has baked it.
          completeThings(tx, site, version, [...done, ...workOn('frame', frames)])
          addThings(tx, site, version, left)
          failFrames(tx, site, version, failedFrames)
          addPages(tx, site, version, pages)
        },
        store && { site, storesCopies: true },
      ),
    )
    const end = reading && (await this.#publish(slice, now, isAll, { reading, failedFrames }))
    return end ?? (isAll ? 'done' : 'more')
  }

  /** Publishes pages, and completes them. @returns how the slice ends if they stay due: built again from a later snapshot, or tried again in a second */
  async #publish(
    { reads, site, version, build, startedAt, pages: due }: Slice,
    pages: readonly number[],
    isLast: boolean,
    {
      reading = readPages(build, pages),
      failedFrames = new Map(),
    }: {
      readonly reading?: Promise<ReadPages>
      readonly failedFrames?: ReadonlyMap<string, string>
    } = {},
  ): Promise<'more' | 'done' | undefined> {
    const [read, isUnseen] = await Promise.all([reading, this.#showsUnseen(reads, site, pages)])
    if (isUnseen) return 'more'
    const options = {
      ...this.#options,
      site,
      version,
      target: this.#target,
      commit: this.#held.commit,
      startedAt,
      describeFailure: this.#failureLog(
        new Set(due.flatMap(({ page, tries }) => (tries > 0 ? String(page) : []))),
      ),
    }
    const span = { attributes: { 'wp_frames.pages': pages.length } }
    const published = await inSpan('publish', span, async () =>
      publishPages(options, build, pages, read, new Set(failedFrames.keys())),
    )
    const isDone = await this.#completePages(site, version, { ...published, pages }, isLast)
    return isDone ? undefined : 'done'
  }

  /** Whether the snapshot shows edits that were not seen yet; they are recorded. */
  async #showsUnseen(reads: Db, site: Site, pages: readonly number[]): Promise<boolean> {
    // Programs that edit all the time do not stop the build; nor does a site that cannot be compared, which the poll reports.
    const isAsked = this.#target.state !== 'off' && this.#unseenSlices < MAX_UNSEEN_SLICES
    const { recordShownEdits } = this.#options
    const isUnseen =
      isAsked && (await recordShownEdits?.(reads, site, pages).catch(() => false)) === true
    this.#unseenSlices = isUnseen ? this.#unseenSlices + 1 : 0
    return isUnseen
  }

  /** @returns false if the pages are to be tried again in a second, because the folder or the database failed */
  async #completePages(
    site: Site,
    version: number,
    published: PublishedPages & { readonly pages: readonly number[] },
    isLast: boolean,
  ): Promise<boolean> {
    const { tagPurges } = this.#options
    const target = this.#target
    const { outage, pages } = published
    await this.#commit(isLast, async (tx) => {
      tagPurges?.record(tx, site, published.purges)
      // The pages are rendered on request meanwhile.
      if (outage !== undefined) return failAll(tx, site, { things: [], pages }, outage, true)
      if (target.state === 'ready')
        await storePublishedCopies(
          tx,
          { site, version, publication: target.publication },
          published,
        )
      completePages(tx, site, version, published)
      await recordEvent(tx, site, 'published', publishedThings(published))
    })
    return outage === undefined
  }

  /** With the last commit of a site, nothing of it is left to do, and the site is given up. */
  #commit(
    isLast: boolean,
    work: (tx: Tx) => void | Promise<void>,
    options?: CommitOptions,
  ): Promise<void> {
    const mayEnd = isLast && (this.#held.former === undefined || this.#target.state === 'ready')
    return mayEnd ? this.#held.commitLast(work, options) : this.#held.commit(work, options)
  }

  /** While the folder is unavailable, pages are purged from page caches once, and nothing is rendered each second. */
  #isOutage({ things, pages }: DueWork): boolean {
    return (
      this.#target.state === 'unavailable' &&
      things.length === 0 &&
      pages.every(({ tries }) => tries > 0)
    )
  }

  async #findStalePages(reads: Db, build: SiteBuild, site: Site): Promise<number[]> {
    if (this.#target.state === 'off') return []
    const [copies, below] = await Promise.all([
      listCopyUrls(reads, site),
      listPathsBelow(reads, site),
    ])
    return findStalePublications(build, site, copies, below)
  }

  /** Work that has failed before is logged at the level debug. */
  #failureLog(repeated: ReadonlySet<string>): FailureLog {
    const { log } = this.#options
    return (name, error) => logAndDescribe(error, log, repeated.has(name) ? 'debug' : 'error')
  }

  /** Removes all copies of a deleted site. */
  async #withoutSite(reads: Db, { version, things, pages: due }: DueWork): Promise<'done'> {
    const site = deletedSite(this.#workSite)
    const pages = [...(await listCopyUrls(reads, site)).keys()]
    if (this.#target.state === 'unavailable') {
      await this.#failSlice(this.#target.problem, true)
      return 'done'
    }
    if (this.#target.state === 'ready') await this.#removeAll(site, version, pages, this.#target)
    const { tagPurges } = this.#options
    const isPurged = (await tagPurges?.isAllowed()) === true
    await this.#held.commit(async (tx) => {
      deleteCopyRecords(tx, site, pages, version)
      if (isPurged) tagPurges?.recordSite(tx, site)
      if (this.#target.state === 'off')
        await recordEvent(tx, site, 'published', pages.map(removedThing))
      completeThings(tx, site, version, things)
      completePages(tx, site, version, { pages: idsOf(due), failed: NONE, deferred: NONE })
    })
    return 'done'
  }

  async #removeAll(
    site: Site,
    version: number,
    pages: readonly number[],
    target: Extract<PublishTarget, { state: 'ready' }>,
  ): Promise<void> {
    const publication = { reason: 'page_not_public', message: 'The site was deleted.' } as const
    const { errors } = await publishCopies(
      { ...this.#options, ...target, site, version, commit: this.#held.commit },
      pages.map((page) => ({ page, url: undefined, pageModified: undefined, publication })),
    )
    const removed = pages.filter((page) => !errors.has(page))
    await this.#held.commit(async (tx) => {
      deleteCopyRecords(tx, site, removed, version)
      await recordEvent(tx, site, 'published', removed.map(removedThing))
    })
    // The records of copies that could not be removed stay, so that the next try finds them.
    assertNoFailure(errors)
  }
}

const NONE: ReadonlyMap<number, never> = new Map<number, never>()

const idsOf = (pages: readonly WantedPage[]): number[] => pages.map(({ page }) => page)

const removedThing = (page: number): EventThing => ({
  kind: 'page',
  ref: String(page),
  action: 'removed',
})

/** The pages whose static copies have changed. */
const publishedThings = ({ changed, removed }: PublishedPages): EventThing[] => [
  ...changed.map((page): EventThing => ({ kind: 'page', ref: String(page), action: 'published' })),
  // A crash may have come between the removal of the files and that of the record.
  ...removed.map(removedThing),
]

/** A site that is not in the table `blogs` any more, or not known yet. */
const deletedSite = ({ blogId, globals }: WorkSite): Site =>
  siteOf(globals, {
    blog_id: blogId,
    site_id: 0,
    domain: '',
    path: '/',
    archived: 0,
    spam: 0,
    deleted: 1,
  })

/** Logs why a slice failed, and returns a message for clients. Work is tried each second while the database is unavailable. */
function describeBuildFailure(
  { log, unavailable }: Pick<WorkerOptions, 'log' | 'unavailable'>,
  blogId: number,
  error: unknown,
): string {
  const isRepeated = isUnavailable(error) && unavailable.has(blogId)
  if (isUnavailable(error)) unavailable.add(blogId)
  return logAndDescribe(error, log.child({ site: blogId }), isRepeated ? 'debug' : 'error')
}
