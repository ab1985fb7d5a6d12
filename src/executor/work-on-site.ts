import { resolve } from 'node:path'
import type { Db } from '../db/database.ts'
import { readSiteGraph } from '../frames/read-graph.ts'
import type { Log } from '../log.ts'
import {
  deleteCopyRecords,
  listCopiesOfOtherSources,
  listCopyUrls,
} from '../publishing/copies-table.ts'
import { publishCopies, storePublishedCopies } from '../publishing/publish-copies.ts'
import { LostLeaseError } from '../publishing/staging.ts'
import { type Site, siteOf } from '../wordpress/network/site.ts'
import {
  type Claim,
  type ClaimedWork,
  type ClaimOptions,
  claimWork,
  failClaim,
  MAX_CLAIMED_ROWS,
  newClaim,
  readClaim,
  readOtherClaims,
  releaseClaim,
  returnClaim,
  writeWork,
} from '../work/claims.ts'
import { addPages, completeWork, type FailedWork } from '../work/complete-work.ts'
import { type FailureLog, isUnavailable, logAndDescribe } from './executor.ts'
import type { FollowedChange } from './followed-change.ts'
import { keepRenewing } from './keep-renewing.ts'
import { findStalePublications } from './page-publication.ts'
import { planWork, type SitePlan } from './plan-work.ts'
import { type ClaimedPages, publishPages } from './publish-pages.ts'
import { FOLDER_PROBLEM, fenceIn, openTarget, type PublishTarget } from './publish-target.ts'
import { SiteBuild } from './site-build.ts'
import type { WorkOptions } from './work-options.ts'

/** `more`: the site has more work. `later`: it has none now, or the work cannot be done now and is due again in a second. */
export type WorkOutcome = 'more' | 'later'

/**
 * Claims work of a site, does it from one snapshot of the database, and completes it. Work that fails waits for its next try; work that was
 * touched meanwhile stays.
 * @param followed changes of the site whose clients wait in this process
 * @param onlyFresh see `ClaimOptions`
 */
export async function workOnSite(
  options: WorkOptions,
  blogId: number,
  followed: readonly FollowedChange[],
  { onlyFresh }: Pick<ClaimOptions, 'onlyFresh'> = {},
): Promise<WorkOutcome> {
  const { db, globals } = options
  const log = options.log.child({ site: blogId })
  const claim = newClaim({ blogId, globals })
  const target = await openTarget(options, claim, log)
  const staging = typeof target === 'object' && 'staging' in target ? target.staging : undefined
  try {
    // The staging folder exists before the claim, so that the next owner of the rows can always remove it.
    const claimed = await claimWork(db, claim, {
      fence: staging && fenceIn(options),
      onlyFresh,
    })
    if (claimed === 0 && followed.every(({ isPlanned }) => isPlanned)) return 'later'
    const renewal = keepRenewing(db, claim)
    try {
      const outcome = await new ClaimedSite({ ...options, log }, claim, target, followed).run(
        claimed,
      )
      options.unavailable.delete(blogId)
      return outcome
    } catch (error) {
      // Another batch of pages may still be written: that ends before anyone else can claim them. Otherwise the next owner fences this claim.
      if (staging) await fenceIn(options)([claim.id])
      await giveBack(options, claim, error, followed, log)
      return 'later'
    } finally {
      await renewal.stop()
    }
  } finally {
    await staging?.remove().catch(() => {})
  }
}

/** The whole claim failed. If even that cannot be stored, the lease ends by itself. */
async function giveBack(
  options: WorkOptions,
  claim: Claim,
  error: unknown,
  followed: readonly FollowedChange[],
  log: Log,
): Promise<void> {
  const { db } = options
  if (error instanceof LostLeaseError) {
    log.warn('another worker took over the work of this site, because it took too long')
    await releaseClaim(db, claim).catch(() => {})
    return
  }
  const message = describeClaimFailure(options, claim.site.blogId, error)
  for (const change of followed) if (!change.isDone) change.fail(message)
  const give = isUnavailable(error) ? returnClaim : failClaim
  await give(db, claim, message).catch(() => {})
}

/** Logs why a whole claim failed, and returns a message for clients. Work is tried each second while the database is unavailable. */
export function describeClaimFailure(
  { log, unavailable }: Pick<WorkOptions, 'log' | 'unavailable'>,
  blogId: number,
  error: unknown,
): string {
  const isRepeated = isUnavailable(error) && unavailable.has(blogId)
  if (isUnavailable(error)) unavailable.add(blogId)
  return logAndDescribe(error, log.child({ site: blogId }), isRepeated ? 'debug' : 'error')
}

/** One claim of a site's work, from its snapshot to its completion. */
class ClaimedSite {
  readonly #options: WorkOptions
  readonly #claim: Claim
  readonly #target: PublishTarget
  readonly #followed: readonly FollowedChange[]
  readonly #startedAt = performance.now()

  constructor(
    options: WorkOptions,
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
      const { work, version, blog } = await readClaim(reads, this.#claim)
      // A snapshot of another node of a cluster may be older than the claim: rows that it does not show must not be completed.
      if (work.length < claimed) throw new LostLeaseError(this.#claim.id)
      if (this.#isOutage(work)) {
        await returnClaim(this.#options.db, this.#claim, FOLDER_PROBLEM)
        return 'later'
      }
      if (!blog) return this.#withoutSite(reads, work, version)
      const site = siteOf(this.#options.globals, blog)
      const followed = this.#followed.filter(
        ({ isPlanned, change }) => !isPlanned && change.version <= version,
      )
      const build = await this.#openBuild(reads, site, followed)
      const plan = await planWork({
        ...{ build, work, followed },
        listOtherCopies: (sources) => this.#listOtherCopies(site, sources),
        findStalePages: () => this.#findStalePages(reads, build, site),
        describeFailure: this.#failureLog(work, 'frame'),
      })
      const { pages, outcome } = await this.#completePlan(work, version, plan)
      const options = {
        ...this.#options,
        ...{ site, version, target: this.#target, startedAt: this.#startedAt },
        describeFailure: this.#failureLog(work, 'page'),
      }
      const published = await publishPages(options, build, {
        pages,
        failedFrames: plan.failedFrames,
        waiting: followed.flatMap(({ remaining }) => [...remaining]),
      })
      const isDone = await this.#completePages(site, version, pages, published)
      for (const change of this.#followed) change.report(published)
      if (!isDone) return 'later'
      return work.length >= MAX_CLAIMED_ROWS ? 'more' : outcome
    })
  }

  /** While the folder is unavailable, pages are purged from page caches once, and nothing is rendered each second. */
  #isOutage(work: readonly ClaimedWork[]): boolean {
    return (
      typeof this.#target === 'object' &&
      'problem' in this.#target &&
      work.length > 0 &&
      work.every(({ kind, tries }) => kind === 'page' && tries > 0) &&
      this.#followed.every(({ isPlanned }) => isPlanned)
    )
  }

  async #openBuild(reads: Db, site: Site, followed: readonly FollowedChange[]): Promise<SiteBuild> {
    const build = new SiteBuild({ ...this.#options, reads }, site, await readSiteGraph(reads, site))
    for (const { change } of followed) build.addMarkup(change)
    return build
  }

  async #findStalePages(reads: Db, build: SiteBuild, site: Site): Promise<number[]> {
    if (this.#target === 'off') return []
    return findStalePublications(build, site, await listCopyUrls(reads, site))
  }

  /**
   * The pages whose static copies were made of none of these baked copies, and those that other claims publish at present: these may read an
   * older state of the database. Undefined if other claims may find any page.
   */
  async #listOtherCopies(
    site: Site,
    sources: readonly string[],
  ): Promise<readonly number[] | undefined> {
    const { db } = this.#options
    if (this.#target === 'off') return undefined
    // In this order: a claim that ends in between has stored its records. A claim that starts later reads a state that is as new as this one's.
    const others = await readOtherClaims(db, this.#claim)
    if (others.arePlanning) return undefined
    return [...(await listCopiesOfOtherSources(db, site, sources)), ...others.pages]
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
  async #completePlan(
    work: readonly ClaimedWork[],
    version: number,
    { pages, failedFrames }: SitePlan,
  ): Promise<{ readonly pages: readonly number[]; readonly outcome: WorkOutcome }> {
    const claimed = work.filter(({ kind }) => kind === 'page').map(({ name }) => Number(name))
    if (claimed.length === work.length) return { pages: claimed, outcome: 'later' }
    const room = Math.max(0, MAX_CLAIMED_ROWS - claimed.length)
    const known = new Set(claimed)
    const more = pages.filter((page) => !known.has(page))
    const failed = [...failedFrames].map(
      ([name, message]): FailedWork => ({ kind: 'frame', name, message }),
    )
    const options = {
      ...{ site: this.#claim.site, isWork: true },
      isStatement: failed.length + more.length === 0,
    }
    const own = await this.#options.db.write(options, async (tx) => {
      const expected = work.length - claimed.length
      if (!(await completeWork(tx, this.#claim, version, 'others', expected, failed)))
        throw new LostLeaseError(this.#claim.id)
      return more.length === 0 ? claimed : addPages(tx, this.#claim, version, more, room)
    })
    return { pages: own, outcome: more.length > room ? 'more' : 'later' }
  }

  /** @returns false if the pages are to be tried again in a second, because the folder or the database failed */
  async #completePages(
    site: Site,
    version: number,
    pages: readonly number[],
    published: ClaimedPages,
  ): Promise<boolean> {
    const { db } = this.#options
    if (published.outage !== undefined) {
      await returnClaim(db, this.#claim, published.outage)
      return false
    }
    if (pages.length === 0) return true
    const failed = [...published.failed].map(
      ([page, message]): FailedWork => ({ kind: 'page', name: String(page), message }),
    )
    const target = this.#target
    await writeWork(db, site, async (tx) => {
      if (!(await completeWork(tx, this.#claim, version, 'pages', pages.length, failed)))
        throw new LostLeaseError(this.#claim.id)
      if (typeof target === 'object' && 'staging' in target)
        await storePublishedCopies(tx, { site, version, staging: target.staging }, published)
    })
    return true
  }

  /** Removes all copies of a deleted site. */
  async #withoutSite(
    reads: Db,
    work: readonly ClaimedWork[],
    version: number,
  ): Promise<WorkOutcome> {
    const { globals } = this.#options
    const { blogId } = this.#claim.site
    const site = siteOf(globals, { ...NO_BLOG, blog_id: blogId })
    const message = 'The site was deleted.'
    for (const change of this.#followed) if (!change.isPlanned) change.fail(message)
    const pages = [...(await listCopyUrls(reads, site)).keys()]
    const { db } = this.#options
    if (typeof this.#target === 'object') {
      if ('problem' in this.#target) {
        await returnClaim(db, this.#claim, this.#target.problem)
        return 'later'
      }
      const publication = { reason: 'page_not_public', message } as const
      const { errors } = await publishCopies(
        {
          ...this.#options,
          ...this.#target,
          staticDir: resolve(this.#target.staticDir),
          site,
          version,
        },
        pages.map((page) => ({ page, url: undefined, pageModified: undefined, publication })),
      )
      const removed = pages.filter((page) => !errors.has(page))
      await writeWork(db, site, (tx) => deleteCopyRecords(tx, site, removed, version))
      // The records of copies that could not be removed stay, so that the next try finds them.
      for (const error of errors.values()) throw error
    }
    await writeWork(db, site, async (tx) => {
      await deleteCopyRecords(tx, site, pages, version)
      for (const kinds of ['others', 'pages'] as const)
        await completeWork(tx, this.#claim, version, kinds, work.length)
    })
    return 'later'
  }
}

/** A site that is not in the table `blogs` any more. */
const NO_BLOG = { site_id: 0, domain: '', path: '/', archived: 0, spam: 0, deleted: 1 }
