import { describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import type { Tx } from '../../../src/db/transaction.ts'
import {
  findBlog,
  findBlogByAddress,
  findMainBlog,
  findSite,
  listManageableSites,
  listSites,
  readHome,
} from '../../../src/wordpress/network/find-sites.ts'
import { readNetworkOption } from '../../../src/wordpress/network/network-option.ts'
import { blogPrefix, type GlobalTables, globalTables } from '../../../src/wordpress/network/site.ts'
import { readSiteRights } from '../../../src/wordpress/users/site-membership.ts'
import { findUser, findUserByLogin } from '../../../src/wordpress/users/users.ts'
import { useNetwork } from '../../support/network.ts'
import { sqlOf } from '../../support/statements.ts'

const isAdministrator = async (...args: Parameters<typeof readSiteRights>): Promise<boolean> => {
  const { administrator, superAdmin } = await readSiteRights(...args)
  return administrator || superAdmin
}

async function writeNetworkOption(
  tx: Tx,
  { sitemeta }: GlobalTables,
  site_id: number,
  meta_key: string,
  meta_value: string,
): Promise<void> {
  const option = { site_id, meta_key }
  const changed = await sqlOf(tx)(sitemeta).where(option).update({ meta_value })
  if (changed === 0) await sqlOf(tx)(sitemeta).insert({ ...option, meta_value })
}

const network = await useNetwork()
const userOf = async (login: string) => {
  const user = await findUserByLogin(network.db, network.globals, login)
  if (!user) throw new Error(`${login} is missing`)
  return user
}
const [admin, alice, carol] = [await userOf('admin'), await userOf('alice'), await userOf('carol')]

/** Runs a test that changes rows and rolls it back, so that tests can run in any order. */
const inPassing = (work: (db: Tx, globals: GlobalTables) => Promise<void>) => () =>
  network.db.write({ dryRun: true }, (tx) => work(tx, network.globals))

const byAddress = async (host: string, ...paths: string[]) =>
  (await findBlogByAddress(network.db, network.globals, host, paths))?.blog_id

describe('sites', () => {
  it('have table names without a number for the first site, with their id for others', async () => {
    const { basePrefix } = network.globals
    expect((await network.site(1)).tables.posts).toBe(`${basePrefix}posts`)
    expect((await network.site(2)).tables.termRelationships).toBe(
      `${basePrefix}2_term_relationships`,
    )
    expect(blogPrefix('net7_', 0)).toBe('net7_')
    expect(globalTables('net7_').sitemeta).toBe('net7_sitemeta')
  })

  it('are found by id, with their homes from the option home', async () => {
    const sites = await listSites(network.db, network.globals)
    const found = sites.map(async (site) => [
      site.blogId,
      site.networkId,
      await readHome(network.db, site),
    ])
    expect(await Promise.all(found)).toEqual([
      [1, 1, 'http://net.test'],
      [2, 1, 'http://net.test/shop'],
      [3, 1, 'http://net.test/docs'],
      [4, 1, 'http://brand.test'],
      [5, 1, 'http://net.test/archived'],
      [6, 1, 'http://net.test/deleted'],
      [7, 1, 'http://net.test/spam'],
    ])
    expect(await findSite(network.db, network.globals, 8)).toBeUndefined()
  })

  it('can be managed unless they are deleted', async () => {
    const live = await listManageableSites(network.db, network.globals)
    expect(live.map(({ blogId }) => blogId)).toEqual([1, 2, 3, 4, 5, 7])
  })

  it.each([
    [1, {}],
    [5, { archived: true }],
    [6, { deleted: true }],
    [7, { spam: true }],
  ])('site %i is %j', async (blogId, state) => {
    const open = { archived: false, spam: false, deleted: false }
    expect(await network.site(blogId)).toMatchObject({ ...open, ...state })
  })

  it(
    'a row whose tables are gone is no site',
    inPassing(async (db, globals) => {
      const row = { blog_id: 90, site_id: 1, domain: 'net.test', path: '/lost/' }
      const dates = { registered: '2026-01-01 00:00:00', last_updated: '0000-00-00 00:00:00' }
      await sqlOf(db)(globals.blogs).insert({ ...row, ...dates })
      expect(await findBlog(db, globals, 90)).toMatchObject({ path: '/lost/' })
      expect(await findSite(db, globals, 90)).toBeUndefined()
      expect((await listSites(db, globals)).map(({ blogId }) => blogId)).not.toContain(90)
    }),
  )

  it('are found by host and the longest matching path', async () => {
    expect(await byAddress('net.test', '/', '/shop/')).toBe(2)
    expect(await byAddress('NET.test', '/', '/nothing/')).toBe(1)
    expect(await byAddress('brand.test', '/', '/shop/')).toBe(4)
    expect(await byAddress('net.test:80', '/')).toBe(1)
    expect(await byAddress('net.test:8080', '/')).toBeUndefined()
    expect(await byAddress('www.net.test', '/shop/')).toBe(2)
    expect(await byAddress('net.test', '/', '/SHOP/')).toBe(2)
    expect(await byAddress("net.test' OR '1'='1", '/')).toBeUndefined()
  })

  it(
    'are found at an address that was typed with capitals',
    inPassing(async (db, globals) => {
      const typed = { domain: 'Net.Test', path: '/Docs/' }
      await sqlOf(db)(globals.blogs).where({ blog_id: 3 }).update(typed)
      expect(await findBlogByAddress(db, globals, 'net.test', ['/', '/docs/'])).toMatchObject(typed)
      expect(await findSite(db, globals, 3)).toMatchObject({ domain: 'net.test' })
    }),
  )

  it(
    'home falls back to siteurl where it is empty',
    inPassing(async (db) => {
      const { options } = (await network.site(3)).tables
      await sqlOf(db)(options).where({ option_name: 'home' }).update({ option_value: '' })
      await sqlOf(db)(options)
        .where({ option_name: 'siteurl' })
        .update({ option_value: 'http://net.test/docs/' })
      expect(await readHome(db, await network.site(3))).toBe('http://net.test/docs')
    }),
  )
})

describe('networks', () => {
  it(
    'the main site is the one of the option, else the one at the network address',
    inPassing(async (db, globals) => {
      const mainBlog = async () => (await findMainBlog(db, globals))?.blog_id
      expect(await mainBlog()).toBe(1)
      await writeNetworkOption(db, globals, 1, 'main_site', '4')
      expect(await mainBlog()).toBe(4)
      await sqlOf(db)(globals.sitemeta).where({ meta_key: 'main_site' }).delete()
      expect(await mainBlog()).toBe(1)
    }),
  )

  it(
    'of duplicate options the oldest is read',
    inPassing(async (db, globals) => {
      const rows = ['first', 'second'].map((meta_value) => ({
        site_id: 1,
        meta_key: 'twice',
        meta_value,
      }))
      await sqlOf(db)(globals.sitemeta).insert(rows)
      expect(await readNetworkOption(db, globals, 1, 'twice')).toBe('first')
    }),
  )

  it(
    'of users with the same login the oldest is found',
    inPassing(async (db, globals) => {
      const { ID: _, ...row } = await sqlOf(db)(globals.users)
        .where({ user_login: 'alice' })
        .first()
      await sqlOf(db)(globals.users).insert(row)
      expect((await findUserByLogin(db, globals, 'alice'))?.id).toBe(2)
    }),
  )

  it(
    'an option is found by its key in any case, and has no text when its value is NULL',
    inPassing(async (db, globals) => {
      const rows = [
        { site_id: 1, meta_key: 'Odd_Case', meta_value: 'found' },
        { site_id: 1, meta_key: 'no_text', meta_value: null },
      ]
      await sqlOf(db)(globals.sitemeta).insert(rows)
      expect(await readNetworkOption(db, globals, 1, 'odd_case')).toBe('found')
      expect(await readNetworkOption(db, globals, 1, 'no_text')).toBeUndefined()
    }),
  )

  it(
    'super administrators are those of the network of the site',
    inPassing(async (db, globals) => {
      await sqlOf(db)(globals.site).insert({ id: 2, domain: 'other.test', path: '/' })
      // A gap, like the one that WordPress leaves when a super administrator is removed from the list.
      const admins = encodePhp(new Map([[3, 'carol']]))
      await writeNetworkOption(db, globals, 2, 'site_admins', admins)
      const { prefix } = await network.site(4)
      const inOther = { globals, prefix, networkId: 2 }
      expect(await isAdministrator(db, inOther, carol)).toBe(true)
      expect(await isAdministrator(db, { ...inOther, networkId: 1 }, carol)).toBe(false)
      // Without the option, the user called admin (get_super_admins).
      expect((await readSiteRights(db, { ...inOther, networkId: 3 }, admin)).superAdmin).toBe(true)
      expect((await readSiteRights(db, { ...inOther, networkId: 3 }, carol)).superAdmin).toBe(false)
    }),
  )
})

describe('users', () => {
  it(
    'are blocked if they are spam or deleted',
    inPassing(async (db, globals) => {
      expect(await findUser(db, globals, 2)).toEqual({ id: 2, login: 'alice', isBlocked: false })
      expect(await findUserByLogin(db, globals, 'erin')).toMatchObject({ id: 6, isBlocked: true })
      await sqlOf(db)(globals.users).where({ ID: 4 }).update({ deleted: 1 })
      expect(await findUser(db, globals, 4)).toMatchObject({ isBlocked: true })
      expect(await findUser(db, globals, 99)).toBeUndefined()
    }),
  )

  /** Variants of `alice` that a collation, a normalization or a reader confuses with it. */
  const LOOKALIKES = [
    'ALICE',
    'alice ',
    ' alice',
    'alice\0',
    '\u00e1lice',
    'a\u0301lice',
    '\uff41lice',
    '\u0430lice',
    'al\u0131ce',
    'ali\u0441e',
    'alic\u00e9',
    'alice\u200b',
    'a\u00adlice',
  ]

  it(
    'that look like a super administrator are none, nor is one that a list has only look-alikes of',
    inPassing(async (db, globals) => {
      const site = await network.site(3)
      const allow = (...logins: string[]) =>
        writeNetworkOption(db, globals, 1, 'site_admins', encodePhp(new Map(logins.entries())))
      for (const login of LOOKALIKES)
        expect(await findUserByLogin(db, globals, login)).toBeUndefined()
      await allow(...LOOKALIKES)
      expect(await isAdministrator(db, site, alice)).toBe(false)
      await allow('alice')
      expect(await isAdministrator(db, site, alice)).toBe(true)
      for (const user_login of LOOKALIKES) {
        const [id = 0] = await sqlOf(db)(globals.users).insert({ user_login })
        const user = await findUser(db, globals, id)
        expect(user?.login).toBe(user_login)
        if (user) expect(await isAdministrator(db, site, user)).toBe(false)
      }
      expect(await findUserByLogin(db, globals, 'alice')).toEqual(alice)
    }),
  )

  it(
    'are administrators by the exact key of their role, not by the collation',
    inPassing(async (db, globals) => {
      const site = await network.site(3)
      const key = `${site.prefix}capabilities`
      for (const meta_key of [key.toUpperCase(), `${key} `, key.replace('i', '\u00ed')]) {
        const meta_value = 'a:1:{s:13:"administrator";b:1;}'
        await sqlOf(db)(globals.usermeta).insert({ user_id: alice.id, meta_key, meta_value })
        expect(await isAdministrator(db, site, alice)).toBe(false)
      }
    }),
  )

  it(
    'whose capabilities are damaged or false are no administrators',
    inPassing(async (db, globals) => {
      const site = await network.site(2)
      const where = { user_id: alice.id, meta_key: `${site.prefix}capabilities` }
      for (const meta_value of ['a:1:{s:13:"administrator";b:0;}', 'a:1:{s:13:"admin', '', 'N;']) {
        await sqlOf(db)(globals.usermeta).where(where).update({ meta_value })
        expect(await isAdministrator(db, site, alice)).toBe(false)
      }
      await sqlOf(db)(globals.usermeta)
        .where(where)
        .update({ meta_value: 'a:1:{s:13:"administrator";s:1:"1";}' })
      expect(await isAdministrator(db, site, alice)).toBe(true)
    }),
  )
})
