import { z } from 'zod'
import { readFeedState } from '../../changes/feed/feed-state.ts'
import { readRegistries } from '../../content/frames/registry.ts'
import { NO_WORK, readSiteVersions, readWorkOfSites } from '../../content/work/work-status.ts'
import type { Db } from '../../db/database.ts'
import { listAdministeredSites } from '../../record/auth/authorize-site.ts'
import { TOKEN_SCOPES } from '../../record/auth/token-scopes.ts'
import { readChangeTimes } from '../../record/history/read-history.ts'
import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import { readLanguagesOfSites } from '../../wordpress/languages/languages-of-sites.ts'
import {
  countBlogs,
  findInstalled,
  findMainBlog,
  readBlogs,
} from '../../wordpress/network/find-sites.ts'
import {
  type GlobalTables,
  SITE_STATES,
  type Site,
  siteAddress,
  siteOf,
  siteState,
} from '../../wordpress/network/site.ts'
import { readSiteNames, type SiteNames } from '../../wordpress/network/site-names.ts'
import { findNetworkRefusal } from '../authorize-network.ts'
import { exampled, field, nullable } from '../described.ts'
import { defineEndpoint, type Endpoint, type ResponseOf } from '../endpoint.ts'
import { idPaging, nextIdField, searchField } from '../paging.ts'
import { pick } from '../pick.ts'
import { WorkStatusSchema } from './work.ts'

/** Sites on a page of a list. */
export const SITES_PER_PAGE = { max: 200, byDefault: 50 }

/** The query of a list of sites. */
const sitesQuery = {
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

type SitesQuery = z.output<z.ZodObject<typeof sitesQuery>>

/** A site in a list. */
const siteFields = {
  site_id: z.int().meta({ examples: [2] }),
  title: field(z.string(), 'Plain text.', 'Shop'),
  address: z.string().meta({ examples: ['net.test/shop'] }),
  home: z.string().meta({ examples: ['http://net.test/shop'] }),
  state: z.enum(SITE_STATES).describe('Visitors see only `live` sites.'),
}

const framesField = nullable(
  z.int(),
  'Number of frames; null if the registry of the site cannot be read.',
)

/** A site and its names. */
type NamedSite = { readonly site: Site; readonly names: SiteNames }

/**
 * A page of the sites that the query searches for. The number of statements depends on the number of sites: one for 200 of the page, and with
 * `search` one for 200 of all these sites.
 * @param sites by id
 */
async function readSitePage(
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

function presentSite({ site, names }: NamedSite): ResponseOf<z.ZodObject<typeof siteFields>> {
  const { title, home } = names
  return { site_id: site.blogId, title, address: siteAddress(site), home, state: siteState(site) }
}

const getMeEndpoint = defineEndpoint({
  on: 'caller',
  name: 'getMe',
  method: 'get',
  path: '/me',
  summary: 'Read whose token this is, and what it is limited to',
  response: z.object({
    user: z.object({
      id: z.int().meta({ examples: [2] }),
      login: z.string().meta({ examples: ['alice'] }),
    }),
    token: z.object({
      id: z.int(),
      label: z.string().meta({ examples: ['deploy'] }),
      scope: z.enum(TOKEN_SCOPES).describe('What it may do at most.'),
      sites: nullable(z.array(z.int()), 'The only sites it may be used for; null: all.'),
      expires_at: nullable(z.string(), 'GMT; null if it does not expire.', '2026-03-01 09:30:00'),
    }),
    may_manage_network: z.boolean().describe('Whether it may be used for `/network`.'),
  }),
  async read({ db, globals, caller }) {
    const { user, tokenId: id, tokenLabel: label, tokenExpiresAt: expires_at, limits } = caller
    const { scope, sites } = limits
    return {
      user: { id: user.id, login: user.login },
      token: { id, label, scope, sites: sites && [...sites], expires_at },
      may_manage_network: !(await findNetworkRefusal(db, globals, caller)),
    }
  },
})

const listSitesEndpoint = defineEndpoint({
  on: 'caller',
  name: 'listSites',
  method: 'get',
  path: '/sites',
  summary: 'List the sites that the token may administer, by id',
  command: {
    name: 'sites',
    summary: 'list the sites of the network that are not deleted, or those of a login',
    list: {
      rows: 'sites',
      noun: 'site',
      id: 'site_id',
      shown: ['site_id', 'address', 'title', 'state', 'main:yes', 'frames=unreadable'],
    },
    options: { id: false },
    examples: [
      'wp-frames sites',
      'wp-frames sites --search shop --format csv --fields site_id,address,state',
      'wp-frames sites --format ids | xargs -r -n 1 wp-frames doctor --site',
    ],
  },
  description:
    'The sites of which the user of the token is an administrator, within the limits of the token. Archived sites and spam are only for super administrators, and deleted sites for nobody.',
  query: z.object(sitesQuery),
  response: z.object({
    total: z.int().describe('Sites on all pages.'),
    sites: z.array(
      z.object({
        ...siteFields,
        main: z.boolean().describe('The main site of the network.'),
        frames: framesField,
        languages: z
          .array(
            z.object({
              code: z.string().meta({ examples: ['fr'] }),
              name: field(z.string(), 'Plain text.', 'Français'),
              rtl: z.boolean().describe('Written from right to left.'),
            }),
          )
          .describe('In the order of Polylang; empty without it.'),
        default_lang: exampled(z.string().nullable(), 'en'),
        changed_at: nullable(
          z.string(),
          'When something of the site was written last, GMT; null if nothing was.',
          '2026-03-01 09:30:00.250',
        ),
        work: WorkStatusSchema,
      }),
    ),
    next: nextIdField,
  }),
  mcpLeavesOut: ['sites.home', 'sites.main', 'sites.frames', 'sites.changed_at', 'sites.work'],
  async read({ db, globals, caller, query }) {
    const sites = await listAdministeredSites(db, globals, caller)
    const { total, page, next } = await readSitePage(db, sites, query)
    const shown = page.map(({ site }) => site)
    const ids = shown.map(({ blogId }) => blogId)
    const [main, registries, languages, changes, work] = await Promise.all([
      findMainBlog(db, globals),
      readRegistries(db, shown),
      readLanguagesOfSites(db, shown),
      readChangeTimes(db, globals, ids),
      readWorkOfSites(db, globals, ids),
    ])
    return {
      total,
      sites: page.map((named) => {
        const ofSite = languages.get(named.site.blogId)
        return {
          ...presentSite(named),
          main: named.site.blogId === main?.blog_id,
          frames: registries.get(named.site.blogId)?.size ?? null,
          languages: (ofSite?.list ?? []).map(({ slug, name, rtl }) => ({
            code: slug,
            name: decodeName(name),
            rtl,
          })),
          default_lang: ofSite?.default ?? null,
          changed_at: changes.get(named.site.blogId) ?? null,
          work: pick(WorkStatusSchema, work.get(named.site.blogId) ?? NO_WORK),
        }
      }),
      next,
    }
  },
})

const FeedSchema = z.object({
  healthy: z.boolean().describe('Whether edits in WordPress are reported in time.'),
  lag_ms: nullable(z.int(), 'How long they take to arrive; null if that is unknown.'),
  error: nullable(
    z.object({ message: z.string(), age_s: z.int() }),
    'Why it failed last, and how many seconds ago.',
  ),
})

const listNetworkSitesEndpoint = defineEndpoint({
  on: 'network',
  name: 'listNetworkSites',
  method: 'get',
  path: '/sites',
  summary: 'List all sites of the network with the state of their work, by id',
  description: 'In any state, also deleted sites.',
  query: z.object(sitesQuery),
  response: z.object({
    total: z.int().describe('Sites on all pages.'),
    sites: z.array(
      z.object({
        ...siteFields,
        installed: z.boolean().describe('False if the site has no tables.'),
        version: field(z.int(), 'Increases with each write that has effects; 0 before the first.'),
        frames: framesField,
        work: WorkStatusSchema,
      }),
    ),
    next: nextIdField,
    feed: FeedSchema.nullable().describe('The change feed; null if none was ever started.'),
  }),
  mcpLeavesOut: ['sites.home', 'sites.version'],
  async read({ db, globals, query }) {
    const { total, page, next } = await readPage(db, globals, query)
    const sites = page.map(({ site }) => site)
    const ids = sites.map(({ blogId }) => blogId)
    const [installed, versions, work, registries, feed] = await Promise.all([
      findInstalled(db, globals, ids),
      readSiteVersions(db, globals, ids),
      readWorkOfSites(db, globals, ids),
      readRegistries(db, sites),
      readFeedState(db, globals),
    ])
    return {
      total,
      sites: page.map((named) => {
        const { blogId } = named.site
        return {
          ...presentSite(named),
          installed: installed.has(blogId),
          version: versions.get(blogId) ?? 0,
          frames: registries.get(blogId)?.size ?? null,
          work: pick(WorkStatusSchema, work.get(blogId) ?? NO_WORK),
        }
      }),
      next,
      feed: feed
        ? {
            healthy: feed.isHealthy,
            lag_ms: feed.lagMs,
            error: feed.error
              ? { message: feed.error.message, age_s: feed.error.secondsAgo }
              : null,
          }
        : null,
    }
  },
})

/** Without a search only the rows of the page are read, so that going through all pages takes a time in proportion to the sites. */
async function readPage(
  db: Db,
  globals: GlobalTables,
  query: SitesQuery,
): ReturnType<typeof readSitePage> {
  const { id, search = '', after = 0, limit = SITES_PER_PAGE.byDefault } = query
  const isSearch = id !== undefined || search.trim() !== ''
  // One more row tells whether there is a next page.
  const rows = await readBlogs(db, globals, isSearch ? undefined : { after, limit: limit + 1 })
  const found = await readSitePage(
    db,
    rows.map((row) => siteOf(globals, row)),
    query,
  )
  return isSearch ? found : { ...found, total: await countBlogs(db, globals) }
}

export const endpoints: readonly Endpoint[] = [
  listNetworkSitesEndpoint,
  getMeEndpoint,
  listSitesEndpoint,
]
