import { encodePhp } from '#php-serialized'
import { insertRow } from '../../src/db/sql.ts'
import type { Tx } from '../../src/db/transaction.ts'
import type { InsertedRow } from '../../src/db/written-tables.ts'
import { blogPrefix } from '../../src/wordpress/network/site.ts'
import { siteRows, WRITTEN } from './site-rows.ts'
import {
  type NetworkSource,
  readOptionDefaults,
  readTables,
  type SiteSource,
  type UserSource,
} from './sources.ts'

const NETWORK_ID = 1

/** The statements that create the tables of a network with this base prefix. */
export function tablesOf({ sites }: NetworkSource, basePrefix: string): string {
  const rename = (statements: string, prefix: string) =>
    statements.replace(/^CREATE TABLE `wp_/gm, `CREATE TABLE \`${prefix}`)
  return [
    rename(readTables('network-tables'), basePrefix),
    ...sites.map(({ id }) => rename(readTables('site-tables'), blogPrefix(basePrefix, id))),
  ].join('\n')
}

/** Fills the tables of the demo network. */
export async function fillTables(
  tx: Tx,
  network: NetworkSource,
  basePrefix: string,
): Promise<void> {
  const insert = async (table: string, rows: readonly InsertedRow[]): Promise<void> => {
    for (const row of rows) await insertRow(tx, table, row)
  }
  for (const [table, rows] of Object.entries(networkRows(network, basePrefix)))
    await insert(`${basePrefix}${table}`, rows)
  const options = readOptionDefaults()
  for (const site of network.sites) {
    const rows = siteRows(site, { host: network.host, options })
    for (const [table, ofTable] of Object.entries(rows))
      await insert(`${blogPrefix(basePrefix, site.id)}${table}`, ofTable)
  }
}

/** The rows of the tables that the sites share, by the name of the table without its prefix. */
function networkRows(
  network: NetworkSource,
  basePrefix: string,
): Readonly<Record<string, readonly InsertedRow[]>> {
  const { host, name, users, sites } = network
  const admins = users.filter((user) => user.super).map(({ login }) => login)
  const meta = {
    site_name: name,
    admin_email: users[0]?.email ?? '',
    admin_user_id: '1',
    registration: 'none',
    site_admins: encodePhp(admins),
    allowedthemes: encodePhp(Object.fromEntries(sites.map(({ theme }) => [theme, true]))),
    wpmu_upgrade_site: '61833',
    siteurl: `http://${host}/`,
    subdomain_install: '',
    ms_files_rewriting: '0',
    user_count: String(users.length),
    initial_db_version: '61833',
    active_sitewide_plugins: encodePhp([]),
    WPLANG: 'en_US',
    main_site: '1',
    blog_count: String(sites.length),
    site_meta_supported: '1',
  }
  return {
    site: [{ id: NETWORK_ID, domain: host, path: '/' }],
    sitemeta: Object.entries(meta).map(([meta_key, meta_value]) => ({
      site_id: NETWORK_ID,
      meta_key,
      meta_value,
    })),
    blogs: sites.map((site) => blogRow(site, host)),
    users: users.map(userRow),
    usermeta: users.flatMap((user, index) => metaOfUser(user, index + 1, basePrefix)),
  }
}

const blogRow = ({ id, host, path }: SiteSource, networkHost: string) => ({
  blog_id: id,
  site_id: NETWORK_ID,
  domain: host ?? networkHost,
  path,
  registered: WRITTEN,
  last_updated: WRITTEN,
  public: 1,
})

/** Nobody can log in to WordPress with this password, which is no hash. */
const userRow = ({ login, email, name }: UserSource, index: number) => ({
  ID: index + 1,
  user_login: login,
  user_pass: '!',
  user_nicename: login,
  user_email: email,
  user_registered: WRITTEN,
  display_name: name,
})

const LEVELS: Readonly<Record<string, string>> = { administrator: '10', editor: '7' }

function metaOfUser({ login, sites }: UserSource, id: number, basePrefix: string) {
  const ofSites = Object.entries(sites).flatMap(([blog, role]) => {
    const prefix = blogPrefix(basePrefix, Number(blog))
    return [
      [`${prefix}capabilities`, encodePhp({ [role]: true })],
      [`${prefix}user_level`, LEVELS[role] ?? '0'],
    ]
  })
  return [['nickname', login], ['primary_blog', Object.keys(sites)[0] ?? '1'], ...ofSites].map(
    ([meta_key = '', meta_value = '']) => ({ user_id: id, meta_key, meta_value }),
  )
}
