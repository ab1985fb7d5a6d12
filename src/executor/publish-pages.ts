import { resolve } from 'node:path'
import type { CacheEffect, Change, Effects, StaticEffect } from '../change.ts'
import { forEachBounded } from '../concurrency/for-each.ts'
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
  /** Undefined where static copies are turned off. */
  readonly folder?: StaticFolder | undefined
  /** Undefined where static copies may take all the room there is. */
  readonly usage?: StaticUsage | undefined
  readonly pageCachePurge?: readonly string[]
}

export type PublishedPages = Pick<Effects, 'statics' | 'republish'> & {
  readonly cache: CacheEffect
}

/** Pages at a time: writing one is mostly waiting for the disk. */
const PAGES_AT_ONCE = 4

/**
 * Brings the static copies of pages up to date and has page caches forget their addresses: the pages that the change put on a frame or took
 * off one, those on frames that were built, and those whose copies no longer stand where they should. A page that fails is told of and
 * keeps no other from it.
 */
export async function publishPages(
  options: PublishOptions,
  build: SiteBuild,
  change: Change,
  frames: readonly string[],
): Promise<PublishedPages> {
  const { site, staticDir, log } = options
  const missing = await findFolderProblem(options)
  const statics = new Map<number, StaticEffect>()
  const addresses = new Map<number, readonly string[]>()
  const failures: string[] = []
  const mayStray = staticDir !== undefined && missing === undefined && mayChangeAddresses(change)
  const strays = mayStray ? await findStalePublications(build, site, staticDir) : []
  const ids = new Set([...change.pages, ...(await build.pagesOn(frames)), ...strays])
  const pages = new Map((await build.data.pagesById([...ids])).map((page) => [page.id, page]))
  if (ids.size > 0 && missing === undefined) await options.usage?.count(site.blogId)
  await forEachBounded(ids, PAGES_AT_ONCE, async (id) => {
    try {
      const isLeft = !change.bake && (await build.frameOf(id)) !== undefined
      const published = isLeft
        ? await describeUnbuiltPage(options, build, id, pages.get(id))
        : await publishOne(options, build, id, pages.get(id), missing)
      statics.set(id, published.effect)
      addresses.set(id, published.addresses)
    } catch (error) {
      const message = logAndDescribe(error, log)
      failures.push(message)
      statics.set(id, await describeFailedPage(options, build, pages.get(id), id, message))
    }
  })
  if (missing !== undefined && ids.size > 0) failures.push(missing)
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
  log.warn({ pages: over.length }, 'pages were not published: STATIC_MB_PER_SITE is reached')
  return { status, message: `Not published: ${over.length} page(s). ${first[1].message}` }
}

/** Why no static copy can be written, for callers: what the operator needs to know of it is in the log. */
async function findFolderProblem({ folder, log }: PublishOptions): Promise<string | undefined> {
  try {
    await folder?.assertPresent()
    return undefined
  } catch (error) {
    log.error({ err: error }, 'static copies cannot be written')
    return 'The folder of the static copies is not available, so no page was published. Pages are rendered on request meanwhile. The operator finds the reason in the log.'
  }
}

/** What was touched may decide where pages stand and who may see them. */
function mayChangeAddresses({ bake, all, touched }: Change): boolean {
  const kinds = new Set(['pages', 'languages', 'settings'])
  return bake && (all === true || touched.some(({ kind }) => kinds.has(kind)))
}

type PublishedPage = {
  readonly effect: StaticEffect
  /** Where visitors may have seen the page, or see it now. */
  readonly addresses: readonly string[]
}

/**
 * @param page undefined for one that is gone
 * @param missing why there is no folder to write to; undefined where there is one
 */
async function publishOne(
  options: PublishOptions,
  build: SiteBuild,
  id: number,
  page: Page | undefined,
  missing: string | undefined,
): Promise<PublishedPage> {
  const { site, staticDir, builtAt, usage } = options
  const url = page && (await build.data.urlOf(page))
  const reached = page !== undefined && (await isPubliclyRoutable(options, build, page))
  const publish = async (staticDir: string) =>
    publishPage(
      { staticDir: resolve(staticDir), site: site.blogId, page: id },
      url,
      await publicationOf(site, build, page, reached),
      builtAt,
      usage,
    )
  const effect =
    staticDir === undefined
      ? COPIES_DISABLED
      : missing === undefined
        ? await publish(staticDir)
        : noCopyEffect('failed', missing)
  const { was_url: old } = effect
  return { effect, addresses: [...(reached && url ? [url] : []), ...(old ? [old] : [])] }
}

/** A page for which nothing is to be built. */
async function describeUnbuiltPage(
  { site, staticDir }: PublishOptions,
  build: SiteBuild,
  id: number,
  page: Page | undefined,
): Promise<PublishedPage> {
  if (staticDir === undefined) return { effect: COPIES_DISABLED, addresses: [] }
  const copy = { staticDir: resolve(staticDir), site: site.blogId, page: id }
  const url = page && (await build.data.urlOf(page))
  const message = 'Nothing was built, as the request asked.'
  return { effect: await describeCopy(copy, url, message), addresses: [] }
}

/** A page whose copy could not be brought up to date. */
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
