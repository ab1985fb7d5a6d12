import { resolve } from 'node:path'
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
  /** When reading for this build began, in milliseconds since 1970. */
  readonly builtAt: number
}

/**
 * Do visitors get a page at its own address? Only one that is public, and not where another page is shown: a page of the main site may
 * bear the name of another site's folder, a language may be given another site's domain, and languages may share the address of their
 * front pages.
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

/** What is remembered of hosts will do for that of the site's home, which nobody can take from it; the rest is read for each build. */
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
 * What the static copy of a page should be, or why there is none.
 * @param page undefined for one that is gone
 * @param reached what `isPubliclyRoutable` says of it
 */
export async function publicationOf(
  site: Site,
  build: SiteBuild,
  page: Page | undefined,
  reached: boolean,
): Promise<Publication> {
  if (!page) return notPublic('The page is gone.')
  if (isClosed(site)) return notPublic('The site is archived, spam or deleted.')
  if (!isPretty(await build.data.links())) {
    return {
      reason: 'plain_permalinks',
      message: "The site's permalinks are plain, so no file can stand for a page.",
    }
  }
  const publication = await build.render(page)
  if ('html' in publication && !reached)
    return notPublic(
      'Its address belongs to another page or another site. Give the page another slug, or its language another domain; "wp-frames doctor" names the site that has the host.',
    )
  return publication
}

function notPublic(message: string): Publication {
  return { reason: 'page_not_public', message }
}

/**
 * Pages of a site that were edited past this service: they have a static copy, but are gone, hidden, on no frame, or stand at another
 * address now. All that have one, where the site itself is closed.
 */
export async function findStalePublications(
  build: SiteBuild,
  site: Site,
  staticDir: string,
): Promise<number[]> {
  const copies = await listCopies(resolve(staticDir), site.blogId)
  const onFrames = new Set(await build.pagesOn(build.graph.all().map(({ id }) => id)))
  const inPlace = new Set<number>()
  for (const page of await build.data.pagesById([...copies.keys()])) {
    const stands = (await build.data.urlOf(page)) === copies.get(page.id)
    if (stands && !isClosed(site) && isPublic(page) && onFrames.has(page.id)) inPlace.add(page.id)
  }
  return [...copies.keys()].filter((id) => !inPlace.has(id))
}
