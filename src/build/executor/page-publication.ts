import type { Db } from '../../db/database.ts'
import { hostsOfSite } from '../../wordpress/hosts/host-index.ts'
import { findBlogIdsAt, type SiteHosts, sitePaths } from '../../wordpress/hosts/site-hosts.ts'
import { isClosed, type Site } from '../../wordpress/network/site.ts'
import { homeDifference, homeDifferenceText } from '../../wordpress/network/site-address.ts'
import { isPublic, type Page } from '../../wordpress/pages/posts.ts'
import { type Address, parsePageUrl } from '../../wordpress/permalinks/address.ts'
import { findPagesAt } from '../../wordpress/permalinks/find-page-at.ts'
import { isPretty, type LinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { postUrl } from '../../wordpress/permalinks/urls.ts'
import type { SiteData } from '../baking/site-data.ts'
import type { CopyContent } from '../publishing/publish-copies.ts'
import type { SiteBuild } from './site-build.ts'

export type RoutingOptions = {
  readonly db: Db
  readonly site: Site
  readonly hosts: SiteHosts
  /** When this build started to read, in milliseconds of `performance.now()`. */
  readonly startedAt: number
}

type Located = { readonly page: Page; readonly url: string; readonly address: Address }

/**
 * The URLs of the pages that a request for their own URL reaches, by page id, with the same number of statements for any number of pages. Not a page that
 * is not public, and not one whose URL leads elsewhere: a page of the main site may have the name of another site's folder, a language may
 * use another site's domain, and the front pages of languages may share one URL.
 */
export async function routablePages(
  options: RoutingOptions,
  build: SiteBuild,
  pages: readonly Page[],
): Promise<Map<number, string>> {
  const { db, site } = options
  const links = await build.data.links()
  if (isClosed(site)) return new Map()
  const located = pages.filter(isPublic).flatMap((page) => {
    const url = postUrl(links, page)
    const address = parsePageUrl(url)
    return address ? [{ page, url, address }] : []
  })
  const addresses = located.map(({ address }) => address)
  const [onSite, found] = await Promise.all([
    locatedOnSite(options, links, located),
    findPagesAt(db, site, links, addresses),
  ])
  const isOnSite = new Set(onSite)
  const routable = located.filter((one, index) => {
    const match = found[index]
    return isOnSite.has(one) && match?.exact === true && match.page.id === one.page.id
  })
  return new Map(routable.map(({ page, url }) => [page.id, url]))
}

/** The pages whose addresses lead to this site. */
async function locatedOnSite(
  { db, site, hosts, startedAt }: RoutingOptions,
  { home, languages }: LinkSettings,
  located: readonly Located[],
): Promise<Located[]> {
  const addresses = located.map(({ address }) => address)
  const own = hostsOfSite(site, home, languages.settings)
  const required = { since: startedAt, own }
  const blogIds = await findBlogIdsAt(db, site.globals, hosts, addresses, required)
  return located.filter((_, index) => blogIds[index] === site.blogId)
}

/** A page with what its static copy must show. */
export type PagePublication = {
  /** The page's URL. */
  readonly url: string
  /** See `routablePages`. */
  readonly isRoutable: boolean
  readonly publication: CopyContent
}

/** Pages with the ids of their frames, by page id (`SiteBuild.framesOf`). */
type Published = { readonly pages: readonly Page[]; readonly frames: ReadonlyMap<number, string> }

/**
 * The publications of many pages, by page id. A page that cannot be rendered has its error instead. The HTML of all pages is in memory at
 * the same time, so pass at most a hundred: a call needs about fifteen statements if the pages are on one frame, whatever their number.
 * @throws if the site or the addresses cannot be read
 */
export async function publicationsOf(
  routing: RoutingOptions,
  build: SiteBuild,
  { pages, frames }: Published,
): Promise<Map<number, PagePublication | { readonly error: unknown }>> {
  const links = await build.data.links()
  const reason = reasonForAllPages(routing.site, links)
  const [routable, rendered] = await Promise.all([
    routablePages(routing, build, pages),
    reason ? [] : build.renderAll(pages, frames),
  ])
  const publications = new Map<number, PagePublication | { readonly error: unknown }>()
  for (const [index, page] of pages.entries()) {
    const isRoutable = routable.has(page.id)
    const common = { url: postUrl(links, page), isRoutable }
    const result = rendered[index]
    if (reason) publications.set(page.id, { ...common, publication: reason })
    else if (result?.status === 'fulfilled')
      publications.set(page.id, {
        ...common,
        publication: unlessUnroutable(routing.site, links, result.value, isRoutable),
      })
    else publications.set(page.id, { error: result?.reason })
  }
  return publications
}

/** Why no page of the site has a static copy; undefined if pages may have one. */
function reasonForAllPages(site: Site, links: LinkSettings): CopyContent | undefined {
  if (isClosed(site)) return notPublic('The site is archived, spam or deleted.')
  if (isPretty(links)) return undefined
  return {
    reason: 'plain_permalinks',
    message: "The site uses plain permalinks, so a page's URL cannot be mapped to a file.",
  }
}

function unlessUnroutable(
  site: Site,
  { home }: LinkSettings,
  publication: CopyContent,
  isRoutable: boolean,
): CopyContent {
  if (isRoutable || !('html' in publication)) return publication
  if (homeDifference(site, home) !== undefined) return notPublic(homeDifferenceText(site, home))
  return notPublic(
    'Its URL leads to another page or another site. Change the slug of the page or the domain of its language; "wp-frames doctor" names the site that owns the host.',
  )
}

function notPublic(message: string): CopyContent {
  return { reason: 'page_not_public', message }
}

/**
 * The pages whose static copy should no longer exist at its URL because of edits in WordPress: the page was deleted, is not public, has no
 * frame, or has another URL; and those at an address of another site, which may be publishable all the same. All pages with a copy, if the site is
 * closed.
 * @param copies the URLs of the site's static copies, by page id
 * @param below see `listPathsBelow`
 */
export async function findStalePublications(
  build: SiteBuild,
  site: Site,
  copies: ReadonlyMap<number, string>,
  below: readonly string[],
): Promise<number[]> {
  const ofOthers = new Set(below)
  const onFrames = new Set(await build.pagesOn(build.graph.all().map(({ id }) => id)))
  const pages = await build.data.pagesById([...copies.keys()])
  const pageById = new Map(pages.map((page) => [page.id, page]))
  const stale: number[] = []
  for (const [id, url] of copies) {
    const copy = { url, page: pageById.get(id), hasFrame: onFrames.has(id) }
    const reason = await whyNotPublishedAt(build.data, site, copy)
    if (reason !== undefined || isBelowOne(url, ofOthers)) stale.push(id)
  }
  return stale
}

/** Whether the path of a URL is that of a site, or below it. */
function isBelowOne(url: string, paths: ReadonlySet<string>): boolean {
  const { segments = [] } = parsePageUrl(url) ?? {}
  return paths.size > 0 && sitePaths(segments).some((path) => paths.has(path.toLowerCase()))
}

/** Why a page must not have a static copy at a URL. */
export type UnpublishableReason =
  | 'deleted'
  | 'no_frame'
  | 'site_closed'
  | 'not_public'
  | 'other_url'

/** Undefined if the page may have a static copy at the URL. */
export async function whyNotPublishedAt(
  data: Pick<SiteData, 'urlOf'>,
  site: Site,
  { url, page, hasFrame }: { url: string; page: Page | undefined; hasFrame: boolean },
): Promise<UnpublishableReason | undefined> {
  if (!page) return 'deleted'
  if (!hasFrame) return 'no_frame'
  if (isClosed(site)) return 'site_closed'
  if (!isPublic(page)) return 'not_public'
  return (await data.urlOf(page)) === url ? undefined : 'other_url'
}
