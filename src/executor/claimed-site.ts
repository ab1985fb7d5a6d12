import { isDeepStrictEqual } from 'node:util'
import { SiteData } from '../baking/site-data.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { FrameGraph } from '../frames/graph.ts'
import { readSiteGraph } from '../frames/read-graph.ts'
import type { EventThing } from '../history/history-row.ts'
import { recordEvent } from '../history/record-event.ts'
import {
  deleteCopyRecords,
  listCopiesOfOtherSources,
  listCopyUrls,
} from '../publishing/copies-table.ts'
import { assertNoFailure } from '../publishing/copy-failure.ts'
import { LostLeaseError } from '../publishing/copy-store.ts'
import { publishCopies, storePublishedCopies } from '../publishing/publish-copies.ts'
import { inSpan } from '../trace.ts'
import { type Site, siteOf } from '../wordpress/network/site.ts'
import {
  type Claim,
  type ClaimedWork,
  listPagesOfOtherClaims,
  MAX_CLAIMED_ROWS,
  readClaim,
  returnClaim,
  writeWork,
} from '../work/claims.ts'
import {
  type AddedPages,
  addPages,
  assertOwned,
  assertOwnedPages,
  completeWork,
  deferPages,
  type FailedWork,
  keepOwnedPages,
  noteLateness,
} from '../work/complete-work.ts'
import { pagesOf } from '../work/work.ts'
import { type BakedWork, bakeWork } from './bake-work.ts'
import { type FailureLog, logAndDescribe } from './executor.ts'
import type { FollowedChange } from './followed-change.ts'
import { findStalePublications } from './page-publication.ts'
import { type ClaimedPages, type PagesToPublish, publishPages } from './publish-pages.ts'
import { type PublishTarget, TARGET_PROBLEM } from './publish-target.ts'
import { SiteBuild } from './site-build.ts'
import type { WorkerOptions } from './worker-options.ts'

/** `more`: the site has more work. `later`: it has none now, or the work cannot be done now and is due again in a second. */
export type WorkOutcome = 'more' | 'later'

type ClaimContext = {
  readonly site: Site
  readonly version: number
  readonly build: SiteBuild
  /** The claimed rows, with the number of their tries. */
  readonly rows: readonly ClaimedWork[]
}

/** What is read with the claim, of the site as a client has named it. */
type ReadAhead = {
  readonly site: Site
  readonly data: SiteData
  readonly graph: Promise<FrameGraph>
}

/** One claim of a site's work, from its snapshot to its completion. */
export class ClaimedSite {
  readonly #options: WorkerOptions
  readonly #claim: Claim
  readonly #target: PublishTarget
  readonly #followed: readonly FollowedChange[]
  readonly #startedAt = performance.now()

  constructor(
    options: WorkerOptions,
    claim: Claim,
    target: PublishTarget,
    followed: readonly FollowedChange[],
  ) {
    this.#options = options
    this.#claim = claim
    this.#target = target
    this.#followed = followed
  }

  /** @param claimed number of rows of the claim */
  run(claimed: number): Promise<WorkOutcome> {
    return this.#options.db.snapshot(async (reads) => {
      const ahead = this.#readAhead(reads)
      const { work, version, blog } = await readClaim(reads, this.#claim)
      // A snapshot of another node of a cluster may be older than the claim: rows that it does not show must not be completed.
      if (work.length < claimed) throw new LostLeaseError(this.#claim.id)
      if (this.#isOutage(work)) {
        await returnClaim(this.#options.db, this.#claim, TARGET_PROBLEM)
        return 'later'
      }
      const span = {
        attributes: { 'wp_frames.site': this.#claim.site.blogId, 'wp_frames.rows': work.length },
        startTime: this.#startedAt,
      }
      return inSpan('claim', span, async () => {
        if (!blog) return this.#withoutSite(reads, version)
        const site = siteOf(this.#options.globals, blog)
        const followed = this.#followed.filter(
          ({ isBaked, change }) => !isBaked && change.version <= version,
        )
        const build = await this.#openBuild(reads, site, followed, ahead)
        return this.#build(reads, { site, version, build, rows: work }, followed)
      })
    })
  }

  async #build(
    reads: Db,
    context: ClaimContext,
    followed: readonly FollowedChange[],
  ): Promise<WorkOutcome> {
    const { site, version, build, rows: work } = context
    const rest = await this.#publishEdited(context, work, followed)
    if (rest === undefined) return 'later'
    const baked = await inSpan('bake', {}, () =>
      bakeWork({
        build,
        work: rest,
        followed,
        listOtherCopies: (pages, sources) => this.#listOtherCopies(site, pages, sources),
        findStalePages: () => this.#findStalePages(reads, build, site),
        describeFailure: this.#failureLog(work, 'frame'),
      }),
    )
    const { pages, outcome } = await this.#completeBaked(rest, version, baked)
    const isDone = await this.#publish(context, {
      pages,
      failedFrames: baked.failedFrames,
      awaitedPages: followed.flatMap(({ remaining }) => [...remaining]),
    })
    if (!isDone) return 'later'
    return work.length >= MAX_CLAIMED_ROWS ? 'more' : outcome
  }

  /**
   * Publishes the pages that have rows before what follows from the other rows is known, because that may take longer: a list of all pages
   * shows the title of one. Not if a client waits: its response reports the pages of its change together.
   * @returns the rows that are left; undefined if the pages are to be tried again in a second
   */
  async #publishEdited(
    context: ClaimContext,
    work: readonly ClaimedWork[],
    followed: readonly FollowedChange[],
  ): Promise<readonly ClaimedWork[] | undefined> {
    const pages = pagesOf(work)
    if (pages.length === 0 || pages.length === work.length || followed.length > 0) return work
    const isDone = await this.#publish(context, {
      pages,
      failedFrames: new Map(),
      awaitedPages: [],
    })
    return isDone ? work.filter(({ kind }) => kind !== 'page') : undefined
  }

  /** Publishes pages of the claim, and completes them. @returns false if they are to be tried again in a second */
  async #publish(
    { site, version, build, rows }: ClaimContext,
    pages: PagesToPublish,
  ): Promise<boolean> {
    const options = {
      ...this.#options,
      site,
      version,
      target: this.#target,
      assertOwned: this.#keepOwned,
      startedAt: this.#startedAt,
      describeFailure: this.#failureLog(rows, 'page'),
    }
    const span = { attributes: { 'wp_frames.pages': pages.pages.length } }
    const published = await inSpan('publish', span, () => publishPages(options, build, pages))
    const isDone = await this.#completePages(site, version, pages.pages, published)
    for (const change of this.#followed) change.report(published)
    return isDone
  }

  /** While the folder is unavailable, pages are purged from page caches once, and nothing is rendered each second. */
  #isOutage(work: readonly ClaimedWork[]): boolean {
    return (
      this.#target.state === 'unavailable' &&
      work.length > 0 &&
      work.every(({ kind, tries }) => kind === 'page' && tries > 0) &&
      this.#followed.every(({ isBaked }) => isBaked)
    )
  }

  /** Begins to read what each build reads, together with the claim. Undefined if no client has named the site. */
  #readAhead(reads: Db): ReadAhead | undefined {
    const site = this.#followed.find(({ isBaked }) => !isBaked)?.site
    if (!site) return undefined
    const data = new SiteData(reads, site)
    const graph = readSiteGraph(reads, site)
    // Who needs them gets their errors.
    for (const read of [graph, data.links()]) read.catch(() => {})
    return { site, data, graph }
  }

  async #openBuild(
    reads: Db,
    site: Site,
    followed: readonly FollowedChange[],
    ahead: ReadAhead | undefined,
  ): Promise<SiteBuild> {
    const { data, graph } =
      ahead && isDeepStrictEqual(ahead.site, site)
        ? ahead
        : { data: new SiteData(reads, site), graph: readSiteGraph(reads, site) }
    const options = { ...this.#options, reads, data, isWork: true }
    const build = new SiteBuild(options, site, await graph)
    for (const { change } of followed) build.addMarkup(change)
    return build
  }

  async #findStalePages(reads: Db, build: SiteBuild, site: Site): Promise<number[]> {
    if (this.#target.state === 'off') return []
    return findStalePublications(build, site, await listCopyUrls(reads, site))
  }

  /**
   * Those of these pages whose static copies were made of none of these baked copies, and those that other claims publish at present: these may read an
   * older state of the database. Undefined if there are no static copies.
   */
  async #listOtherCopies(
    site: Site,
    pages: readonly number[],
    sources: readonly string[],
  ): Promise<readonly number[] | undefined> {
    const { db } = this.#options
    if (this.#target.state === 'off') return undefined
    // In this order: a claim that ends in between has stored its records.
    const others = await listPagesOfOtherClaims(db, this.#claim)
    return [...(await listCopiesOfOtherSources(db, site, pages, sources)), ...others]
  }

  /** Work that has failed before is logged at the level debug. */
  #failureLog(work: readonly ClaimedWork[], kind: ClaimedWork['kind']): FailureLog {
    const { log } = this.#options
    const repeated = new Set(
      work.filter((one) => one.kind === kind && one.tries > 0).map(({ name }) => name),
    )
    return (name, error) => logAndDescribe(error, log, repeated.has(name) ? 'debug' : 'error')
  }

  /**
   * Completes all rows but those of pages, and claims the pages that follow from them.
   * @returns the pages that the claim has now
   */
  async #completeBaked(
    work: readonly ClaimedWork[],
    version: number,
    { pages, failedFrames }: BakedWork,
  ): Promise<{ readonly pages: readonly number[]; readonly outcome: WorkOutcome }> {
    const claimed = pagesOf(work)
    if (claimed.length === work.length) return { pages: claimed, outcome: 'later' }
    const room = Math.max(0, MAX_CLAIMED_ROWS - claimed.length)
    const known = new Set(claimed)
    const more = pages.filter((page) => !known.has(page))
    const failed = [...failedFrames].map(
      ([name, message]): FailedWork => ({ kind: 'frame', name, message }),
    )
    let added: AddedPages = { pages: claimed, isLate: false }
    await writeWork(this.#options.db, this.#claim.site, (tx) => {
      if (more.length > 0) noteLateness(tx, this.#claim, version)
      assertOwned(tx, this.#claim, this.#lost)
      completeWork(tx, this.#claim, version, 'others', failed)
      if (more.length > 0)
        addPages(tx, this.#claim, version, { pages: more, room }, (all) => {
          added = all
        })
    })
    const { pages: own, isLate } = added
    return { pages: own, outcome: isLate || more.length > room ? 'more' : 'later' }
  }

  readonly #keepOwned = (tx: Tx, pages: readonly number[]): void =>
    keepOwnedPages(tx, this.#claim, pages, this.#lost)

  readonly #lost = (): Error => new LostLeaseError(this.#claim.id)

  /** @returns false if the pages are to be tried again in a second, because the folder or the database failed */
  async #completePages(
    site: Site,
    version: number,
    pages: readonly number[],
    published: ClaimedPages,
  ): Promise<boolean> {
    const { db, tagPurges } = this.#options
    if (published.outage !== undefined) {
      // The pages are rendered on request meanwhile.
      if (published.purges.length > 0)
        await writeWork(db, site, (tx) => tagPurges?.record(tx, site, published.purges))
      await returnClaim(db, this.#claim, published.outage)
      return false
    }
    if (pages.length === 0) return true
    const failed = [...published.failed].map(
      ([page, { code: _, ...failure }]): FailedWork => ({
        kind: 'page',
        name: String(page),
        ...failure,
      }),
    )
    const target = this.#target
    await writeWork(db, site, async (tx) => {
      assertOwnedPages(tx, this.#claim, pages, this.#lost)
      deferPages(tx, this.#claim, published.deferred)
      completeWork(tx, this.#claim, version, 'pages', failed)
      if (target.state === 'ready')
        await storePublishedCopies(tx, { site, version, claim: target.claim }, published)
      tagPurges?.record(tx, site, published.purges)
      await recordEvent(tx, site, 'published', publishedThings(published))
    })
    return true
  }

  /** Removes all copies of a deleted site. */
  async #withoutSite(reads: Db, version: number): Promise<WorkOutcome> {
    const { globals } = this.#options
    const { blogId } = this.#claim.site
    const site = siteOf(globals, { ...NO_BLOG, blog_id: blogId })
    const message = 'The site was deleted.'
    for (const change of this.#followed) if (!change.isBaked) change.fail(message)
    const pages = [...(await listCopyUrls(reads, site)).keys()]
    let left: readonly number[] = pages
    const { db } = this.#options
    if (this.#target.state === 'unavailable') {
      await returnClaim(db, this.#claim, this.#target.problem)
      return 'later'
    }
    if (this.#target.state === 'ready') {
      const publication = { reason: 'page_not_public', message } as const
      const { errors } = await publishCopies(
        { ...this.#options, ...this.#target, site, version, assertOwned: this.#keepOwned },
        pages.map((page) => ({ page, url: undefined, pageModified: undefined, publication })),
      )
      const removed = pages.filter((page) => !errors.has(page))
      await writeWork(db, site, async (tx) => {
        deleteCopyRecords(tx, site, removed, version)
        await recordEvent(tx, site, 'published', removed.map(removedThing))
      })
      left = []
      // The records of copies that could not be removed stay, so that the next try finds them.
      assertNoFailure(errors)
    }
    const { tagPurges } = this.#options
    const isPurged = (await tagPurges?.isAllowed()) === true
    await writeWork(db, site, async (tx) => {
      deleteCopyRecords(tx, site, pages, version)
      if (isPurged) tagPurges?.recordSite(tx, site)
      await recordEvent(tx, site, 'published', left.map(removedThing))
      for (const kinds of ['others', 'pages'] as const)
        completeWork(tx, this.#claim, version, kinds)
    })
    return 'later'
  }
}

const removedThing = (page: number): EventThing => ({
  kind: 'page',
  ref: String(page),
  action: 'removed',
})

/** The pages whose static copies have changed. */
const publishedThings = ({ statics, removed }: ClaimedPages): EventThing[] => [
  ...[...statics].flatMap(([page, { changed, published }]): EventThing[] =>
    changed && published ? [{ kind: 'page', ref: String(page), action: 'published' }] : [],
  ),
  // A crash may have come between the removal of the files and that of the record.
  ...removed.map(removedThing),
]

/** A site that is not in the table `blogs` any more. */
const NO_BLOG = { site_id: 0, domain: '', path: '/', archived: 0, spam: 0, deleted: 1 }
