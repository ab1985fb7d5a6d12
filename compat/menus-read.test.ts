import { decodeHTMLStrict } from 'entities'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  asAnswered,
  asData,
  dataOf,
  type MadeMenu,
  makeMenu,
  type ShownItem,
  shownMenu,
} from './support/menu.ts'
import { openScene, type Scene } from './support/scene.ts'
import { TEXTS } from './support/texts.ts'

let scene: Scene
let about = 0
let team = 0

beforeAll(async () => {
  scene = await openScene()
  ;[about = 0, team = 0] = await scene.wp<number[]>('make_pages', [
    { title: 'About & more' },
    { title: 'Team', under: 0 },
  ])
})
afterAll(() => scene?.close())

type ScreenMenu = { readonly menu: number; readonly items: readonly number[] }

let menus = 0
/** A menu that WordPress's own screen makes, at the header. */
function makeOnScreen(body: object = {}, user = 'root'): Promise<ScreenMenu> {
  menus += 1
  return scene.wp<ScreenMenu>(
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

/** Calls functions of WordPress's as the site's administrator. */
const call = (...calls: readonly [string, readonly unknown[]][]) =>
  scene.wp<unknown[]>('calls', calls)

/** What the API reads at the header is what WordPress shows of the menu. */
async function expectRead(menu: number): Promise<readonly ShownItem[]> {
  const { items } = await shownMenu(scene, menu)
  expect(await dataOf(scene, 'header')).toEqual(asData(items))
  return items
}

describe('what WordPress writes, the API reads:', () => {
  it('a menu of the menu screen, its tree and its location', async () => {
    const { menu } = await makeOnScreen()
    expect(await expectRead(menu)).toHaveLength(3)
    const listed = await scene.done<{ menus: object[] }>('get', '/menus')
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

  it('the titles of an administrator, whom WordPress does not let write all markup', async () => {
    const titled = TEXTS.map((title) => ({ url: '/x', title }))
    const { menu } = await makeOnScreen({ items: titled }, scene.admin)
    await expectRead(menu)
  })

  it('an item that is saved again with another title and in another place', async () => {
    const { menu, items } = await makeOnScreen()
    const save = (id: number | undefined, fields: object) =>
      scene.wp('save_item', { menu, id, fields })
    await save(items[0], { 'menu-item-title': 'Own title' })
    await save(items[2], { 'menu-item-parent-id': items[1] })
    expect((await expectRead(menu)).map(({ title }) => title)).toContain('Own title')
  })

  it('items whose parent is gone', async () => {
    const { menu, items } = await makeOnScreen()
    await call(['wp_delete_post', [items[0]]])
    expect(await expectRead(menu)).toHaveLength(2)
  })

  it('items by their positions, be they far apart', async () => {
    const { menu, items } = await makeOnScreen()
    const save = (id: number | undefined, place: number) =>
      scene.wp('save_item', { menu, id, fields: { 'menu-item-position': place } })
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
    const [trashed, drafted, deleted] = await scene.wp<number[]>('make_pages', [
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

  it('a page that is added by itself when it is published', async () => {
    const { menu } = await makeOnScreen()
    await call(['update_option', ['nav_menu_options', { auto_add: [menu] }]])
    await scene.wp('make_pages', [{ title: 'Added by itself' }])
    expect((await expectRead(menu)).map(({ title }) => title)).toContain('Added by itself')
  })

  it('another name', async () => {
    const { menu } = await makeOnScreen()
    await call(['wp_update_nav_menu_object', [menu, { 'menu-name': 'Öl & "Essig"' }]])
    const { menus: listed } = await scene.done<{ menus: { id: number }[] }>('get', '/menus')
    expect(listed.find(({ id }) => id === menu)).toMatchObject({
      name: 'Öl & "Essig"',
      slug: 'ol-essig',
    })
  })

  it('that a location was taken from a menu, and a menu deleted', async () => {
    const { menu } = await makeOnScreen()
    await call(['set_theme_mod', ['nav_menu_locations', { footer_1: menu }]])
    expect(await dataOf(scene, 'header')).toEqual([])
    expect(await dataOf(scene, 'footer_1')).toHaveLength(2)
    await call(['wp_delete_nav_menu', [menu]])
    expect(await dataOf(scene, 'footer_1')).toEqual([])
    expect((await scene.send('delete', `/menus/${menu}`)).status).toBe(404)
  })

  it('a menu of the screen, to which the API then adds, and which it reorders', async () => {
    const { menu, items } = await makeOnScreen()
    await scene.done('post', `/menus/${menu}/items`, { page: team, parent: items[0] })
    await scene.done('post', `/menus/${menu}/reorder`, { order: [items[2]] })
    const shown = await expectRead(menu)
    expect(shown.map(({ title, order }) => [decodeHTMLStrict(title), order])).toEqual([
      ['Other', 1],
      ['About & more', 2],
      ['People', 3],
      ['Team', 4],
    ])
  })

  it('a menu of the API, to which WordPress then adds', async () => {
    const { menu } = await makeMenu(scene, {
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
    const { items } = await scene.done<MadeMenu>('put', `/menus/${menu.id}/items`, {
      items: [team],
    })
    expect((await shownMenu(scene, menu.id)).items.map(asAnswered)).toMatchObject(
      items.map(({ id }) => ({ id })),
    )
  })
})
