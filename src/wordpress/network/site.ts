import { trimEnd } from '../formatting/plain-text.ts'

/** A site's own tables. Every table name in a statement comes from here. */
export type SiteTables = {
  readonly options: string
  readonly posts: string
  readonly postmeta: string
  readonly terms: string
  readonly termmeta: string
  readonly termTaxonomy: string
  readonly termRelationships: string
}

/** One site of the network, passed to every function that works on a site. */
export type Site = {
  readonly blogId: number
  /** `site_id` in WordPress's tables: the network, not the site. */
  readonly networkId: number
  /** Host in lower case, with a port if it has one. */
  readonly domain: string
  /** Begins and ends with a slash. */
  readonly path: string
  readonly prefix: string
  readonly tables: SiteTables
  readonly archived: boolean
  readonly spam: boolean
  /** Deleted (1) or not activated yet (2): closed to everyone (ms_site_check). */
  readonly deleted: boolean
  readonly globals: GlobalTables
}

/** The columns of a `blogs` row that are read. */
export type BlogRow = {
  readonly blog_id: number
  readonly site_id: number
  readonly domain: string
  readonly path: string
  readonly archived: number
  readonly spam: number
  readonly deleted: number
}

export const BLOG_COLUMNS = [
  'blog_id',
  'site_id',
  'domain',
  'path',
  'archived',
  'spam',
  'deleted',
] as const

/** The site of a `blogs` row, whether or not its tables exist. */
export function siteOf(globals: GlobalTables, row: BlogRow): Site {
  const prefix = blogPrefix(globals.basePrefix, row.blog_id)
  return {
    blogId: row.blog_id,
    networkId: row.site_id,
    domain: row.domain.toLowerCase(),
    path: row.path,
    prefix,
    tables: {
      options: `${prefix}options`,
      posts: `${prefix}posts`,
      postmeta: `${prefix}postmeta`,
      terms: `${prefix}terms`,
      termmeta: `${prefix}termmeta`,
      termTaxonomy: `${prefix}term_taxonomy`,
      termRelationships: `${prefix}term_relationships`,
    },
    archived: Number(row.archived) === 1,
    spam: Number(row.spam) === 1,
    deleted: Number(row.deleted) !== 0,
    globals,
  }
}

/** The first site's tables have no number, even if another site is the main one (wpdb::get_blog_prefix). */
export function blogPrefix(basePrefix: string, blogId: number): string {
  return blogId <= 1 ? basePrefix : `${basePrefix}${blogId}_`
}

/** Host and path for display, without a slash at the end: `net.test/shop`. */
export function siteAddress({ domain, path }: Pick<Site, 'domain' | 'path'>): string {
  return trimEnd(`${domain}${path}`, '/')
}

/** The tables that a whole installation shares, under its base prefix (wpdb::tables, scope `global`). */
export type GlobalTables = {
  /** `$table_prefix` of wp-config.php. */
  readonly basePrefix: string
  readonly blogs: string
  /** One row per network. */
  readonly site: string
  readonly sitemeta: string
  readonly users: string
  readonly usermeta: string
}

/** The shared tables of the installation with this base prefix. */
export function globalTables(basePrefix: string): GlobalTables {
  return {
    basePrefix,
    blogs: `${basePrefix}blogs`,
    site: `${basePrefix}site`,
    sitemeta: `${basePrefix}sitemeta`,
    users: `${basePrefix}users`,
    usermeta: `${basePrefix}usermeta`,
  }
}

export const SITE_STATES = ['live', 'archived', 'spam', 'deleted'] as const
export type SiteState = (typeof SITE_STATES)[number]

/** A site with several marks is in the most severe state; `deleted` is also a site that is not activated yet. */
export function siteState({ archived, spam, deleted }: Site): SiteState {
  if (deleted) return 'deleted'
  if (spam) return 'spam'
  return archived ? 'archived' : 'live'
}

/** Whether visitors cannot see the site: archived, spam, deleted or not activated (ms_site_check, ms-load.php). */
export function isClosed({ archived, spam, deleted }: Site): boolean {
  return archived || spam || deleted
}
