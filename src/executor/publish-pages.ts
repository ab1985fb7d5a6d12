import { forEachBounded } from '../concurrency/for-each.ts'
import type { Database } from '../db/database.ts'
import { inBatches } from '../db/sql.ts'
import type { StaticEffect } from '../effects.ts'
import { groupBy } from '../group-by.ts'
import type { Log } from '../log.ts'
import { type CopyRecord, readCopyRecords } from '../publishing/copies-table.ts'
import { CopyFailedError, isTemporary } from '../publishing/copy-failure.ts'
import type { CopyFailure } from '../publishing/copy-store.ts'
import { LostLeaseError } from '../publishing/copy-store.ts'
import type { NetworkIdentities } from '../publishing/network-identity.ts'
import {
  type PublishContext,
  publishCopies,
  type WantedCopy,
} from '../publishing/publish-copies.ts'
import { purgeAddresses } from '../publishing/purgers/purge-addresses.ts'
import { describeRecords, failedEffect, noCopyEffect } from '../publishing/static-effects.ts'
import { isClosed } from '../wordpress/network/site.ts'
import { isPublic, type Page } from '../wordpress/pages/posts.ts'
import { type FailureLog, isUnavailable } from './executor.ts'
import type { PublishedPages } from './followed-change.ts'
import { publicationsOf, type RoutingOptions, routablePages } from './page-publication.ts'
import type { PublishTarget } from './publish-target.ts'
import type { SiteBuild } from './site-build.ts'
import type { TagPurges } from './tag-purges.ts'

export type PublishOptions = RoutingOptions & {
  readonly db: Database
  readonly log: Log
  /** The version of the site that the build reads. */
  readonly version: number
  readonly identities: NetworkIdentities
  /** Quota of the site's static copies, in bytes. */
  readonly quotaBytes: number | undefined
  readonly pageCachePurge?: readonly string[]
  readonly cacheTags?: PublishContext['cacheTags']
  readonly tagPurges?: TagPurges | undefined
  readonly describeFailure: FailureLog
  /** See `PublishContext`. */
  readonly assertOwned: PublishContext['assertOwned']
  /** Where static copies are written, or why they are not. */
  readonly target: PublishTarget
}

/** The pages that a claim published, and what its completion stores. */
export type ClaimedPages = PublishedPages & {
  readonly records: readonly CopyRecord[]
  /** Pages whose records are to be deleted. */
  readonly removed: readonly number[]
  /** Pages that are to be published so many milliseconds from now. */
  readonly deferred: ReadonlyMap<number, number>
  /** Pages that failed: messages for clients, by page, and whether the target refuses them for the moment. */
  readonly failed: ReadonlyMap<number, FailedPage>
  /** Pages that are to be purged by tag when the claim is completed. */
  readonly purges: readonly number[]
  /** The folder or the database failed, not a page: a message for clients. */
  readonly outage: string | undefined
}

type FailedPage = {
  readonly code: CopyFailure['code'] | 'render' | 'purge'
  readonly message: string
  readonly isTemporary: boolean
}

/** One batch is rendered while the files of another are written on their thread. */
const BATCHES_AT_ONCE = 2
/** Pages that are rendered and written together. */
const PAGES_AT_ONCE = 50
/** HTML that is rendered and written together, in bytes. */
const BYTES_AT_ONCE = 8 * 1024 * 1024

export type PagesToPublish = {
  /** The pages of the claim. */
  readonly pages: readonly number[]
  /** Frames that could not be baked, with messages for clients: their pages keep their copies. */
  readonly failedFrames: ReadonlyMap<string, string>
  /** Pages that clients wait for. Pages on failed frames are awaited but not claimed. */
  readonly awaitedPages: readonly number[]
}

/**
 * Publishes pages, or removes their copies, and purges their URLs from page caches. A page that fails is reported and does not affect the
 * others.
 */
export async function publishPages(
  options: PublishOptions,
  build: SiteBuild,
  { pages: ids, failedFrames, awaitedPages }: PagesToPublish,
): Promise<ClaimedPages> {
  const publisher = new PagePublisher(options, build)
  const [frames, found] = await Promise.all([
    build.framesOf(failedFrames.size > 0 ? [...ids, ...awaitedPages] : ids),
    build.data.pagesById(ids),
  ])
  const pages = new Map(found.map((page) => [page.id, page]))
  // The copy of a page that is not public any more is removed, whatever its frame.
  const removed = new Set(
    ids.filter((id) => {
      const page = pages.get(id)
      return isClosed(options.site) || !page || !isPublic(page)
    }),
  )
  const failureOf = (id: number) =>
    removed.has(id) ? undefined : failedFrames.get(frames.get(id) ?? '')
  for (const [message, failing] of groupBy(new Set([...ids, ...awaitedPages]), failureOf))
    if (message !== undefined) await publisher.fail(failing, message)
  const built = ids.filter((id) => failureOf(id) === undefined)
  const bytes = await build.outputBytes([...new Set(frames.values())])
  const share = BYTES_AT_ONCE / PAGES_AT_ONCE
  const sizeOf = (id: number) => Math.max(share, bytes.get(frames.get(id) ?? '') ?? 0)
  await forEachBounded(inBatches(built, BYTES_AT_ONCE, sizeOf), BATCHES_AT_ONCE, async (batch) => {
    if (publisher.outage === undefined) await publisher.publish(batch, { pages, frames })
  })
  return publisher.finish()
}

/** Pages by id, and the ids of their frames, by page id. */
type ReadPages = {
  readonly pages: ReadonlyMap<number, Page>
  readonly frames: ReadonlyMap<number, string>
}

/** The pages published so far. */
class PagePublisher {
  readonly #options: PublishOptions
  readonly #build: SiteBuild
  readonly #statics = new Map<number, StaticEffect>()
  readonly #addresses = new Map<number, readonly string[]>()
  readonly #failed = new Map<number, FailedPage>()
  readonly #records: CopyRecord[] = []
  readonly #removed: number[] = []
  readonly #deferred = new Map<number, number>()
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
    const routable = new Set<number>()
    const wanted: WantedCopy[] = []
    const errors = new Map<number, unknown>()
    for (const id of ids) {
      const one = found.get(id)
      const pageModified = pages.get(id)?.modifiedGmt
      if (!one) wanted.push({ page: id, url: undefined, pageModified, publication: DELETED })
      else if ('error' in one) errors.set(id, one.error)
      else {
        if (one.isRoutable) routable.add(id)
        wanted.push({ page: id, pageModified, ...one })
      }
    }
    for (const { id } of await this.#findMoved([...errors.keys()], pages))
      wanted.push({ page: id, url: undefined, pageModified: undefined, publication: MOVED })
    const context = { ...this.#options, ...target }
    const published = await publishCopies(context, wanted, records)
    this.#records.push(...published.records)
    this.#removed.push(...published.removed)
    for (const [page, waitMs] of published.deferred) this.#deferred.set(page, waitMs)
    for (const [id, error] of errors) await this.#failPage(id, error)
    for (const [id, failure] of published.errors)
      await this.#failPage(id, new CopyFailedError(failure), published.effects.get(id))
    for (const { page, url } of wanted) {
      const effect = published.effects.get(page)
      if (effect && !errors.has(page) && !published.errors.has(page))
        this.#add(page, effect, routable.has(page) ? url : undefined)
    }
  }

  /** The pages keep their copies. */
  async fail(ids: readonly number[], message: string): Promise<void> {
    const { db, site, target } = this.#options
    const described =
      target.state === 'ready' ? await describeRecords(db, site, ids, message) : undefined
    for (const id of ids) this.#statics.set(id, failedEffect(described?.get(id), message))
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

  async finish(): Promise<ClaimedPages> {
    const { log, tagPurges } = this.#options
    const isTagged = this.#addresses.size > 0 && (await tagPurges?.isAllowed()) === true
    const urls = [...new Set([...this.#addresses.values()].flat())]
    const purged = await purgeAddresses(await allowedCaches(this.#options), urls, {
      log,
      timeoutMs: this.#options.db.timings.publishing.addressPurgeMs,
    })
    this.#build.metrics?.countPurged(purged)
    const skipped = new Set(purged.by === 'none' ? [] : purged.skipped)
    for (const [page, own] of this.#addresses) {
      if (own.some((url) => skipped.has(url)))
        this.#failed.set(page, {
          code: 'purge',
          message: 'A page cache rejected the purge of this page.',
          isTemporary: false,
        })
    }
    const over = [...this.#statics.values()].filter(({ reason }) => reason === 'quota').length
    if (over > 0)
      log.warn({ pages: over }, 'pages were not published: the site reached STATIC_MB_PER_SITE')
    return {
      statics: this.#statics,
      addresses: this.#addresses,
      purged,
      ...(tagPurges && isTagged ? { taggedBy: tagPurges.by } : {}),
      purges: isTagged ? [...this.#addresses.keys()] : [],
      records: this.#records,
      removed: this.#removed,
      deferred: this.#deferred,
      failed: this.#failed,
      outage: this.outage,
    }
  }

  async #purgeOnly(ids: readonly number[], present: readonly Page[]): Promise<void> {
    const { target } = this.#options
    const routable = await routablePages(this.#options, this.#build, present)
    const urls = new Map<number, string>()
    for (const page of present)
      if (routable.has(page.id)) urls.set(page.id, await this.#build.data.urlOf(page))
    for (const id of ids) {
      if (target.state === 'off') this.#add(id, COPIES_DISABLED, urls.get(id))
      else if (target.state === 'unavailable') {
        this.outage = target.problem
        this.#add(id, noCopyEffect('failed', target.problem), urls.get(id))
      }
    }
  }

  #add(page: number, effect: StaticEffect, url: string | undefined): void {
    this.#statics.set(page, effect)
    const urls = [...(url === undefined ? [] : [url]), ...(effect.was_url ? [effect.was_url] : [])]
    this.#addresses.set(page, urls)
  }

  /** @param effect what is known of its copy */
  async #failPage(id: number, error: unknown, effect?: StaticEffect): Promise<void> {
    const isOutage = isUnavailable(error)
    // An outage fails many pages and is logged once.
    const message =
      (isOutage ? this.outage : undefined) ?? this.#options.describeFailure(String(id), error)
    if (isOutage) this.outage = message
    else {
      const code = error instanceof CopyFailedError ? error.failure.code : 'render'
      this.#failed.set(id, { code, message, isTemporary: isTemporary(error) })
    }
    if (effect) this.#statics.set(id, failedEffect(effect, message))
    else await this.fail([id], message)
  }
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
const DELETED = { reason: 'page_not_public', message: 'The page was deleted.' } as const

export const COPIES_DISABLED = noCopyEffect(
  'disabled',
  'Static copies are turned off (STATIC_DIR is empty).',
)
