import { describe, expect, it } from 'vitest'
import type { ItemTree } from '../../src/menus/item-tree.ts'
import { listMenus } from '../../src/wordpress/nav-menus/nav-menu.ts'
import { readStoredMenu } from '../../src/wordpress/nav-menus/read-menu.ts'
import { encodePhp } from '../../src/wordpress/serialized/encode-php.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'
import { createPlannedSite, menu } from './planned-site.ts'

const network = await use(cloneTruth())
const site = await network.site(2)
const fixture = createSiteFixture(network.db, site)
const planned = createPlannedSite(network, site)
const { settle } = planned

/** Stores a value of an item of a menu as another program does. */
async function storeItem(menuId: number, at: number, title: string, settings?: object) {
  const { posts, postmeta, termRelationships } = site.tables
  const ids: number[] = await network.db
    .sql(posts)
    .join(termRelationships, 'object_id', 'ID')
    .where({ term_taxonomy_id: menuId })
    .orderBy('menu_order')
    .pluck('ID')
  await network.db.sql(posts).where({ ID: ids[at] }).update({ post_title: title })
  if (settings)
    await network.db
      .sql(postmeta)
      .where({ post_id: ids[at], meta_key: '_pll_menu_item' })
      .update({ meta_value: encodePhp({ ...settings }) })
}

describe('language switchers', () => {
  it('have no drift when wp-admin has stored their titles, and no lines in differences', async () => {
    const switcher = { at: '0', parent: -1, object: { kind: 'switcher', flags: ['show_names'] } }
    const wanted = (url: string, title?: string) =>
      menu('switching', [], {
        tree: {
          items: [
            { ...switcher, ...(title === undefined ? {} : { title }) },
            { at: '1', parent: -1, url, title: 'Link' },
          ] as ItemTree['items'],
          problems: [],
        },
      })
    await settle({ menus: [wanted('https://a.test/')] })
    const [stored] = (await listMenus(network.db, site)).filter(({ slug }) => slug === 'switching')
    const taxonomyId = stored?.termTaxonomyId ?? 0
    for (const title of ['', 'Sprachen', 'Languages']) {
      await storeItem(taxonomyId, 0, title)
      for (const described of [undefined, '', 'Languages'])
        expect(await planned.plan({ menus: [wanted('https://a.test/', described)] })).toMatchObject(
          {
            steps: [],
          },
        )
    }
    const { steps } = await planned.plan({ menus: [wanted('https://b.test/', 'Languages')] })
    const diff = steps[0]?.diff ?? ''
    expect(diff).toContain('https://b.test/')
    expect(diff).not.toContain('switcher')
    // The settings of Polylang 3.9 that a description cannot name.
    const settings = { show_names: 1, dropdown: 0, layout: 'horizontal', show_labels: 'codes' }
    await storeItem(taxonomyId, 0, 'Languages', settings)
    expect(await planned.plan({ menus: [wanted('https://a.test/')] })).toMatchObject({ steps: [] })
    await settle({ menus: [wanted('https://b.test/')] })
    const { items } = (await readStoredMenu(network.db, site, stored?.id ?? 0)) ?? { items: [] }
    expect(items[0]?.meta.get('_pll_menu_item')).toContain('s:5:"codes"')
  })
})

describe('the plan of menus', () => {
  const items = [{ url: '/one', title: 'One', children: [{ page: 'about-us' }] }]

  it('creates a menu and assigns it, and replaces its items', async () => {
    const main = (list: readonly unknown[]) =>
      menu('plan-main', list, { locations: [{ location: 'footer_3', lang: 'fr' }] })
    expect(await settle({ menus: [main(items)] })).toEqual([
      'created menu plan-main',
      expect.stringMatching(/^assigned location footer_3:fr .*to plan-main$/),
    ])
    expect(await settle({ menus: [main([...items, { url: '/two', title: 'Two' }])] })).toEqual([
      'replaced menu plan-main',
    ])
  })

  it('shows the changed items', async () => {
    await settle({ menus: [menu('shown', items)] })
    const { steps } = await planned.plan({
      menus: [menu('shown', [{ url: '/new', title: 'New' }])],
    })
    expect(steps[0]?.diff).toContain('+ url /new  "New"')
    expect(steps[0]?.diff).toContain('- url /one  "One"')
  })

  it('renames a menu without writing its items', async () => {
    await settle({ menus: [menu('old-menu', items)] })
    const renamed = menu('new-menu', items, { formerly: ['old-menu'] })
    expect(await settle({ menus: [renamed] })).toEqual(['renamed menu new-menu from old-menu'])
  })

  it('reports what the site lacks', async () => {
    await settle({ menus: [menu('holder', [], { name: 'Größe' })] })
    const { problems } = await planned.plan({
      menus: [
        menu('lacking', [{ page: 'no-such-page' }]),
        menu('located', [], {
          locations: [{ location: 'nowhere' }, { location: 'header', lang: 'xx' }],
        }),
        menu('named', [], { name: 'GROSSE' }),
        menu('twin', [], { name: 'grösse' }),
      ],
    })
    expect(problems.map(({ kind, name, reason }) => [kind, name, reason])).toEqual([
      ['menu', 'lacking', 'page_not_found'],
      ['menu', 'twin', 'name_taken'],
      ['location', 'nowhere', 'unknown_location'],
      ['location', 'header:xx', 'unknown_language'],
    ])
  })
})

describe('a menu that links a page that is not published', () => {
  it('is blocked, unless the menu has the item already', async () => {
    const page = await fixture.page({ slug: 'unpublished' })
    const desired = { menus: [menu('links-draft', [{ page }])] }
    await settle(desired)
    await network.db.sql(site.tables.posts).where({ ID: page }).update({ post_status: 'private' })
    expect(await settle(desired)).toEqual([])
    const other = { menus: [menu('links-draft-too', [{ page }])] }
    expect(await planned.plan(other)).toMatchObject({
      problems: [{ name: 'links-draft-too', reason: 'page_not_published' }],
    })
  })
})
