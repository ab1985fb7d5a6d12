import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { readFeedState } from '../../feed/feed-table.ts'
import { readRegistries } from '../../frames/registry.ts'
import { countBlogs, findInstalled, readBlogs } from '../../wordpress/network/find-sites.ts'
import { readSiteVersions } from '../../wordpress/network/network-version.ts'
import { type GlobalTables, siteOf } from '../../wordpress/network/site.ts'
import { NO_WORK, readWorkOfSites } from '../../work/work-status.ts'
import { defineEndpoint } from '../endpoint.ts'
import { nextIdField } from '../paging.ts'
import { pick } from '../pick.ts'
import {
  presentSite,
  readSitePage,
  SITES_PER_PAGE,
  type SitesQuery,
  siteFields,
  sitesQuery,
} from '../sites/site-page.ts'
import { WorkStatusSchema } from '../work/get-work.endpoint.ts'

const FeedSchema = z.object({
  healthy: z.boolean().describe('Whether edits in WordPress are reported in time.'),
  lag_ms: z.int().nullable().describe('How long they take to arrive; null if that is unknown.'),
  error: z
    .object({ message: z.string(), age_s: z.int() })
    .nullable()
    .describe('Why it failed last, and how many seconds ago.'),
})

export const listNetworkSitesEndpoint = defineEndpoint({
  on: 'network',
  name: 'listNetworkSites',
  method: 'get',
  path: '/sites',
  scope: 'read',
  summary: 'List all sites of the network with the state of their work, by id',
  description: 'In any state, also deleted sites.',
  query: z.object(sitesQuery),
  response: z.object({
    total: z.int().describe('Sites on all pages.'),
    sites: z.array(
      z.object({
        ...siteFields,
        installed: z.boolean().describe('False if the site has no tables.'),
        version: z
          .int()
          .describe('Increases with each write that has effects; 0 before the first.'),
        frames: z
          .int()
          .nullable()
          .describe('Number of frames; null if the registry of the site cannot be read.'),
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
