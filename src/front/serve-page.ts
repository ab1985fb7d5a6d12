import type { RequestHandler } from 'express'
import { RequestCoalescer } from '../concurrency/request-coalescer.ts'
import type { Db } from '../db/database.ts'
import type { Executor } from '../executor/executor.ts'
import type { Log } from '../log.ts'
import { type GlobalTables, isClosed } from '../wordpress/network/site.ts'
import { findSiteAt, type SiteHosts } from '../wordpress/network/site-hosts.ts'
import { type Address, parseAddress } from '../wordpress/permalinks/address.ts'
import { findPageAt, routingKeys } from '../wordpress/permalinks/find-page-at.ts'
import { readLinkSettings } from '../wordpress/permalinks/link-settings.ts'
import { pageCacheControl, redirect, sendErrorPage } from './page-responses.ts'

export type PageServices = {
  readonly db: Db
  readonly globals: GlobalTables
  readonly hosts: SiteHosts
  readonly executor: Pick<Executor, 'render'>
  readonly log: Log
  /** Page caches that are told of changes. */
  readonly pageCachePurge?: readonly string[]
}

/**
 * Renders the page at an address; an address that is not the page's own is redirected there, once it is sure that there is something
 * to see. Without a page that visitors may see, or without a frame: 404. A site that is archived, spam or deleted: 410 (ms_site_check).
 */
export function servePages(services: PageServices): RequestHandler {
  const reads = new RequestCoalescer()
  return async (request, response) => {
    const address = parseAddress(request.headers.host ?? '', request.url ?? '')
    if (!address) return sendErrorPage(response, 400)
    // Of a page that has no copy, all who come at once are shown one rendering.
    const key = JSON.stringify(address)
    const shown = await reads.run(key, () => findAndRenderPage(services, address))
    if ('status' in shown) return sendErrorPage(response, shown.status)
    if ('routing' in shown) return redirect(response, shown.url, address.query, shown.routing)
    const cacheControl = pageCacheControl(request, shown.url, services.pageCachePurge)
    response.set({ 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' })
    response.type('html').send(shown.html)
  }
}

/** What is to be seen at an address: a page and its own address, only that where it is to be found there, or why there is none. */
type PageResult =
  | { readonly html: string; readonly url: string }
  | { readonly url: string; readonly routing: ReturnType<typeof routingKeys> }
  | { readonly status: 404 | 410 }

async function findAndRenderPage(
  { db, globals, hosts, executor }: PageServices,
  address: Address,
): Promise<PageResult> {
  const site = await findSiteAt(db, globals, hosts, address)
  if (!site) return { status: 404 }
  if (isClosed(site)) return { status: 410 }
  const links = await readLinkSettings(db, site)
  const found = await findPageAt(db, site, links, address)
  const html = found && (await executor.render(site, found.page.id))
  if (!found || html === undefined) return { status: 404 }
  // Where the site's settings make no address of it, nobody can be sent there (redirect_canonical, canonical.php).
  const isShownHere = found.exact || !URL.canParse(found.url)
  const { url } = found
  return isShownHere ? { html, url } : { url, routing: routingKeys(links) }
}
