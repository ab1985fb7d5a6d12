import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/db/database.ts'
import { examineNetwork, examineSite } from '../../../src/doctor/examine.ts'
import type { Finding } from '../../../src/doctor/finding.ts'
import { createLog } from '../../../src/log.ts'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import { SiteHosts } from '../../../src/wordpress/network/site-hosts.ts'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { encodePhp } from '../../../src/wordpress/serialized/encode-php.ts'
import type { PhpInput } from '../../../src/wordpress/serialized/php-value.ts'
import { createDoctorFixture, type DoctorFixture } from '../doctor-fixture.ts'

let shop: DoctorFixture
beforeAll(async () => {
  shop = await createDoctorFixture()
})
afterAll(() => shop.stop())

const brief = (findings: readonly Finding[]) =>
  findings
    .filter(({ check }) => check !== 'charset_narrow' && check !== 'item_target_missing')
    .map(({ site, check, severity, message: what }) => ({ site, check, severity, what }))
const raw = (sql: string, ...names: string[]) => shop.network.db.sql.raw(sql, names)

describe('of the tables of a site the doctor tells', () => {
  it('that they take back nothing', async () => {
    const { options } = shop.site.tables
    await raw('ALTER TABLE ?? ENGINE=MyISAM', options)
    expect(brief(await shop.examine())).toEqual([
      {
        ...{ site: 2, check: 'engine_not_transactional', severity: 'error' },
        what: `The table "${options}" is kept by MyISAM and not by InnoDB.`,
      },
    ])
    await raw('ALTER TABLE ?? ENGINE=InnoDB', options)
  })

  it('and goes on to look at what is in those that take back nothing', async () => {
    const { options } = shop.site.tables
    await shop.setOption('svc_frames', 'a:1:{damaged')
    await raw('ALTER TABLE ?? ENGINE=MyISAM', options)
    expect(await shop.codes()).toEqual(['engine_not_transactional', 'registry_unreadable'])
    await raw('ALTER TABLE ?? ENGINE=InnoDB', options)
    await shop.dropOption('svc_frames')
  })

  it('that they lack characters', async () => {
    const { termmeta } = shop.site.tables
    await raw('ALTER TABLE ?? CONVERT TO CHARACTER SET latin1', termmeta)
    const findings = await examineSite(shop.services, shop.site)
    expect(findings).toContainEqual(
      expect.objectContaining({
        ...{ site: 2, check: 'charset_narrow', severity: 'warning' },
        what: `The character set of "${termmeta}" is latin1 (meta_key, meta_value).`,
      }),
    )
    await raw('ALTER TABLE ?? CONVERT TO CHARACTER SET utf8mb4', termmeta)
  })

  it('that one is missing', async () => {
    const { termmeta } = shop.site.tables
    await raw('RENAME TABLE ?? TO ??', termmeta, 'away')
    expect(brief(await shop.examine())).toEqual([
      {
        ...{ site: 2, check: 'table_missing', severity: 'error' },
        what: `There is no table "${termmeta}", or the database user has no right on it.`,
      },
    ])
    await raw('RENAME TABLE ?? TO ??', 'away', termmeta)
  })

  it('which rights are missing', async () => {
    const { options, posts, ...others } = shop.site.tables
    const { blogs, site, sitemeta, users, usermeta, basePrefix } = shop.network.globals
    const user = `doctor_${randomBytes(4).toString('hex')}`
    const url = new URL(shop.network.url)
    const database = url.pathname.slice(1)
    await raw(`CREATE USER '${user}'@'%' IDENTIFIED BY 'x'`)
    const grant = (rights: string, tables: readonly string[]) =>
      Promise.all(
        tables.map((table) => raw(`GRANT ${rights} ON ??.?? TO '${user}'@'%'`, database, table)),
      )
    await grant('SELECT, INSERT, UPDATE, DELETE', [posts, ...Object.values(others)])
    await grant('SELECT, UPDATE', [options])
    await grant('SELECT', [blogs, site, sitemeta, users, `${basePrefix}svc_migrations`])
    await grant('SELECT, INSERT, UPDATE', [`${basePrefix}svc_tokens`])
    await grant('SELECT, INSERT, DELETE', [`${basePrefix}svc_hosts`])
    await grant('SELECT, INSERT', [`${basePrefix}svc_static_folders`])
    await grant('SELECT, INSERT', [`${basePrefix}svc_stale_keys`])
    Object.assign(url, { username: user, password: 'x' })
    const db = openDatabase({ url: url.href, poolSize: 2, log: createLog('silent') })
    const services = { ...shop.services, db }
    expect(brief(await examineSite(services, shop.site))).toEqual([
      {
        ...{ site: 2, check: 'rights_missing', severity: 'error' },
        what: `The database user may not INSERT, DELETE on "${options}".`,
      },
    ])
    expect(brief(await examineNetwork(services))).toEqual([
      {
        ...{ site: null, check: 'network_missing', severity: 'error' },
        what: `There are no tables ${usermeta}, or the database user has no right on them.`,
      },
    ])
    await grant('INSERT', [usermeta])
    expect(brief(await examineNetwork(services))).toEqual([
      {
        ...{ site: null, check: 'rights_missing', severity: 'error' },
        what: `The database user may not SELECT on "${usermeta}".`,
      },
      {
        ...{ site: null, check: 'rights_missing', severity: 'error' },
        what: `The database user may not DELETE on "${basePrefix}svc_stale_keys".`,
      },
    ])
    await db.close()
    await raw(`DROP USER '${user}'@'%'`)
  })
})

describe('of the network the doctor tells', () => {
  it('that it has nothing of its own', async () => {
    expect(brief(await shop.examineNetwork())).toEqual([])
  })

  it('that the database is away, or refuses', async () => {
    const closed = new URL(shop.network.url)
    closed.port = '1'
    const wrong = new URL(shop.network.url)
    wrong.pathname = '/no_such_database'
    const open = (url: URL) =>
      openDatabase({ url: url.href, poolSize: 1, log: createLog('silent') })
    for (const [url, what] of [
      [closed, "The database can't be reached (ECONNREFUSED)."],
      [wrong, 'The database refuses (ER_BAD_DB_ERROR).'],
    ] as const) {
      const db = open(url)
      expect(brief(await examineNetwork({ ...shop.services, db }))).toEqual([
        { site: null, check: 'database_unreachable', severity: 'error', what },
      ])
      await db.close()
    }
  })

  it('that there is none under this prefix', async () => {
    const services = { ...shop.services, globals: globalTables('other_') }
    expect(brief(await examineNetwork(services))).toEqual([
      {
        ...{ site: null, check: 'network_missing', severity: 'error' },
        what: 'There are no tables other_blogs, other_site, other_sitemeta, other_users, other_usermeta, or the database user has no right on them.',
      },
    ])
  })

  it("that the service's own tables are missing", async () => {
    const migrations = `${shop.network.globals.basePrefix}svc_migrations`
    await raw('RENAME TABLE ?? TO ??', migrations, 'away')
    expect(brief(await shop.examineNetwork())).toEqual([
      {
        ...{ site: null, check: 'migrations_pending', severity: 'error' },
        what: expect.stringContaining('0001-tokens.sql'),
      },
    ])
    await raw('RENAME TABLE ?? TO ??', 'away', migrations)
  })

  it('that a site has no tables', async () => {
    const { options } = (await shop.network.site(3)).tables
    await raw('RENAME TABLE ?? TO ??', options, 'away')
    expect(brief(await shop.examineNetwork())).toEqual([
      {
        ...{ site: 3, check: 'site_tables_missing', severity: 'error' },
        what: 'Site 3 (net.test/docs/) is listed and has no tables.',
      },
    ])
    await raw('RENAME TABLE ?? TO ??', 'away', options)
  })

  it('which sites claim a host that belongs to another one', async () => {
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
      (await shop.examineNetwork()).flatMap(({ check, message: what }) =>
        check === 'host_conflict' ? [what] : [],
      )
    await claim(4, 'laden.fr')
    await record()
    await claim(3, 'laden.fr')
    await claim(1, 'brand.test')
    expect(await conflicts()).toEqual([
      'Site 1 gives a language the host "brand.test", which belongs to site 4.',
      'Site 3 gives a language the host "laden.fr", which belongs to site 4.',
    ])
    await claim(1, 'both.test')
    await claim(3, 'elsewhere.test')
    await claim(4, 'both.test')
    await record()
    expect(await conflicts()).toEqual([
      'Site 1 gives a language the host "both.test", and so does site 4; both began at the same time, so neither has it.',
      'Site 4 gives a language the host "both.test", and so does site 1; both began at the same time, so neither has it.',
    ])
    for (const [blogId, polylang] of originals) {
      const { tables } = await shop.network.site(blogId)
      const row = db.sql(tables.options).where({ option_name: 'polylang' })
      await (polylang === undefined ? row.delete() : row.update({ option_value: polylang }))
    }
  })

  it('that static copies cannot be written', async () => {
    const staticDir = join(shop.staticDir, 'file')
    await writeFile(staticDir, '')
    const services = { ...shop.services, staticDir: join(staticDir, 'below') }
    expect(brief(await examineNetwork(services))).toEqual([
      {
        ...{ site: null, check: 'static_folder_unwritable', severity: 'error' },
        what: `Static copies can't be written: "${staticDir}" is no folder.`,
      },
    ])
  })
})
