import { describe, expect, it } from 'vitest'
import { removeValue, setValue } from '#php-serialized'
import { locationEntries, setLocation } from '../../../../src/wordpress/nav-menus/location-edits.ts'
import { useDoctorFixture } from '../doctor-fixture.ts'

const shop = await useDoctorFixture()

const MODS = 'theme_mods_opal'
const GONE = 4711
const MENU = 23
const textOf = async (name: string): Promise<string> => (await shop.option(name)) ?? ''
const edit = async (name: string, change: (text: string) => string): Promise<void> =>
  shop.setOption(name, change(await textOf(name)))
const assign = (theme: string, location: string, menu: number): Promise<void> =>
  edit(`theme_mods_${theme}`, (mods) => setLocation(mods, { theme, location, lang: null }, menu))
const table = (name: 'posts' | 'postmeta' | 'termTaxonomy' | 'termRelationships') =>
  shop.network.db.sql(shop.site.tables[name])
const setMeta = (post_id: number, meta_key: string, meta_value: string | number) =>
  table('postmeta').where({ post_id, meta_key }).update({ meta_value })
/** Ids of the items of a menu, in order. */
const itemsOf = async (menu: number): Promise<number[]> => {
  const { sql } = shop.network.db
  const { termRelationships, termTaxonomy, posts } = shop.site.tables
  return sql({ tr: termRelationships })
    .join({ tt: termTaxonomy }, 'tt.term_taxonomy_id', 'tr.term_taxonomy_id')
    .join({ p: posts }, 'p.ID', 'tr.object_id')
    .where('tt.term_id', menu)
    .orderBy('p.menu_order')
    .pluck('p.ID')
}

type Plant = () => Promise<unknown>

const FIXED: readonly (readonly [string, RegExp, Plant])[] = [
  [
    'a menu with a stored count of 0',
    /^error menu_count_wrong: Menu "Menu principal" \(24\) has a stored count of 0 items, but 7 are published\.$/,
    () => table('termTaxonomy').where({ term_id: 24 }).update({ count: 0 }),
  ],
  [
    'a menu with a wrong stored count',
    /^warning menu_count_wrong: .*has a stored count of 9 items, but 7 are published/,
    () => table('termTaxonomy').where({ term_id: 24 }).update({ count: 9 }),
  ],
  [
    'a missing menu that is assigned in the theme',
    /^warning location_dangling: Menu 4711 does not exist, but is still assigned at "footer_2" of the theme "opal"\.$/,
    () => assign('opal', 'footer_2', GONE),
  ],
  [
    'a missing menu that is assigned in a language, for new pages, and in another theme',
    /^warning location_dangling: Menu 4711 does not exist, but is still assigned as a menu that new pages are added to, at "primary" of the theme "other", at "footer_1" of the theme "opal" in "de"\.$/,
    async () => {
      const assignment = { theme: 'opal', location: 'footer_1', lang: 'de' }
      await edit('polylang', (text) => setLocation(text, assignment, GONE))
      await edit('nav_menu_options', (text) => setValue(text, ['auto_add', 7], `i:${GONE};`))
      await assign('other', 'primary', GONE)
    },
  ],
  [
    'a missing menu that is assigned in an inactive theme',
    /^info location_dangling: .*at "third" of the theme "other"\.$/,
    () => assign('other', 'third', GONE),
  ],
  [
    'a location that the map of the theme does not contain',
    /^warning location_maps_differ: Polylang has menus for "header" of the theme "opal", which is missing in the theme's map\.$/,
    () => edit(MODS, (mods) => removeValue(mods, ['nav_menu_locations', 'header'])),
  ],
  [
    'a different menu in the theme than in the default language',
    /^warning location_maps_differ: .*Polylang has menu 23 for "en", but the theme's map has menu 26\.$/,
    () => assign('opal', 'header', 26),
  ],
]

describe('finds and fixes', () => {
  it.each(FIXED)('%s', async (_, finding, plant) => {
    const before = await Promise.all([MODS, 'polylang', 'nav_menu_options'].map(textOf))
    expect(await shop.examine()).toEqual([])
    await plant()
    expect(await shop.found()).toEqual([expect.stringMatching(finding)])
    expect(await shop.examine()).toMatchObject([{ site: 2, fix: expect.anything() }])
    await shop.fix()
    expect(await shop.examine()).toEqual([])
    const after = await Promise.all([MODS, 'polylang', 'nav_menu_options'].map(textOf))
    expect(after.map((text) => text.length)).toEqual(before.map((text) => text.length))
  })

  it('published items in no menu, but not recent ones', async () => {
    const [old = 0, young = 0, other = 0] = await itemsOf(MENU)
    const modified = { post_modified_gmt: '2020-01-01 00:00:00' }
    const now = new Date().toISOString().slice(0, 19).replace('T', ' ')
    await table('posts').where({ ID: old }).update(modified)
    await table('posts').where({ ID: young }).update({ post_modified_gmt: now })
    await table('termRelationships').whereIn('object_id', [old, young]).delete()
    const found = await shop.examine('item_without_menu')
    expect(found.map(({ message }) => message)).toEqual([
      `Item ${old} is published but in no menu.`,
    ])
    await shop.fix()
    expect(await shop.examine('item_without_menu', 'menu_count_wrong')).toEqual([])
    expect(await table('posts').whereIn('ID', [old, young, other]).pluck('ID')).toEqual([
      young,
      other,
    ])
    expect(await table('postmeta').where({ post_id: old })).toEqual([])
    await table('termRelationships').insert({ object_id: young, term_taxonomy_id: 21 })
    await shop.fix()
  })
})

const REPORTED: readonly (readonly [string, RegExp, plant: Plant, heal: Plant])[] = [
  [
    'a menu of the theme that Polylang does not have',
    /^warning location_maps_differ: .*the theme's map has menu 26, but Polylang has none for "en"\.$/,
    () => assign('opal', 'footer_2', 26),
    () => assign('opal', 'footer_2', 0),
  ],
  [
    'a damaged option',
    /^error option_unreadable: The option "theme_mods_other" is damaged: /,
    () => edit('theme_mods_other', (text) => text.replace('i:12;', 's:9:"x";')),
    () => edit('theme_mods_other', (text) => text.replace('s:9:"x";', 'i:12;')),
  ],
]

describe('reports without fixing', () => {
  it.each(REPORTED)('%s', async (_, finding, plant, heal) => {
    await plant()
    expect(await shop.found()).toEqual([expect.stringMatching(finding)])
    await shop.fix()
    expect(await shop.found()).toEqual([expect.stringMatching(finding)])
    await heal()
    expect(await shop.examine()).toEqual([])
  })

  it('items with a parent in another menu, and cycles of parents', async () => {
    const key = '_menu_item_menu_item_parent'
    const items = await itemsOf(26)
    const [first = 0, second = 0, third = 0] = items
    const [elsewhere = 0] = await itemsOf(24)
    const before = await table('postmeta').whereIn('post_id', items).where({ meta_key: key })
    await setMeta(first, key, second)
    await setMeta(second, key, first)
    await setMeta(third, key, elsewhere)
    const found = await shop.examine()
    expect(found.map(({ check }) => check)).toEqual([
      'item_parent_missing',
      'item_parents_circular',
    ])
    expect(found.map(({ message }) => message)).toEqual([
      `Item ${third} of menu "Footer" (26) has the parent ${elsewhere}, which is not in the menu.`,
      `The parents of the items ${first}, ${second} of menu "Footer" (26) form a cycle.`,
    ])
    for (const row of before) await setMeta(row.post_id, key, row.meta_value)
    expect(await shop.examine()).toEqual([])
  })
})

it('the doctor does not unassign a menu that was created after the check', async () => {
  await assign('opal', 'footer_2', GONE)
  const [finding] = await shop.examine('location_dangling')
  const { sql } = shop.network.db
  await sql(shop.site.tables.terms).insert({ term_id: GONE, name: 'New', slug: 'new' })
  await table('termTaxonomy').insert({ term_id: GONE, taxonomy: 'nav_menu', description: '' })
  await finding?.fix?.apply(shop.services)
  const entries = locationEntries('polylang', await textOf('polylang'))
  expect(entries.filter(({ value }) => value === GONE)).toEqual([])
  expect(await textOf(MODS)).toContain(`s:8:"footer_2";i:${GONE};`)
})
