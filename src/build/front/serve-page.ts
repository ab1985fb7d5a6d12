import type { RequestHandler } from 'express'
import type { Database } from '../../db/database.ts'
import type { MarkVolatile } from '../../db/validated-reads.ts'
import type { RequestCoalescer } from '../../host/concurrency/request-coalescer.ts'
import type { Log } from '../../host/log.ts'
import { parseUrl } from '../../host/parse-url.ts'
import { findSiteAt, type SiteHosts } from '../../wordpress/hosts/site-hosts.ts'
import { type GlobalTables, isClosed } from '../../wordpress/network/site.ts'
import { type Address, isPathTooLong } from '../../wordpress/permalinks/address.ts'
import { findPageAt, routingKeys } from '../../wordpress/permalinks/find-page-at.ts'
import { readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import type { Executor } from '../executor/executor.ts'
import type { TaggedPage } from '../publishing/cache-tags.ts'
import { sendHostsPage } from './hosts-page.ts'
import {
  type PageCacheSettings,
  pageCacheHeaders,
  redirect,
  robotsHeader,
  sendErrorPage,
} from './page-responses.ts'

export type PageServices = PageCacheSettings & {
  readonly db: Database
  readonly globals: GlobalTables
  readonly hosts: SiteHosts
  readonly executor: Pick<Executor, 'render'>
  /** Renders a page once for concurrent requests. */
  readonly coalescer: RequestCoalescer
  readonly log: Log
  /** At a host that no site has, the hosts of all sites are listed, for an operator who tries the front. */
  readonly listsHosts: boolean
}

/** `locals` of the responses of the front. */
export type PageLocals = {
  /** The label of the metrics. */
  readonly route: 'page'
  /** The requested address; undefined if it is invalid. */
  readonly address: Address | undefined
}

/**
 * Renders the page at an address. Redirects to the page's own URL if the address is another one and the page can be shown. Sends 404 if there
 * is no public page or it has no frame, and 410 for a site that is archived, spam or deleted (ms_site_check).
 */
export function servePages(
  services: PageServices,
): RequestHandler<object, unknown, unknown, unknown, PageLocals> {
  const { coalescer, db, globals, listsHosts } = services
  return async (request, response) => {
    const { address } = response.locals
    if (!address) return sendErrorPage(response, isPathTooLong(request.url) ? 414 : 400)
    const key = JSON.stringify(address)
    const result = await coalescer.run(key, () => findAndRenderPage(services, address))
    if ('status' in result) {
      if (result.hasNoSite && listsHosts) return sendHostsPage(response, db, globals, address.host)
      return sendErrorPage(response, result.status)
    }
    if ('routing' in result)
      return redirect(response, result.url, address.query, result.routing, result.redirect)
    const caching = pageCacheHeaders(request, result.url, result.tagged, services)
    const robots = robotsHeader(services.hosts, result.tagged.site)
    response.set({ ...caching, ...robots, Vary: 'Accept-Encoding' })
    response.type('html').send(result.html)
  }
}

/** The result for an address: a page and its own URL, a redirect to the page's own URL, or an error status. */
type PageResult =
  | { readonly html: string; readonly url: string; readonly tagged: TaggedPage }
  | {
      readonly url: string
      readonly routing: ReturnType<typeof routingKeys>
      readonly redirect: 301 | 302
    }
  | { readonly status: 404 | 410; readonly hasNoSite?: boolean }

/** The page at an address as it was last rendered if it would be the same now, else rendered again. */
async function findAndRenderPage(services: PageServices, address: Address): Promise<PageResult> {
  const { result } = await services.db.validated(
    `page at ${JSON.stringify(address)}`,
    (db, markVolatile) => readPage({ ...services, db }, address, markVolatile),
    ({ result, isKept }) =>
      isKept && 'html' in result ? 2 * result.html.length : Number.POSITIVE_INFINITY,
  )
  return result
}

/** `isKept`: whether the result may be kept: visitors can invent any number of other addresses of a page. */
type ReadPage = { readonly result: PageResult; readonly isKept: boolean }

async function readPage(
  { db, globals, hosts, executor }: PageServices,
  address: Address,
  markVolatile: MarkVolatile,
): Promise<ReadPage> {
  const not = (status: 404 | 410): ReadPage => ({ result: { status }, isKept: false })
  const site = await findSiteAt(db, globals, hosts, address, markVolatile)
  if (!site) return { result: { status: 404, hasNoSite: true }, isKept: false }
  if (isClosed(site)) return not(410)
  const links = await readLinkSettings(db, site)
  const found = await findPageAt(db, site, links, address)
  const visible = found && (await executor.render(site, found.page, { db, markVolatile }))
  if (!found || visible === undefined) return not(404)
  const { exact, url } = found
  // No redirect if the site's settings yield no valid URL (redirect_canonical, canonical.php).
  const isFinal = exact || parseUrl(url) === undefined
  const status = found.isUndecided ? (302 as const) : (301 as const)
  const { html, shown } = visible
  const tagged = { site: site.blogId, page: found.page.id, shown }
  const result = isFinal
    ? { html, url, tagged }
    : { url, routing: routingKeys(links), redirect: status }
  return { result, isKept: exact && address.query === '' }
}
