import { expect, it } from 'vitest'
import { readRightsOnSites, readSiteRights } from '../../../src/wordpress/users/site-membership.ts'
import { findUserByLogin } from '../../../src/wordpress/users/users.ts'
import { useNetwork } from '../../support/network.ts'

const network = await useNetwork()

it('the rights on many sites are compared with two reads, and are those of each site alone', async () => {
  const { db, globals } = network
  const user = await findUserByLogin(db, globals, 'alice')
  if (!user) throw new Error('no user alice')
  const roles = [
    'a:1:{s:13:"administrator";b:1;}',
    'a:1:{s:13:"administrator";b:0;}',
    'a:1:{s:6:"editor";b:1;}',
    'damaged',
  ]
  const sites = Array.from({ length: 20_000 }, (_, at) => ({
    prefix: `${globals.basePrefix}${at + 1000}_`,
    networkId: 1 + (at % 3),
    globals,
  }))
  const rowOf = ({ prefix }: { prefix: string }, at: number) => ({
    user_id: user.id,
    meta_key: `${prefix}capabilities`,
    meta_value: roles[at % 4],
  })
  // The first sites have a second row with another role.
  const rows = [...sites.map(rowOf), ...sites.slice(0, 8).map((site, at) => rowOf(site, at + 1))]
  await db.sql.batchInsert(globals.usermeta, rows, 1000)
  await db.sql(globals.sitemeta).insert([
    { site_id: 2, meta_key: 'site_admins', meta_value: 'a:1:{i:0;s:5:"alice";}' },
    { site_id: 2, meta_key: 'site_admins', meta_value: 'a:0:{}' },
  ])
  const rightsOn = await readRightsOnSites(db, globals, user)
  const all = sites.map((site) => rightsOn(site))
  expect(all.filter(({ administrator }) => administrator)).toHaveLength(sites.length / 4)
  for (const [at, site] of sites.slice(0, 12).entries())
    expect(all[at]).toEqual(await readSiteRights(db, site, user))
  expect(all.slice(0, 3).map(({ superAdmin }) => superAdmin)).toEqual([false, true, false])
})
