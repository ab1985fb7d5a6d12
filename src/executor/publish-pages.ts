import { resolve } from 'node:path'
import type { CacheEffect, Change, Effects, StaticEffect } from '../change.ts'
import { forEachBounded } from '../concurrency/for-each.ts'
import type { KeyedMutex } from '../concurrency/keyed-mutex.ts'
import type { Log } from '../log.ts'
import {
  describeCopy,
  describeFailure,
  noCopyEffect,
  publishPage,
} from '../publishing/publish-page.ts'
import { purgeAddresses } from '../publishing/purge-addresses.ts'
import type { StaticFolder } from '../publishing/static-folder.ts'
import type { StaticUsage } from '../publishing/static-usage.ts'
import type { Page } from '../wordpress/pages/posts.ts'
import { logAndDescribe } from './executor.ts'
import {
  findStalePublications,
  isPubliclyRoutable,
  publicationOf,
  type RoutingOptions,
} from './page-publication.ts'
import type { SiteBuild } from './site-build.ts'

export type PublishOptions = RoutingOptions & {
  readonly log: Log
  readonly staticDir: string | undefined
  /** Undefined if static copies are turned off. */
  readonly folder?: StaticFolder | undefined
  /** Undefined if static copies have no quota. */
  readonly usage?: StaticUsage | undefined
  /** See `PublishContext`. */
  readonly copyMutex: KeyedMutex
  readonly pageCachePurge?: readonly string[]
}

export type PublishedPages = Pick<Effects, 'statics' | 'republish'> & {
  readonly cache: CacheEffect
}

/** Pages published concurrently: publishing mostly waits for the disk. */
const PAGES_AT_ONCE = 4

/**
 * Publishes pages and purges their URLs from page caches: the pages that the change bound to a frame or unbound, the pages on `frames`, and
 * the pages whose static copies are stale publications. A page that fails is reported and does not affect the others.
 * @param frames ids of the frames that were built
 */
export async function publishPages(
  options: PublishOptions,
  build: SiteBuild,
  change: Change,
  frames: readonly string[],
): Promise<PublishedPages> {
  const { site, staticDir, log } = options
  const folderProblem = await findFolderProblem(options)
  const statics = new Map<number, StaticEffect>()
  const addresses = new Map<number, readonly string[]>()
  const failures: string[] = []
  const mayBeStale =
    staticDir !== undefined && folderProblem === undefined && mayChangeAddresses(change)
  const stale = mayBeStale ? await findStalePublications(build, site, staticDir) : []
  const ids = new Set([...change.pages, ...(await build.pagesOn(frames)), ...stale])
  const pages = new Map((await build.data.pagesById([...ids])).map((page) => [page.id, page]))
  if (ids.size > 0 && folderProblem === undefined) await options.usage?.count(site.blogId)
  await forEachBounded(ids, PAGES_AT_ONCE, async (id) => {
    try {
      const isUnbuilt = !change.bake && (await build.frameOf(id)) !== undefined
      const published = isUnbuilt
        ? await describeUnbuiltPage(options, build, id, pages.get(id))
        : await publishOne(options, build, id, pages.get(id), folderProblem)
      statics.set(id, published.effect)
      addresses.set(id, published.addresses)
    } catch (error) {
      const message = logAndDescribe(error, log)
      failures.push(message)
      statics.set(id, await describeFailedPage(options, build, pages.get(id), id, message))
    }
  })
  if (folderProblem !== undefined && ids.size > 0) failures.push(folderProblem)
  const cache = await purgePageCaches(options, addresses)
  return {
    statics,
    republish: { ...republishOutcome(change, statics, failures, log), cache },
    cache,
  }
}

function republishOutcome(
  { bake }: Change,
  statics: ReadonlyMap<number, StaticEffect>,
  failures: readonly string[],
  log: Log,
): Omit<Effects['republish'], 'cache'> {
  const [message] = failures
  if (message !== undefined) return { status: 'failed', message }
  const status = bake ? 'ok' : 'skipped'
  const over = [...statics].filter(([, { reason }]) => reason === 'quota')
  const [first] = over
  if (first === undefined) return { status }
  log.warn({ pages: over.length }, 'pages were not published: the site reached STATIC_MB_PER_SITE')
  return { status, message: `Not published: ${over.length} page(s). ${first[1].message}` }
}

/** Why no static copy can be written, as a message for API clients; undefined if copies can be written. The details go into the log. */
async function findFolderProblem({ folder, log }: PublishOptions): Promise<string | undefined> {
  try {
    await folder?.assertPresent()
    return undefined
  } catch (error) {
    log.error({ err: error }, 'static copies cannot be written')
    return 'The folder of the static copies is unavailable, so no page was published. Pages are rendered on request meanwhile. The reason is in the log of the service.'
  }
}

/** True if the change can affect the URLs of pages or who may see them. */
function mayChangeAddresses({ bake, all, touched }: Change): boolean {
  const kinds = new Set(['pages', 'languages', 'settings'])
  return bake && (all === true || touched.some(({ kind }) => kinds.has(kind)))
}

type PublishedPage = {
  readonly effect: StaticEffect
  /** URLs to purge: where visitors can see the page now, or could see it before. */
  readonly addresses: readonly string[]
}

/**
 * @param page undefined for a deleted page
 * @param folderProblem why no copy can be written; undefined if copies can be written
 */
async function publishOne(
  options: PublishOptions,
  build: SiteBuild,
  id: number,
  page: Page | undefined,
  folderProblem: string | undefined,
): Promise<PublishedPage> {
  const { site, staticDir, builtAt, copyMutex: mutex, usage } = options
  const url = page && (await build.data.urlOf(page))
  const isRoutable = page !== undefined && (await isPubliclyRoutable(options, build, page))
  const publish = async (staticDir: string) =>
    publishPage(
      { staticDir: resolve(staticDir), site: site.blogId, page: id },
      url,
      await publicationOf(site, build, page, isRoutable),
      builtAt,
      { mutex, usage },
    )
  const effect =
    staticDir === undefined
      ? COPIES_DISABLED
      : folderProblem === undefined
        ? await publish(staticDir)
        : noCopyEffect('failed', folderProblem)
  const { was_url: old } = effect
  return { effect, addresses: [...(isRoutable && url ? [url] : []), ...(old ? [old] : [])] }
}

/** The effect of a page for which the request asked for no build. */
async function describeUnbuiltPage(
  { site, staticDir }: PublishOptions,
  build: SiteBuild,
  id: number,
  page: Page | undefined,
): Promise<PublishedPage> {
  if (staticDir === undefined) return { effect: COPIES_DISABLED, addresses: [] }
  const copy = { staticDir: resolve(staticDir), site: site.blogId, page: id }
  const url = page && (await build.data.urlOf(page))
  const message = 'Nothing was built because the request asked for no build.'
  return { effect: await describeCopy(copy, url, message), addresses: [] }
}

/** The effect of a page that could not be published. */
async function describeFailedPage(
  { site, staticDir }: PublishOptions,
  build: SiteBuild,
  page: Page | undefined,
  id: number,
  message: string,
): Promise<StaticEffect> {
  if (staticDir === undefined) return noCopyEffect('failed', message)
  const url = page && (await build.data.urlOf(page).catch(() => undefined))
  return describeFailure(
    { staticDir: resolve(staticDir), site: site.blogId, page: id },
    url,
    message,
  )
}

const COPIES_DISABLED = noCopyEffect(
  'disabled',
  'Static copies are turned off (STATIC_DIR is empty).',
)

async function purgePageCaches(
  { pageCachePurge = [], log }: PublishOptions,
  addresses: ReadonlyMap<number, readonly string[]>,
): Promise<CacheEffect> {
  const pages = [...addresses.keys()]
    .filter((id) => addresses.get(id)?.length)
    .sort((a, b) => a - b)
  const urls = [...new Set(pages.flatMap((id) => addresses.get(id) ?? []))]
  const purged = await purgeAddresses(pageCachePurge, urls, log)
  return { status: purged.status, scope: 'pages', pages, flushed: { urls: purged } }
}
