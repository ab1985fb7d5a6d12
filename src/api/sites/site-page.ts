import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { SITE_STATES, type Site, siteAddress, siteState } from '../../wordpress/network/site.ts'
import { readSiteNames, type SiteNames } from '../../wordpress/network/site-names.ts'
import type { ResponseOf } from '../endpoint.ts'
import { idPaging, searchField } from '../paging.ts'

/** Sites on a page of a list. */
export const SITES_PER_PAGE = { max: 200, byDefault: 50 }

/** The query of a list of sites. */
export const sitesQuery = {
  id: z.coerce
    .number({ error: 'must be the id of a site' })
    .int()
    .min(1)
    .optional()
    .meta({ description: 'Only the site with this id.', examples: [2] }),
  search: searchField(
    'Only sites whose title or address contains this text, or whose id it is; case-insensitive.',
    'shop',
  ),
  ...idPaging('Sites', SITES_PER_PAGE),
}

export type SitesQuery = z.output<z.ZodObject<typeof sitesQuery>>

/** A site in a list. */
export const siteFields = {
  site_id: z.int().meta({ examples: [2] }),
  title: z.string().meta({ description: 'Plain text.', examples: ['Shop'] }),
  address: z.string().meta({ examples: ['net.test/shop'] }),
  home: z.string().meta({ examples: ['http://net.test/shop'] }),
  state: z.enum(SITE_STATES).describe('Visitors see only `live` sites.'),
}

/** A site and its names. */
export type NamedSite = { readonly site: Site; readonly names: SiteNames }

/**
 * A page of the sites that the query searches for. The number of statements depends on the number of sites: one for 200 of the page, and with
 * `search` one for 200 of all these sites.
 * @param sites by id
 */
export async function readSitePage(
  db: Db,
  sites: readonly Site[],
  { id, search = '', after = 0, limit = SITES_PER_PAGE.byDefault }: SitesQuery,
): Promise<{
  readonly total: number
  readonly page: readonly NamedSite[]
  readonly next: number | null
}> {
  const wanted = search.trim().toLowerCase()
  const candidates = id === undefined ? sites : sites.filter(({ blogId }) => blogId === id)
  const titled = wanted === '' ? undefined : await readSiteNames(db, candidates)
  const found = candidates.filter(
    (site) =>
      String(site.blogId) === wanted ||
      siteAddress(site).toLowerCase().includes(wanted) ||
      titled?.get(site.blogId)?.title.toLowerCase().includes(wanted),
  )
  const rest = found.filter(({ blogId }) => blogId > after)
  const shown = rest.slice(0, limit)
  const names = titled ?? (await readSiteNames(db, shown))
  return {
    total: found.length,
    page: shown.map((site) => ({ site, names: names.get(site.blogId) ?? NO_NAMES })),
    next: rest.length > limit ? (shown.at(-1)?.blogId ?? null) : null,
  }
}

/** Of a site whose options cannot be read. */
const NO_NAMES: SiteNames = { title: '', home: '' }

export function presentSite({
  site,
  names,
}: NamedSite): ResponseOf<z.ZodObject<typeof siteFields>> {
  const { title, home } = names
  return { site_id: site.blogId, title, address: siteAddress(site), home, state: siteState(site) }
}
