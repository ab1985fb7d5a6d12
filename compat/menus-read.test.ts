import { decodeHTMLStrict } from 'entities'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import {
  asAnswered,
  asData,
  dataOf,
  type MadeMenu,
  makeMenu,
  type ShownItem,
  shownMenu,
} from './support/menu.ts'
import { TEXTS } from './support/texts.ts'

let fixture: CompatFixture
let about = 0
let team = 0

beforeAll(async () => {
  fixture = await createCompatFixture()
  ;[about = 0, team = 0] = await fixture.wp<number[]>('make_pages', [
    { title: 'About & more' },
    { title: 'Team', under: 0 },
  ])
})
afterAll(() => fixture?.close())

type ScreenMenu = { readonly menu: number; readonly items: readonly number[] }

let menus = 0
/** Creates a menu at the header with WordPress's menu screen. */
function makeOnScreen(body: object = {}, user = 'root'): Promise<ScreenMenu> {
  menus += 1
  return fixture.wp<ScreenMenu>(
    'write_menu_on_screen',
    {
      name: `Menu ${menus}`,
      location: 'header',
      items: [
        { page: about, title: 'About & more' },
        { page: team, title: 'People', under: 0, classes: 'one two' },
        { url: 'https://other.test/?a=1&b=2', title: 'Other', target: '_blank' },
      ],
      ...body,
    },
    { user },
  )
}

/** Calls functions of WordPress as the site's administrator. */
const call = (...calls: readonly [string, readonly unknown[]][]) =>
  fixture.wp<unknown[]>('calls', calls)

/** Asserts that the API reads at the header what WordPress shows of the menu. */
async function expectRead(menu: number): Promise<readonly ShownItem[]> {
  const { items } = await shownMenu(fixture, menu)
  expect(await dataOf(fixture, 'header')).toEqual(asData(items))
  return items
}

describe('the API reads what WordPress wrote:', () => {
  it('a menu of the menu screen, with its tree and its location', async () => {
    const { menu } = await makeOnScreen()
    expect(await expectRead(menu)).toHaveLength(3)
    const listed = await fixture.done<{ menus: object[] }>('get', '/menus')
    expect(listed.menus).toContainEqual({
      id: menu,
      name: `Menu ${menus}`,
      slug: `menu-${menus}`,
      items: 3,
      assigned: [{ location: 'header', lang: null }],
    })
  })

  it.each(TEXTS)('the title %j', async (title) => {
    const { menu } = await makeOnScreen({ items: [{ url: '/x', title }] })
    await expectRead(menu)
  })

  it('titles of an administrator, whose markup WordPress filters', async () => {
    const titled = TEXTS.map((title) => ({ url: '/x', title }))
    const { menu } = await makeOnScreen({ items: titled }, fixture.admin)
    await expectRead(menu)
  })

  it('an item that is saved again with another title and position', async () => {
    const { menu, items } = await makeOnScreen()
    const save = (id: number | undefined, fields: object) =>
      fixture.wp('save_item', { menu, id, fields })
    await save(items[0], { 'menu-item-title': 'Own title' })
    await save(items[2], { 'menu-item-parent-id': items[1] })
    expect((await expectRead(menu)).map(({ title }) => title)).toContain('Own title')
  })

  it('items with a deleted parent', async () => {
    const { menu, items } = await makeOnScreen()
    await call(['wp_delete_post', [items[0]]])
    expect(await expectRead(menu)).toHaveLength(2)
  })

  it('items in the order of their positions, with gaps between these', async () => {
    const { menu, items } = await makeOnScreen()
    const save = (id: number | undefined, position: number) =>
      fixture.wp('save_item', { menu, id, fields: { 'menu-item-position': position } })
    await save(items[2], 7)
    await save(items[0], 900)
    await save(items[1], 30)
    expect((await expectRead(menu)).map(({ id }) => id)).toEqual([items[2], items[1], items[0]])
  })

  it('items on categories and on the archive of posts', async () => {
    const [made] = await call(['wp_insert_term', ['Fruit & nuts', 'category']])
    const { term_id: term } = made as { term_id: number }
    const { menu } = await makeOnScreen({ items: [{ url: '/x', title: 'First' }] })
    const link = (type: string, object: string, id: number) => [
      menu,
      0,
      {
        'menu-item-type': type,
        'menu-item-object': object,
        'menu-item-object-id': id,
        'menu-item-status': 'publish',
      },
    ]
    await call(
      ['wp_update_nav_menu_item', link('taxonomy', 'category', term)],
      ['wp_update_nav_menu_item', link('post_type_archive', 'post', -7)],
    )
    expect((await expectRead(menu)).map(({ type }) => type)).toEqual([
      'custom',
      'taxonomy',
      'post_type_archive',
    ])
  })

  it('items on pages that are trashed, drafted and deleted', async () => {
    const [trashed, drafted, deleted] = await fixture.wp<number[]>('make_pages', [
      { title: 'Trashed' },
      { title: 'Drafted' },
      { title: 'Deleted' },
    ])
    const { menu } = await makeOnScreen({
      items: [
        { page: trashed, title: 'Trashed' },
        { page: drafted, title: 'Drafted' },
        { page: deleted, title: 'Deleted' },
        { url: '/x', title: 'Stays' },
      ],
    })
    await call(
      ['wp_trash_post', [trashed]],
      ['wp_update_post', [{ ID: drafted, post_status: 'draft' }]],
      ['wp_delete_post', [deleted, true]],
    )
    expect((await expectRead(menu)).map(({ title }) => title)).toEqual(['Drafted', 'Stays'])
  })

  it('a page that WordPress adds to the menu when it is published', async () => {
    const { menu } = await makeOnScreen()
    await call(['update_option', ['nav_menu_options', { auto_add: [menu] }]])
    await fixture.wp('make_pages', [{ title: 'Added automatically' }])
    expect((await expectRead(menu)).map(({ title }) => title)).toContain('Added automatically')
  })

  it('a changed name', async () => {
    const { menu } = await makeOnScreen()
    await call(['wp_update_nav_menu_object', [menu, { 'menu-name': 'Öl & "Essig"' }]])
    const { menus: listed } = await fixture.done<{ menus: { id: number }[] }>('get', '/menus')
    expect(listed.find(({ id }) => id === menu)).toMatchObject({
      name: 'Öl & "Essig"',
      slug: 'ol-essig',
    })
  })

  it('that a menu was removed from a location, and that a menu was deleted', async () => {
    const { menu } = await makeOnScreen()
    await call(['set_theme_mod', ['nav_menu_locations', { footer_1: menu }]])
    expect(await dataOf(fixture, 'header')).toEqual([])
    expect(await dataOf(fixture, 'footer_1')).toHaveLength(2)
    await call(['wp_delete_nav_menu', [menu]])
    expect(await dataOf(fixture, 'footer_1')).toEqual([])
    expect((await fixture.send('delete', `/menus/${menu}`)).status).toBe(404)
  })

  it('a menu of the screen to which the API then adds items, and which it reorders', async () => {
    const { menu, items } = await makeOnScreen()
    await fixture.done('post', `/menus/${menu}/items`, { page: team, parent: items[0] })
    await fixture.done('post', `/menus/${menu}/reorder`, { order: [items[2]] })
    const shown = await expectRead(menu)
    expect(shown.map(({ title, order }) => [decodeHTMLStrict(title), order])).toEqual([
      ['Other', 1],
      ['About & more', 2],
      ['People', 3],
      ['Team', 4],
    ])
  })

  it('a menu of the API to which WordPress then adds items', async () => {
    const { menu } = await makeMenu(fixture, {
      name: 'Of the API',
      location: 'header',
      items: [{ page: about }, { url: '/x', title: 'Last' }],
    })
    await call([
      'wp_update_nav_menu_item',
      [
        menu.id,
        0,
        { 'menu-item-title': 'Added', 'menu-item-url': '/y', 'menu-item-status': 'publish' },
      ],
    ])
    const shown = await expectRead(menu.id)
    expect(shown.map(({ title, order }) => [decodeHTMLStrict(title), order])).toEqual([
      ['About & more', 1],
      ['Last', 2],
      ['Added', 3],
    ])
    const { items } = await fixture.done<MadeMenu>('put', `/menus/${menu.id}/items`, {
      items: [team],
    })
    expect((await shownMenu(fixture, menu.id)).items.map(asAnswered)).toMatchObject(
      items.map(({ id }) => ({ id })),
    )
  })
})
