import type { Knex } from 'knex'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { createDb } from '../../../src/db/database.ts'
import type { Sender } from '../../../src/db/sender.ts'
import { readLocationMaps } from '../../../src/wordpress/nav-menus/location-maps.ts'
import { type MenuItem, visibleItems } from '../../../src/wordpress/nav-menus/menu-item.ts'
import { readWholeMenu } from '../../../src/wordpress/nav-menus/read-menu.ts'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { readMenu } from '../../support/read-menu.ts'
import { NO_TEXTS } from '../../support/site-fixture.ts'
import { senderOf } from '../../support/statements.ts'
import { useTruth } from '../clone-truth.ts'

const FOOTER = 26
const FOOTER_TT = 24
const EMPTY = 27
const EMPTY_TT = 25

const network = await useTruth()
const site = await network.site(2)

/** The changes of a test are rolled back. */
let sql: Knex.Transaction
beforeEach(async () => {
  sql = await network.db.sql.transaction()
})
afterEach(() => sql.rollback())
const db = () => createDb(senderOf(sql), network.db)

async function read(menuId: number) {
  const found = await readMenu(db(), site, await readLinkSettings(db(), site), menuId)
  if (!found) throw new Error(`no menu ${menuId}`)
  return found
}

const ids = (items: readonly MenuItem[]): number[] => items.map(({ id }) => id)

type NewItem = {
  ID: number
  meta: Record<string, string>
  post_title?: string
  post_status?: string
  menu_order?: number
  post_content?: string
  post_excerpt?: string
}

/** Items of the empty menu. */
async function addItems(...items: readonly NewItem[]): Promise<void> {
  const texts = { ...NO_TEXTS, post_title: '' }
  const base = { ...texts, post_type: 'nav_menu_item', post_status: 'publish' }
  const { posts, postmeta, termRelationships } = site.tables
  await sql(posts).insert(items.map(({ meta, ...item }) => ({ ...base, ...item })))
  await sql(termRelationships).insert(
    items.map(({ ID }) => ({ object_id: ID, term_taxonomy_id: EMPTY_TT })),
  )
  const rows = items.flatMap(({ ID, meta }) =>
    Object.entries(meta).map(([meta_key, meta_value]) => ({ post_id: ID, meta_key, meta_value })),
  )
  if (rows.length > 0) await sql(postmeta).insert(rows)
}

const linkTo = (object_id: number): Record<string, string> => ({
  _menu_item_type: 'post_type',
  _menu_item_object: 'page',
  _menu_item_object_id: String(object_id),
})

describe('readMenu', () => {
  it('returns items that visitors do not see, marked as invalid', async () => {
    const { menu, items } = await read(FOOTER)
    expect(ids(items)).toEqual([45, 46, 47, 48, 49, 50, 51])
    expect(items.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect(items.filter(({ valid }) => !valid)).toMatchObject([
      { id: 46, title: 'Trashed page', page: 23, url: 'http://net.test/shop/?page_id=23' },
    ])
    expect(ids(visibleItems(menu, items))).toEqual([45, 47, 48, 49, 50, 51])
  })

  it('distinguishes a page from other objects', async () => {
    const { items } = await read(23)
    expect(items.map(({ page }) => page)).toEqual([3, 7, 10, 12, null, null, null, null])
  })

  it('finds no menu by the id of another taxonomy or by an unknown id', async () => {
    const links = await readLinkSettings(db(), site)
    for (const id of [1, 0, 9999]) expect(await readMenu(db(), site, links, id)).toBeUndefined()
  })

  it('shows no items of a menu with count 0', async () => {
    await sql(site.tables.termTaxonomy).where({ term_taxonomy_id: FOOTER_TT }).update({ count: 0 })
    const { menu, items } = await read(FOOTER)
    expect(items).toHaveLength(7)
    expect(visibleItems(menu, items)).toEqual([])
  })

  it('sorts by menu_order and id, and numbers from 1 without gaps', async () => {
    await addItems(
      { ID: 903, meta: {}, menu_order: 4 },
      { ID: 901, meta: {}, menu_order: 4 },
      { ID: 902, meta: {}, menu_order: -1 },
      { ID: 904, meta: {}, menu_order: 100 },
    )
    const { items } = await read(EMPTY)
    expect(items.map(({ id, order }) => [id, order])).toEqual([
      [902, 1],
      [901, 2],
      [903, 3],
      [904, 4],
    ])
  })

  it('reads an item without meta as an empty custom link', async () => {
    await addItems({ ID: 900, meta: {} })
    expect((await read(EMPTY)).items).toMatchObject([
      { type: 'custom', object: '', objectId: 0, page: null, parent: 0, title: '', url: '' },
    ])
    expect((await read(EMPTY)).items[0]).toMatchObject({
      classes: [''],
      valid: true,
      switcher: null,
    })
  })

  it('returns drafts, which visitors do not see', async () => {
    await sql(site.tables.posts).where({ ID: 45 }).update({ post_status: 'draft' })
    const { menu, items } = await read(FOOTER)
    expect(items[0]).toMatchObject({ id: 45, status: 'draft' })
    expect(ids(visibleItems(menu, items))).not.toContain(45)
  })

  it('reads the oldest of several values of one meta key', async () => {
    await addItems({ ID: 900, meta: linkTo(7) })
    await sql(site.tables.postmeta).insert({
      post_id: 900,
      meta_key: '_menu_item_object_id',
      meta_value: '8',
    })
    expect((await read(EMPTY)).items[0]?.page).toBe(7)
  })

  it('reads each text once, and each value', async () => {
    const texts = { post_content: 'c'.repeat(10_000), post_excerpt: 'e'.repeat(10_000) }
    const others = { _from_a_plugin: 'p'.repeat(10_000), _again: '' }
    await addItems({ ID: 900, meta: { ...linkTo(7), ...others }, ...texts })
    const sender = senderOf(sql)
    let received = 0
    const counting: Sender = {
      ...sender,
      send: async (statement) => {
        const reply = await sender.send(statement)
        received += JSON.stringify(reply.rows).length
        return reply
      },
    }
    const found = await readWholeMenu(createDb(counting, network.db), site, EMPTY)
    expect(found?.items).toMatchObject([{ row: texts, others: Object.entries(others) }])
    expect(received).toBeLessThan(2 * 30_000)
  })

  it('ignores related objects that are not items', async () => {
    await sql(site.tables.termRelationships).insert({ object_id: 7, term_taxonomy_id: EMPTY_TT })
    expect((await read(EMPTY)).items).toEqual([])
  })

  it.each([
    ['a page that is gone', { ...linkTo(9999) }, '#9999 (no title)'],
    [
      'a deleted term',
      { _menu_item_type: 'taxonomy', _menu_item_object: 'category', _menu_item_object_id: '9999' },
      '#9999 (no title)',
    ],
    [
      'a term of another taxonomy',
      { _menu_item_type: 'taxonomy', _menu_item_object: 'post_tag', _menu_item_object_id: '1' },
      '#1 (no title)',
    ],
  ])('marks a link to %s as invalid', async (_, meta, title) => {
    await addItems({ ID: 900, meta })
    expect((await read(EMPTY)).items).toMatchObject([{ valid: false, url: '', title }])
  })

  it('names an untitled page by its id', async () => {
    await sql(site.tables.posts).where({ ID: 7 }).update({ post_title: '' })
    expect((await read(23)).items[1]?.title).toBe('#7 (no title)')
  })

  it.each([
    ['plain string', ['plain string']],
    ['a:1:{i:0;s:3:"x', ['a:1:{i:0;s:3:"x']],
    ['a:1:{i:0;s:3:"x";}', ['']],
    ['s:3:"a b";', ['a b']],
    ['b:1;', ['']],
    ['a:2:{s:1:"k";s:1:"x";i:5;i:7;}', ['x', '7']],
  ])(
    'reads the classes %s as WordPress casts them to a list',
    async (_menu_item_classes, classes) => {
      await addItems({ ID: 900, meta: { _menu_item_classes } })
      expect((await read(EMPTY)).items[0]?.classes).toEqual(classes)
    },
  )

  it('returns a language switcher with its settings', async () => {
    await addItems({
      ID: 900,
      meta: {
        _menu_item_url: '#pll_switcher',
        _pll_menu_item: encodePhp({ hide_current: 1, show_flags: 0, dropdown: 0 }),
      },
    })
    const [item] = (await read(EMPTY)).items
    expect(item?.switcher).toEqual(
      new Map([
        ['hide_current', 1],
        ['show_flags', 0],
        ['dropdown', 0],
      ]),
    )
  })

  it.each([
    ['pages, some below others', 7, 'page', 3],
    ['pages and terms', 1, 'category', 4],
  ])('reads 50 %s in a fixed number of statements', async (_, id, object, expected) => {
    await addItems(
      ...Array.from({ length: 50 }, (_, index) => ({
        ID: 900 + index,
        menu_order: index,
        meta:
          index % 2 === 0
            ? linkTo(7 + (index % 10))
            : {
                _menu_item_type: object === 'page' ? 'post_type' : 'taxonomy',
                _menu_item_object: object,
                _menu_item_object_id: String(id),
              },
      })),
    )
    const links = await readLinkSettings(db(), site)
    let statements = 0
    sql.on('query', () => {
      statements += 1
    })
    const found = await readMenu(db(), site, links, EMPTY)
    expect(statements).toBe(expected)
    expect(found?.items).toHaveLength(50)
    expect(found?.items.every(({ valid }) => valid)).toBe(true)
  })
})

describe('readLocationMaps', () => {
  const setOption = (option_name: string, option_value: string) =>
    sql(site.tables.options).where({ option_name }).update({ option_value })

  it('ignores language locations in the theme’s map, and reads ids stored as texts', async () => {
    const nav_menu_locations = { header: '23', header___fr: 24, footer_1: false, 7: 26 }
    await setOption('theme_mods_opal', encodePhp({ nav_menu_locations }))
    const { byTheme } = await readLocationMaps(db(), site)
    expect([...byTheme].sort()).toEqual([
      ['7', 26],
      ['footer_1', 0],
      ['header', 23],
    ])
  })

  it('reads damaged maps as empty', async () => {
    await setOption('theme_mods_opal', 'a:1:{s:18:"nav_menu')
    await setOption('polylang', 'a:1:{s:9:"nav_menus";i:1;}')
    const maps = await readLocationMaps(db(), site)
    expect([maps.byTheme.size, maps.byLanguage.size]).toEqual([0, 0])
  })
})
