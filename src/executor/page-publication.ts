import { resolve } from 'node:path'
import type { SiteData } from '../baking/site-data.ts'
import type { Db } from '../db/database.ts'
import { listCopies } from '../publishing/copy-records.ts'
import type { Publication } from '../publishing/publish-page.ts'
import { isClosed, type Site } from '../wordpress/network/site.ts'
import { findBlogAt, type SiteHosts } from '../wordpress/network/site-hosts.ts'
import { isPublic, type Page } from '../wordpress/pages/posts.ts'
import { type Address, parseUrl } from '../wordpress/permalinks/address.ts'
import { findPageAt } from '../wordpress/permalinks/find-page-at.ts'
import { isPretty, type LinkSettings } from '../wordpress/permalinks/link-settings.ts'
import type { SiteBuild } from './site-build.ts'

export type RoutingOptions = {
  readonly db: Db
  readonly site: Site
  readonly hosts: SiteHosts
  /** When this build started to read, in milliseconds since 1970. */
  readonly builtAt: number
}

/**
 * True if a request for the page's own URL reaches this page. False for a page that is not public, and if the URL leads elsewhere: a page of
 * the main site may have the name of another site's folder, a language may use another site's domain, and the front pages of languages may
 * share one URL.
 */
export async function isPubliclyRoutable(
  options: RoutingOptions,
  build: SiteBuild,
  page: Page,
): Promise<boolean> {
  const { db, site } = options
  const address = parseUrl(await build.data.urlOf(page))
  if (!address || isClosed(site) || !isPublic(page)) return false
  const links = await build.data.links()
  if (!(await leadsToSite(options, links, address))) return false
  const found = await findPageAt(db, site, links, address)
  return found?.exact === true && found.page.id === page.id
}

/** The cached host table is used for the host of the site's home, which no other site can take. Other hosts are read for each build. */
async function leadsToSite(
  { db, site, hosts, builtAt }: RoutingOptions,
  { home }: LinkSettings,
  address: Address,
): Promise<boolean> {
  const isOwn = async (since?: number) =>
    (await findBlogAt(db, site.globals, hosts, address, since))?.blog_id === site.blogId
  const isOfHome = address.host === parseUrl(home)?.host
  return (isOfHome && (await isOwn())) || isOwn(builtAt)
}

/**
 * The content of a page's static copy, or why the page has none.
 * @param page undefined for a deleted page
 * @param isRoutable the result of `isPubliclyRoutable`
 */
export async function publicationOf(
  site: Site,
  build: SiteBuild,
  page: Page | undefined,
  isRoutable: boolean,
): Promise<Publication> {
  if (!page) return notPublic('The page was deleted.')
  if (isClosed(site)) return notPublic('The site is archived, spam or deleted.')
  if (!isPretty(await build.data.links())) {
    return {
      reason: 'plain_permalinks',
      message: "The site uses plain permalinks, so a page's URL cannot be mapped to a file.",
    }
  }
  const publication = await build.render(page)
  if ('html' in publication && !isRoutable)
    return notPublic(
      'Its URL leads to another page or another site. Change the slug of the page or the domain of its language; "wp-frames doctor" names the site that owns the host.',
    )
  return publication
}

function notPublic(message: string): Publication {
  return { reason: 'page_not_public', message }
}

/**
 * The pages whose static copy should no longer exist at its URL because of edits in WordPress: the page was deleted, is not public, has no
 * frame, or has another URL. All pages with a copy, if the site is closed.
 */
export async function findStalePublications(
  build: SiteBuild,
  site: Site,
  staticDir: string,
): Promise<number[]> {
  const copies = await listCopies(resolve(staticDir), site.blogId)
  const onFrames = new Set(await build.pagesOn(build.graph.all().map(({ id }) => id)))
  const pages = await build.data.pagesById([...copies.keys()])
  const pageById = new Map(pages.map((page) => [page.id, page]))
  const stale: number[] = []
  for (const [id, url] of copies) {
    const copy = { url, page: pageById.get(id), hasFrame: onFrames.has(id) }
    if ((await whyNotPublishedAt(build.data, site, copy)) !== undefined) stale.push(id)
  }
  return stale
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
