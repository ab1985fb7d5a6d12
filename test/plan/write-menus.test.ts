import { describe, expect, it } from 'vitest'
import { listEntries } from '../../src/history/read-history.ts'
import { listMenus } from '../../src/wordpress/nav-menus/nav-menu.ts'
import { readStoredMenu } from '../../src/wordpress/nav-menus/read-menu.ts'
import { findValue } from '../../src/wordpress/serialized/decode-php.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'
import { createPlannedSite, menu } from './planned-site.ts'

const network = await use(cloneTruth())
const { db, globals } = network
const site = await network.site(2)
const docs = await network.site(3)
const { settle } = createPlannedSite(network, site)

const find = async (slug: string) => (await listMenus(db, site)).find((one) => one.slug === slug)
const items = [{ url: '/one', title: 'One', children: [{ url: '/two', title: 'Two' }] }]

describe('the written menus of a plan', () => {
  it('keep their id when they get another name and slug, and their items keep theirs', async () => {
    await settle({ menus: [menu('kept', items)] })
    const before = await find('kept')
    const idsOf = async () =>
      (await readStoredMenu(db, site, before?.id ?? 0))?.items.map(({ row }) => row.ID)
    const ids = await idsOf()
    const renamed = menu('kept-too', items, { name: 'Größe & more', formerly: ['kept'] })
    await settle({ menus: [renamed] })
    expect(await find('kept-too')).toMatchObject({ id: before?.id, name: 'Größe &amp; more' })
    expect([await idsOf(), ids?.length]).toEqual([ids, 2])
  })

  it('have one entry in the history, also if name and items change', async () => {
    await settle({ menus: [menu('noted', items)] })
    const { id } = (await find('noted')) ?? {}
    await settle({ menus: [menu('noted-too', items, { formerly: ['noted'] })] })
    await settle({ menus: [menu('noted', [], { formerly: ['noted-too'] })] })
    const entries = await listEntries(db, globals, 2, { kind: 'menu', ref: String(id), limit: 9 })
    expect(entries.map(({ action }) => action).reverse()).toEqual([
      'created',
      'renamed',
      'replaced',
    ])
  })

  it('may take the name of a menu that the plan deletes, which is deleted first', async () => {
    const one = createPlannedSite(network, docs)
    await one.settle({ menus: [menu('old', items, { name: 'Wanted' })] })
    expect(
      await one.settle({ manages: 'all', menus: [menu('new', items, { name: 'Wanted' })] }),
    ).toEqual(expect.arrayContaining(['created menu new', 'deleted menu old']))
    const menus = await listMenus(db, docs)
    expect(menus.map(({ name, slug }) => [name, slug])).toEqual([['Wanted', 'new']])
  })

  it('leave a location that they lose registered in the theme, without a menu', async () => {
    const one = createPlannedSite(network, docs)
    const fixture = createSiteFixture(db, docs)
    const at = { locations: [{ location: 'footer_1' }] }
    await one.settle({ manages: 'all', menus: [menu('located', [], at)] })
    const located = async () => {
      const mods = await fixture.option(`theme_mods_${await fixture.option('stylesheet')}`)
      return findValue(mods ?? '', ['nav_menu_locations', 'footer_1'])
    }
    expect(await located()).toBeGreaterThan(0)
    expect(await one.settle({ manages: 'all', menus: [menu('located', [])] })).toEqual([
      'cleared location footer_1 from located',
    ])
    expect(await located()).toBe(0)
  })
})
