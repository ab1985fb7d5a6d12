import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodePhp, type PhpInput } from '#php-serialized'
import { NetworkIdentities } from '../../../../src/build/publishing/network-identity.ts'
import { StaticFolder } from '../../../../src/build/publishing/static-folder.ts'
import { createLog } from '../../../../src/host/log.ts'
import { examineNetwork, examineSite } from '../../../../src/network/doctor/examine.ts'
import type { Finding } from '../../../../src/network/doctor/finding.ts'
import {
  rightsOnNetwork,
  rightsOnOwnTables,
  rightsOnSite,
} from '../../../../src/network/doctor/needed-rights.ts'
import type { TableUse } from '../../../../src/wordpress/health/tables-and-rights.ts'
import { SiteHosts } from '../../../../src/wordpress/hosts/site-hosts.ts'
import { listSites } from '../../../../src/wordpress/network/find-sites.ts'
import { globalTables } from '../../../../src/wordpress/network/site.ts'
import { readOption } from '../../../../src/wordpress/options/read-options.ts'
import { openTestDatabase } from '../../../support/open-database.ts'
import { use } from '../../../support/use.ts'
import { lineOf, useDoctorFixture } from '../doctor-fixture.ts'

const shop = await useDoctorFixture()

/** `site: severity check: message` */
const brief = (findings: readonly Finding[]) =>
  findings
    .filter(({ check }) => check !== 'charset_narrow' && check !== 'item_target_missing')
    .map((finding) => `${finding.site ?? 'network'}: ${lineOf(finding)}`)
const raw = (sql: string, ...names: string[]) => shop.network.db.sql.raw(sql, names)

/** Creates an account without rights. @returns the database as it sees it */
async function openAs(username: string) {
  await raw(`CREATE USER '${username}'@'%' IDENTIFIED BY 'x'`)
  const { href } = Object.assign(new URL(shop.network.url), { username, password: 'x' })
  return openTestDatabase({ url: href, poolSize: 2 })
}

describe('the tables of a site', () => {
  it('reports a missing table', async () => {
    const { termmeta } = shop.site.tables
    await raw('RENAME TABLE ?? TO ??', termmeta, 'away')
    expect(brief(await shop.examine())).toEqual([
      `2: error table_missing: The table "${termmeta}" does not exist, or the database user has no rights on it.`,
    ])
    await raw('RENAME TABLE ?? TO ??', 'away', termmeta)
  })

  it('reports missing rights, and checks what the user may read', async () => {
    const { options } = shop.site.tables
    const { blogs, usermeta, basePrefix } = shop.network.globals
    const user = `doctor_${randomBytes(4).toString('hex')}`
    const database = new URL(shop.network.url).pathname.slice(1)
    const db = await openAs(user)
    const grant = ({ table, rights }: TableUse) =>
      raw(`GRANT ${rights.join()} ON ??.?? TO '${user}'@'%'`, database, table)
    const revoke = (rights: string, table: string) =>
      raw(`REVOKE ${rights} ON ??.?? FROM '${user}'@'%'`, database, table)
    const { globals } = shop.network
    for (const use of [...rightsOnNetwork(globals), ...rightsOnOwnTables(globals)]) await grant(use)
    for (const { tables } of await listSites(shop.network.db, globals))
      for (const use of rightsOnSite(tables)) await grant(use)
    await revoke('INSERT, DELETE', options)
    await revoke('SELECT', usermeta)
    await revoke('UPDATE', `${basePrefix}svc_sites`)
    const services = { ...shop.services, db }
    const missing = (site: number | null, rights: string, table: string) =>
      `${site ?? 'network'}: error rights_missing: The database user has no right to ${rights} on "${table}".`
    const ofShop = missing(2, 'INSERT, DELETE', options)
    expect(brief(await examineSite(services, shop.site))).toEqual([ofShop])
    expect(brief(await examineNetwork(services))).toEqual([
      missing(null, 'SELECT', usermeta),
      missing(null, 'UPDATE', `${basePrefix}svc_sites`),
      ofShop,
    ])
    await revoke('SELECT', blogs)
    expect(brief(await examineNetwork(services))).toContainEqual(missing(null, 'SELECT', blogs))
    await db.close()
    await raw(`DROP USER '${user}'@'%'`)
  })

  it('checks all sites for a user that may only read', async () => {
    const user = `reader_${randomBytes(4).toString('hex')}`
    const db = await openAs(user)
    await raw(`GRANT SELECT ON ??.* TO '${user}'@'%'`, new URL(shop.network.url).pathname.slice(1))
    const { termTaxonomy } = shop.site.tables
    const addToCounts = (number: number) =>
      shop.network.db.sql(termTaxonomy).where({ taxonomy: 'nav_menu' }).increment('count', number)
    await addToCounts(1)
    const found = await examineNetwork({ ...shop.services, db })
    // Of utf8mb3, which the tables may have.
    const checks = (site: number | null) =>
      found.filter((one) => one.site === site && one.check !== 'charset_narrow')
    expect(new Set(checks(null).map(({ check }) => check))).toEqual(new Set(['rights_missing']))
    for (const blogId of [1, 2, 3, 4])
      expect(checks(blogId).map(({ check }) => check)).toContain('rights_missing')
    expect(checks(2).map(({ check }) => check)).toContain('menu_count_wrong')
    await addToCounts(-1)
    await db.close()
    await raw(`DROP USER '${user}'@'%'`)
  })
})

describe('the network', () => {
  it('has no problems at first', async () => {
    expect(brief(await shop.examineNetwork())).toEqual([])
  })

  it('reports a database that is unreachable or rejects the connection', async () => {
    const closed = new URL(shop.network.url)
    closed.port = '1'
    const wrong = new URL(shop.network.url)
    wrong.pathname = '/no_such_database'
    const open = (url: URL) => openTestDatabase({ url: url.href })
    for (const [url, message] of [
      [closed, `The database is unreachable: no server listens at ${closed.host} (ECONNREFUSED).`],
      [wrong, 'There is no database "no_such_database" on the server (ER_BAD_DB_ERROR).'],
    ] as const) {
      const db = open(url)
      expect(brief(await examineNetwork({ ...shop.services, db }))).toEqual([
        `network: error database_unreachable: ${message}`,
      ])
      await db.close()
    }
  })

  it('reports a table prefix without a network', async () => {
    const services = { ...shop.services, globals: globalTables('other_') }
    expect(brief(await examineNetwork(services))).toEqual([
      'network: error network_missing: The tables other_blogs, other_site, other_sitemeta, other_users, other_usermeta do not exist, or the database user has no rights on them.',
    ])
  })

  it("reports pending migrations of the service's own tables", async () => {
    const migrations = `${shop.network.globals.basePrefix}svc_migrations`
    await raw('RENAME TABLE ?? TO ??', migrations, 'away')
    expect(brief(await shop.examineNetwork())).toEqual([
      expect.stringMatching(/^network: error migrations_pending: .*0001-tokens\.sql/),
    ])
    await raw('RENAME TABLE ?? TO ??', 'away', migrations)
  })

  it('reports a site without tables', async () => {
    const { options } = (await shop.network.site(3)).tables
    await raw('RENAME TABLE ?? TO ??', options, 'away')
    expect(brief(await shop.examineNetwork())).toEqual([
      '3: error site_tables_missing: Site 3 (net.test/docs/) is in the list of sites but has no tables.',
    ])
    await raw('RENAME TABLE ?? TO ??', 'away', options)
  })

  it('reports sites that claim the host of another site', async () => {
    const { db, globals } = shop.network
    const originals = new Map<number, string | undefined>()
    for (const blogId of [1, 3, 4]) {
      originals.set(blogId, await readOption(db, await shop.network.site(blogId), 'polylang'))
    }
    const claim = async (blogId: number, host: string) => {
      const { tables } = await shop.network.site(blogId)
      const domains = new Map([['fr', `http://${host}`]])
      const option_value = encodePhp(
        new Map<string, PhpInput>([
          ['force_lang', 3],
          ['domains', domains],
        ]),
      )
      const row = { option_name: 'polylang', option_value, autoload: 'on' }
      await db.sql(tables.options).insert(row).onConflict('option_name').merge()
    }
    const record = () =>
      new SiteHosts(db, globals).find({ host: 'x.test', segments: [], slash: true, query: '' })
    const conflicts = async () =>
      (await shop.examineNetwork()).flatMap(({ check, message }) =>
        check === 'host_conflict' ? [message] : [],
      )
    await claim(4, 'laden.fr')
    await record()
    await claim(3, 'laden.fr')
    await claim(1, 'brand.test')
    expect(await conflicts()).toEqual([
      'Site 1 assigns the host "brand.test" to a language, but the host belongs to site 4.',
      'Site 3 assigns the host "laden.fr" to a language, but the host belongs to site 4.',
    ])
    await claim(1, 'both.test')
    await claim(3, 'elsewhere.test')
    await claim(4, 'both.test')
    await record()
    expect(await conflicts()).toEqual([
      'Site 1 and site 4 both assign the host "both.test" to a language since the same time, so neither of them gets it.',
      'Site 4 and site 1 both assign the host "both.test" to a language since the same time, so neither of them gets it.',
    ])
    for (const [blogId, polylang] of originals) {
      const { tables } = await shop.network.site(blogId)
      const row = db.sql(tables.options).where({ option_name: 'polylang' })
      await (polylang === undefined ? row.delete() : row.update({ option_value: polylang }))
    }
  })

  it('reports a folder of static copies that is not writable', async () => {
    const file = join(shop.staticDir, 'file')
    await writeFile(file, '')
    const { db, globals } = shop.network
    const identities = new NetworkIdentities(db, globals)
    const log = createLog('silent')
    const copies = await use(
      Promise.resolve(
        new StaticFolder({ db, globals, identities, log, staticDir: join(file, 'below') }),
      ),
    )
    const services = { ...shop.services, copies }
    expect(brief(await examineNetwork(services))).toEqual([
      `network: error static_folder_unwritable: Static copies cannot be written: "${file}" is not a folder.`,
    ])
  })
})
