import { inBatches } from '../../../src/db/sql.ts'
import { blogPrefix } from '../../../src/wordpress/network/site.ts'
import type { SqlDatabase } from '../../support/open-database.ts'

/** The tables of each site (wpdb::tables, scope `blog`), first those in which a generated site has rows. */
const SITE_TABLES = [
  'options',
  'postmeta',
  'posts',
  'term_relationships',
  'term_taxonomy',
  'terms',
  'commentmeta',
  'comments',
  'links',
  'termmeta',
] as const
const FILLED = 6

export type SiteTable = (typeof SITE_TABLES)[number]

/** A site to add to the network. */
export type NewSite = {
  readonly blogId: number
  readonly domain: string
  /** Begins and ends with a slash. */
  readonly path: string
}

const ROWS_PER_STATEMENT = 200
/** Connections that create tables at the same time. */
const CONNECTIONS = 2
const REGISTERED = '2026-01-02 03:04:05'

/** The name of a table of a site. */
export const tableOf = (blogId: number, name: SiteTable): string =>
  `${blogPrefix('wp_', blogId)}${name}`

/** The name of the option with the roles of a site. */
export const rolesOf = (blogId: number): string => `${blogPrefix('wp_', blogId)}user_roles`

/** The URL of a site's home, without a slash at the end. */
export const homeOf = ({ domain, path }: NewSite): string => `http://${domain}${path.slice(0, -1)}`

/** The title of a site when it is created. */
export const nameOf = ({ blogId }: NewSite): string => `Site ${blogId}`

/** Creates the empty tables of a site, with the columns and indexes of another site's. */
export async function createTables(db: SqlDatabase, model: number, blogId: number): Promise<void> {
  for (const name of SITE_TABLES)
    await db.sql.raw(`CREATE TABLE ${tableOf(blogId, name)} LIKE ${tableOf(model, name)}`)
}

/** Adds sites to the list of the network. */
export async function addToNetwork(db: SqlDatabase, sites: readonly NewSite[]): Promise<void> {
  const rows = sites.map(({ blogId, domain, path }) => ({
    blog_id: blogId,
    site_id: 1,
    domain,
    path,
    public: 1,
    registered: REGISTERED,
    last_updated: REGISTERED,
  }))
  for (const batch of inBatches(rows, ROWS_PER_STATEMENT)) await db.sql('wp_blogs').insert(batch)
}

/**
 * Creates copies of a site with all its content at other addresses, as plugins that clone sites do, and adds them to the list of the network
 * last.
 * @param model blog id of the copied site
 */
export async function cloneSites(
  db: SqlDatabase,
  model: number,
  sites: readonly NewSite[],
  onCloned: () => void = () => {},
): Promise<void> {
  const remaining = sites.values()
  const cloneNext = async (): Promise<void> => {
    for (const site of remaining) {
      await cloneSite(db, model, site)
      onCloned()
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, cloneNext))
  await addToNetwork(db, sites)
}

async function cloneSite(db: SqlDatabase, model: number, site: NewSite): Promise<void> {
  const { blogId } = site
  await createTables(db, model, blogId)
  for (const name of SITE_TABLES.slice(0, FILLED))
    await db.sql.raw(`INSERT INTO ${tableOf(blogId, name)} SELECT * FROM ${tableOf(model, name)}`)
  await db.sql.raw(
    `UPDATE ?? SET option_value = CASE option_name WHEN 'blogname' THEN ? WHEN 'home' THEN ? WHEN 'siteurl' THEN ? ELSE option_value END,
      option_name = IF(option_name = ?, ?, option_name)`,
    [
      tableOf(blogId, 'options'),
      nameOf(site),
      homeOf(site),
      homeOf(site),
      rolesOf(model),
      rolesOf(blogId),
    ],
  )
}
