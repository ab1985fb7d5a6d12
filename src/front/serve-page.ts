import type { RequestHandler } from 'express'
import type { Db } from '../db/database.ts'
import type { Executor } from '../executor/executor.ts'
import type { Log } from '../log.ts'
import type { GlobalTables } from '../wordpress/network/global-tables.ts'
import { isClosed } from '../wordpress/network/is-closed.ts'
import { parseAddress } from '../wordpress/permalinks/address.ts'
import { findPageAt, routingKeys } from '../wordpress/permalinks/find-page-at.ts'
import { readLinkSettings } from '../wordpress/permalinks/read-link-settings.ts'
import { pageCacheControl } from './cache-headers.ts'
import { sendErrorPage } from './error-page.ts'
import { findSiteAt } from './find-site-at.ts'
import { redirect } from './redirect.ts'
import { SiteHosts } from './site-hosts.ts'

export type PageServices = {
  readonly db: Db
  readonly globals: GlobalTables
  readonly executor: Pick<Executor, 'render'>
  readonly log: Log
  /** Page caches that are told of changes. */
  readonly pageCachePurge?: readonly string[]
}

/**
 * Renders the page at an address; an address that is not the page's own is redirected there, once it is sure that there is something
 * to see. Without a page that visitors may see, or without a frame: 404. A site that is archived, spam or deleted: 410 (ms_site_check).
 */
export function servePages({
  db,
  globals,
  executor,
  pageCachePurge,
}: PageServices): RequestHandler {
  const hosts = new SiteHosts(db, globals)
  const cacheControl = pageCacheControl(pageCachePurge)
  return async (request, response) => {
    const address = parseAddress(request.headers.host ?? '', request.url ?? '')
    if (!address) return sendErrorPage(response, 400)
    const site = await findSiteAt(db, globals, hosts, address)
    if (!site) return sendErrorPage(response, 404)
    if (isClosed(site)) return sendErrorPage(response, 410)
    const links = await readLinkSettings(db, site)
    const found = await findPageAt(db, site, links, address)
    const html = found && (await executor.render(site, found.page.id))
    if (!found || html === undefined) return sendErrorPage(response, 404)
    if (!found.exact) return redirect(response, found.url, address.query, routingKeys(links))
    response.set({ 'Cache-Control': cacheControl, Vary: 'Accept-Encoding' })
    response.type('html').send(html)
  }
}
