import { resolve } from 'node:path'
import type { CacheEffect, Change, Effects, StaticEffect } from '../change.ts'
import type { Db } from '../db/database.ts'
import type { Log } from '../log.ts'
import { forEachBounded } from '../publishing/bounded.ts'
import { listCopies } from '../publishing/copy-record.ts'
import {
  describeCopy,
  type Publication,
  publishPage,
  withoutCopy,
} from '../publishing/publish-page.ts'
import { purgeAddresses } from '../publishing/purge-addresses.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Page } from '../wordpress/pages/post.ts'
import { isPublic } from '../wordpress/permalinks/find-page-at.ts'
import { isPretty } from '../wordpress/permalinks/link-settings.ts'
import { messageOf } from './failure.ts'
import { isReached } from './is-reached.ts'
import type { SiteBuild } from './site-build.ts'

export type PublishOptions = {
  readonly db: Db
  readonly log: Log
  readonly site: Site
  readonly staticDir: string | undefined
  readonly pageCachePurge?: readonly string[]
  /** When reading for this build began, in milliseconds since 1970. */
  readonly builtAt: number
}

export type PublishedPages = Pick<Effects, 'statics' | 'republish'> & {
  readonly cache: CacheEffect
}

/** Pages at a time: writing one is mostly waiting for the disk. */
const CONCURRENCY = 4

/**
 * Brings the static copies of pages up to date and has page caches forget their addresses: the pages that the change put on a frame or took
 * off one, those on frames that were built, and those whose copies no longer stand where they should. Nothing is thrown.
 */
export async function publishPages(
  options: PublishOptions,
  build: SiteBuild,
  change: Change,
  frames: readonly string[],
): Promise<PublishedPages> {
  const statics = new Map<number, StaticEffect>()
  const addresses = new Map<number, string[]>()
  const failures: string[] = []
  const ids = new Set([
    ...change.pages,
    ...(await build.pagesOn(frames)),
    ...(change.bake && mayMove(change) ? await strayPages(options, build) : []),
  ])
  const pages = new Map((await build.data.pagesById([...ids])).map((page) => [page.id, page]))
  await forEachBounded(ids, CONCURRENCY, async (id) => {
    try {
      const page = pages.get(id)
      const unbuilt = !change.bake && (await build.frameOf(id)) !== undefined
      const published = unbuilt
        ? await leavePage(options, build, id, page)
        : await publishOne(options, build, id, page)
      statics.set(id, published.effect)
      addresses.set(id, published.addresses)
    } catch (error) {
      const message = messageOf(error, options.log)
      failures.push(message)
      statics.set(id, withoutCopy('failed', message))
    }
  })
  const cache = await flush(options, addresses)
  const [message] = failures
  const status = change.bake ? 'ok' : 'skipped'
  return {
    statics,
    republish: message === undefined ? { status, cache } : { status: 'failed', message, cache },
    cache,
  }
}

type PublishedPage = {
  readonly effect: StaticEffect
  /** Where visitors may have seen the page, or will. */
  readonly addresses: string[]
}

/** @param page undefined for a page that is gone */
async function publishOne(
  options: PublishOptions,
  build: SiteBuild,
  id: number,
  page: Page | undefined,
): Promise<PublishedPage> {
  const url = page && (await build.data.urlOf(page))
  const links = await build.data.links()
  const isShown =
    page !== undefined && isPublic(page) && (await isReached(options, links, page, `${url}`))
  const publication = await publicationOf(options, build, page, isShown)
  const copy = copyOf(options, id)
  const effect = copy
    ? await publishPage(copy, url, publication, options.builtAt)
    : withoutCopy('disabled', 'Static copies are turned off (STATIC_DIR is empty).')
  const { was_url: old } = effect
  return { effect, addresses: [...(isShown && url ? [url] : []), ...(old ? [old] : [])] }
}

async function publicationOf(
  { site, staticDir }: PublishOptions,
  build: SiteBuild,
  page: Page | undefined,
  isShown: boolean,
): Promise<Publication> {
  if (!page) return { reason: 'page_not_public', message: 'The page is gone.' }
  if (site.archived || site.spam || site.deleted) {
    return { reason: 'page_not_public', message: 'The site is archived, spam or deleted.' }
  }
  if (!isPretty(await build.data.links())) {
    return {
      reason: 'plain_permalinks',
      message: "The site's permalinks are plain, so no file can stand for a page.",
    }
  }
  // Without a place for it, there is nothing to render for.
  if (staticDir === undefined) return { html: '' }
  const publication = await build.render(page)
  if ('html' in publication && !isShown) {
    return {
      reason: 'page_not_public',
      message: 'Another page answers at the address of this one.',
    }
  }
  return publication
}

/** The state of a page for which nothing is to be built. */
async function leavePage(
  options: PublishOptions,
  build: SiteBuild,
  id: number,
  page: Page | undefined,
): Promise<PublishedPage> {
  const copy = copyOf(options, id)
  const url = page && (await build.data.urlOf(page))
  const effect = copy
    ? await describeCopy(copy, url, 'Nothing was built, as the request asked.')
    : withoutCopy('disabled', 'Static copies are turned off (STATIC_DIR is empty).')
  return { effect, addresses: [] }
}

function copyOf({ staticDir, site }: PublishOptions, page: number) {
  return staticDir === undefined
    ? undefined
    : { staticDir: resolve(staticDir), site: site.blogId, page }
}

/** What was touched decides where pages stand and who may see them. */
function mayMove({ touched }: Change): boolean {
  return touched.some(({ kind }) => ['pages', 'languages', 'settings'].includes(kind))
}

/** Pages that were edited past this service: they have a copy, but are gone, hidden, on no frame, or have another address now. */
async function strayPages(
  { staticDir, site }: PublishOptions,
  build: SiteBuild,
): Promise<number[]> {
  if (staticDir === undefined) return []
  const copies = await listCopies(resolve(staticDir), site.blogId)
  const onFrames = new Set(await build.pagesOn(build.graph.all().map(({ id }) => id)))
  const inPlace = new Set<number>()
  for (const page of await build.data.pagesById([...copies.keys()])) {
    const stands = (await build.data.urlOf(page)) === copies.get(page.id)
    if (stands && isPublic(page) && onFrames.has(page.id)) inPlace.add(page.id)
  }
  return [...copies.keys()].filter((id) => !inPlace.has(id))
}

async function flush(
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
