import type { Failure } from '../../content/work/complete-work.ts'
import { inBatches } from '../../db/sql.ts'
import { LostLeaseError } from '../../db/tasks/tasks-table.ts'
import { forEachBounded } from '../../host/concurrency/for-each.ts'
import { isClosed } from '../../wordpress/network/site.ts'
import { isPublic, type Page } from '../../wordpress/pages/posts.ts'
import { type CopyRecord, readCopyRecords } from '../publishing/copies-table.ts'
import { CopyFailedError, isTemporary } from '../publishing/copy-failure.ts'
import {
  type PublishContext,
  publishCopies,
  type WantedCopy,
} from '../publishing/publish-copies.ts'
import { type PurgedAddresses, purgeAddresses } from '../publishing/purgers/purge-addresses.ts'
import { DELETED } from '../publishing/static-effects.ts'
import { type FailureLog, isUnavailable } from './executor.ts'
import { publicationsOf, type RoutingOptions, routablePages } from './page-publication.ts'
import type { PublishTarget } from './publish-target.ts'
import type { SiteBuild } from './site-build.ts'
import type { WorkerOptions } from './worker-options.ts'

export type PublishOptions = RoutingOptions &
  Pick<
    WorkerOptions,
    'db' | 'log' | 'identities' | 'quotaBytes' | 'pageCachePurge' | 'cacheTags' | 'tagPurges'
  > &
  Pick<PublishContext, 'version' | 'commit'> & {
    readonly describeFailure: FailureLog
    /** Where static copies are written, or why they are not. */
    readonly target: PublishTarget
  }

/** What became of the pages of one snapshot, for their rows. */
export type PublishedPages = {
  readonly records: readonly CopyRecord[]
  /** Pages whose records are to be deleted. */
  readonly removed: readonly number[]
  /** Pages whose copies are new, or differ from the former ones. */
  readonly changed: readonly number[]
  /** Pages that are to be published so many milliseconds from now. */
  readonly deferred: ReadonlyMap<number, number>
  readonly failed: ReadonlyMap<number, Failure>
  /** Pages that are to be purged by tag when the others are completed. */
  readonly purges: readonly number[]
  /** The folder or the database failed, not a page: a message for clients. */
  readonly outage: string | undefined
}

/** One batch is rendered while the files of another are written on their thread. */
const BATCHES_AT_ONCE = 2
/** Pages that are rendered and written together. */
const PAGES_AT_ONCE = 50
/** HTML that is rendered and written together, and the contents in it, in bytes. */
const BYTES_AT_ONCE = 8 * 1024 * 1024

/** Pages by id, and by page id the ids of their frames and the bytes of their contents. */
export type ReadPages = {
  readonly pages: ReadonlyMap<number, Page>
  readonly frames: ReadonlyMap<number, string>
  readonly contentBytes: ReadonlyMap<number, number>
}

/** Reads pages that are to be published. */
export async function readPages(build: SiteBuild, ids: readonly number[]): Promise<ReadPages> {
  // Their addresses need it.
  build.data.links().catch(() => {})
  const [frames, found, contentBytes] = await Promise.all([
    build.framesOf(ids),
    build.data.pagesById(ids),
    build.contentBytes(ids),
  ])
  return { frames, contentBytes, pages: new Map(found.map((page) => [page.id, page])) }
}

/**
 * Publishes pages, or removes their copies, and purges their URLs from page caches. A page that fails is reported and does not affect the
 * others.
 * @param failedFrames ids of frames that could not be baked: their pages keep their copies, unless they have lost their visitors
 */
export async function publishPages(
  options: PublishOptions,
  build: SiteBuild,
  ids: readonly number[],
  read: ReadPages,
  failedFrames: ReadonlySet<string>,
): Promise<PublishedPages> {
  const { pages, frames } = read
  const publisher = new PagePublisher(options, build)
  const isVisible = (id: number) => {
    const page = pages.get(id)
    return page !== undefined && isPublic(page) && !isClosed(options.site)
  }
  const built = ids.filter((id) => !isVisible(id) || !failedFrames.has(frames.get(id) ?? ''))
  await forEachBounded(await batchesOf(build, built, read), BATCHES_AT_ONCE, async (batch) => {
    if (publisher.outage === undefined) await publisher.publish(batch, read)
  })
  return publisher.finish()
}

/** Pages that are rendered together: about as many as have `BYTES_AT_ONCE`. */
export async function batchesOf(
  build: SiteBuild,
  ids: readonly number[],
  { frames, contentBytes }: Pick<ReadPages, 'frames' | 'contentBytes'>,
): Promise<Iterable<number[]>> {
  const bytes = await build.outputBytes([...new Set(frames.values())])
  const share = Math.floor(BYTES_AT_ONCE / PAGES_AT_ONCE)
  const sizeOf = (id: number) =>
    Math.max(share, (bytes.get(frames.get(id) ?? '') ?? 0) + (contentBytes.get(id) ?? 0))
  return inBatches(ids, BYTES_AT_ONCE, sizeOf)
}

/** The pages published so far. */
class PagePublisher {
  readonly #options: PublishOptions
  readonly #build: SiteBuild
  readonly #addresses = new Map<number, readonly string[]>()
  readonly #done = {
    records: [] as CopyRecord[],
    removed: [] as number[],
    changed: [] as number[],
    deferred: new Map<number, number>(),
    failed: new Map<number, Failure>(),
  }
  #overQuota = 0
  outage: string | undefined

  constructor(options: PublishOptions, build: SiteBuild) {
    this.#options = options
    this.#build = build
  }

  async publish(ids: readonly number[], read: ReadPages): Promise<void> {
    try {
      await this.#publishTogether(ids, read)
    } catch (error) {
      const [first] = ids
      if (error instanceof LostLeaseError || first === undefined) throw error
      if (ids.length === 1 || isUnavailable(error)) return this.#failPage(first, error)
      // One page must not keep the others from being published.
      for (const id of ids) await this.publish([id], read)
    }
  }

  async #publishTogether(ids: readonly number[], { pages, frames }: ReadPages): Promise<void> {
    const { db, site, target } = this.#options
    const present = ids.flatMap((id) => pages.get(id) ?? [])
    if (target.state !== 'ready') return this.#purgeOnly(ids, present)
    // As the database is now.
    const [found, records] = await db.together((now) =>
      Promise.all([
        publicationsOf({ ...this.#options, db: now }, this.#build, { pages: present, frames }),
        readCopyRecords(now, site, ids),
      ]),
    )
    const wanted: WantedCopy[] = []
    const errors = new Map<number, unknown>()
    for (const id of ids) {
      const one = found.get(id)
      const pageModified = pages.get(id)?.modifiedGmt
      if (!one) wanted.push({ page: id, url: undefined, pageModified, publication: DELETED })
      else if ('error' in one) errors.set(id, one.error)
      else wanted.push({ page: id, pageModified, ...one })
    }
    for (const { id } of await this.#findMoved([...errors.keys()], pages))
      wanted.push({ page: id, url: undefined, pageModified: undefined, publication: MOVED })
    const context = { ...this.#options, ...target }
    const published = await publishCopies(context, wanted, records)
    this.#done.records.push(...published.records)
    this.#done.removed.push(...published.removed)
    for (const [page, waitMs] of published.deferred) this.#done.deferred.set(page, waitMs)
    for (const [id, error] of errors) this.#failPage(id, error)
    for (const [id, failure] of published.errors) this.#failPage(id, new CopyFailedError(failure))
    for (const { page, url } of wanted) {
      const outcome = published.outcomes.get(page)
      if (!outcome || errors.has(page)) continue
      if (outcome.state === 'written') this.#done.changed.push(page)
      if (outcome.state === 'quota') this.#overQuota += 1
      const one = found.get(page)
      const isRoutable = one && 'isRoutable' in one && one.isRoutable
      this.#add(page, isRoutable ? url : undefined, outcome.formerUrl)
    }
  }

  /** Pages whose copies are at former URLs. These are removed even if the pages cannot be rendered. */
  async #findMoved(ids: readonly number[], pages: ReadonlyMap<number, Page>): Promise<Page[]> {
    if (ids.length === 0) return []
    const records = await readCopyRecords(this.#options.db, this.#options.site, ids)
    const moved: Page[] = []
    for (const id of ids) {
      const page = pages.get(id)
      const url = records.get(id)?.url
      if (page && url !== undefined && url !== (await this.#build.data.urlOf(page)))
        moved.push(page)
    }
    return moved
  }

  async finish(): Promise<PublishedPages> {
    const { log, tagPurges } = this.#options
    const isTagged = this.#addresses.size > 0 && (await tagPurges?.isAllowed()) === true
    const urls = [...new Set([...this.#addresses.values()].flat())]
    const purged = await purgeUrls(this.#options, urls)
    const skipped = new Set(purged.by === 'none' ? [] : purged.skipped)
    if (purged.by !== 'none') {
      const { metrics } = this.#build
      metrics?.count('purged_addresses_total', { outcome: 'ok' }, purged.urls.length)
      metrics?.count('purged_addresses_total', { outcome: 'failed' }, skipped.size)
    }
    for (const [page, own] of this.#addresses) {
      if (own.some((url) => skipped.has(url)))
        this.#done.failed.set(page, {
          message: 'A page cache rejected the purge of this page.',
          code: 'purge',
        })
    }
    if (this.#overQuota > 0)
      log.warn(
        { pages: this.#overQuota },
        'pages were not published: the site reached STATIC_MB_PER_SITE',
      )
    return {
      purges: isTagged ? [...this.#addresses.keys()] : [],
      ...this.#done,
      outage: this.outage,
    }
  }

  async #purgeOnly(ids: readonly number[], present: readonly Page[]): Promise<void> {
    const { target } = this.#options
    const urls = await routablePages(this.#options, this.#build, present)
    for (const id of ids) this.#add(id, urls.get(id))
    if (target.state === 'unavailable') this.outage = target.problem
  }

  /** Where visitors can see the page now, or could see it before, is purged. */
  #add(page: number, url: string | undefined, former?: string): void {
    this.#addresses.set(
      page,
      [url, former].flatMap((one) => one ?? []),
    )
  }

  /** The page keeps its copy. */
  #failPage(id: number, error: unknown): void {
    const isOutage = isUnavailable(error)
    // An outage fails many pages and is logged once.
    const message =
      (isOutage ? this.outage : undefined) ?? this.#options.describeFailure(String(id), error)
    if (isOutage) this.outage = message
    else {
      const code = error instanceof CopyFailedError ? error.failure.code : 'failed'
      this.#done.failed.set(id, { message, code, isTemporary: isTemporary(error) })
    }
  }
}

/** Purges URLs from the page caches. */
export async function purgeUrls(
  { db, log, ...caches }: Pick<PublishOptions, 'db' | 'log' | 'pageCachePurge' | 'identities'>,
  urls: readonly string[],
): Promise<PurgedAddresses> {
  const timeoutMs = db.timings.publishing.addressPurgeMs
  return purgeAddresses(await allowedCaches(caches), urls, { log, timeoutMs })
}

/** The page caches, unless purges are turned off or the database was copied: they may be those of another network. */
export async function allowedCaches({
  pageCachePurge = [],
  identities,
}: Pick<PublishOptions, 'pageCachePurge' | 'identities'>): Promise<readonly string[]> {
  if (pageCachePurge.length === 0) return []
  const { purges, isKnownDatabase } = await identities.read()
  return purges && isKnownDatabase ? pageCachePurge : []
}

const MOVED = { reason: 'failed', message: 'The page has moved.' } as const
