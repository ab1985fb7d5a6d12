import { beforeEach, describe, expect, it } from 'vitest'
import { type MenusApi, startMenusApi } from '../../support/menus-api.ts'
import { use } from '../../support/use.ts'

let menu: number
let ids: number[]
const menus = await use(startMenusApi())
/** 0: Home, 1: About us, 2: below it Team, 3: Legal. */
beforeEach(async () => {
  const { menu: made, items } = await menus.makeMenu([3, { page: 7, children: [10] }, 'legal'])
  menu = made.id
  ids = items.map(({ id }: { id: number }) => id)
})

const send = (...call: Parameters<MenusApi['send']>) => menus.send(...call)
const add = (body?: object | string | number) => send('post', `/menus/${menu}/items`, body)
const refused = async (body?: object | string | number) => {
  const before = await menus.itemsOf(menu)
  const answer = await add(body)
  expect(await menus.itemsOf(menu)).toEqual(before)
  return [answer.status, answer.body.error]
}

describe('POST /menus/{ref}/items', () => {
  it('adds an item at the end of the top level (complete response)', async () => {
    const { status, body } = await add({ item: { url: '/x', title: 'X', target: '_blank' } })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      site_id: 2,
      menu: { id: menu, name: body.menu.name },
      item: {
        id: body.item.id,
        title: 'X',
        type: 'custom',
        page: null,
        url: 'http://net.test/shop/x',
        parent: 0,
        order: 5,
        valid: true,
      },
      total: 5,
      rebaked: body.rebaked,
      republish: { status: 'ok' },
    })
    expect(body.rebaked.status).toBe('ok')
    const read = await menus.itemsOf(menu)
    expect(read.at(-1)).toMatchObject({ id: body.item.id, target: '_blank', storedOrder: 5 })
  })

  it('adds an item below a parent and renumbers the following items', async () => {
    const { body } = await add({ item: { page: 'sample-page', parent: ids[1] } })
    expect(body.item).toMatchObject({ parent: ids[1], order: 4, page: 2 })
    const read = await menus.itemsOf(menu)
    expect(read.map(({ id, storedOrder }) => [id, storedOrder])).toEqual([
      [ids[0], 1],
      [ids[1], 2],
      [ids[2], 3],
      [body.item.id, 4],
      [ids[3], 5],
    ])
    expect((await add({ item: 3, parent: String(ids[2]) })).body.item).toMatchObject({
      parent: ids[2],
      order: 4,
    })
  })

  it.each([
    ['the item itself', { page: 13, parent: 0 }],
    ['a page alone', { item: 13 }],
    ['a page by its path', { item: '/legal/' }],
    ['a bare id', 13],
    ['a bare slug', 'legal'],
  ])('accepts %s', async (_, body) => {
    expect((await add(body)).body.item).toMatchObject({ page: 13, parent: 0, order: 5 })
  })

  it('adds the first item of a menu with the number that the menu screen gives', async () => {
    const { body } = await send('post', '/menus/28/items', { page: 3 })
    expect([body.item.order, body.total]).toEqual([1, 1])
    expect((await menus.itemsOf(28))[0]?.storedOrder).toBe(1)
  })

  it('adds an item with children', async () => {
    const { body } = await add({ page: 3, children: [7, { url: '/x', children: [10] }] })
    expect([body.item.order, body.total]).toEqual([5, 8])
    const read = (await menus.itemsOf(menu)).slice(4)
    expect(read.map(({ parent }) => parent)).toEqual([0, read[0]?.id, read[0]?.id, read[2]?.id])
  })

  it('item_target_required', async () => {
    for (const body of [
      undefined,
      {},
      { item: {} },
      { item: null },
      { title: 'X' },
      { url: '' },
      { url: 'javascript:alert(1)' },
      { url: 'http://' },
      { page: true },
      { item: [] },
    ]) {
      expect(await refused(body)).toEqual([400, 'item_target_required'])
    }
  })

  it('page_not_found, and ambiguous_page with candidates', async () => {
    expect(await refused({ page: 'nowhere' })).toEqual([404, 'page_not_found'])
    const { status, body } = await add({ page: 'overview' })
    expect([status, body.error]).toEqual([409, 'ambiguous_page'])
    expect(body.candidates.map(({ id }: { id: number }) => id)).toEqual([17, 18])
  })

  it('menu_items_invalid: an unpublished page', async () => {
    expect(await refused({ page: 19 })).toEqual([409, 'menu_items_invalid'])
    expect((await add({ page: 23 })).body.invalid).toMatchObject([
      { at: '0', reason: 'page_not_published', page: 23, status: 'trash' },
    ])
    expect(await refused({ page: 3, children: [19] })).toEqual([409, 'menu_items_invalid'])
  })

  it('item_not_found: unknown parent', async () => {
    expect(await refused({ page: 3, parent: 9999 })).toEqual([404, 'item_not_found'])
    // An item of another menu.
    expect(await refused({ page: 3, parent: 24 })).toEqual([404, 'item_not_found'])
  })

  it('rejects a parent that is not an id', async () => {
    const { status, body } = await add({ page: 3, parent: 'top' })
    expect([status, body.code, Object.keys(body.data.params)]).toEqual([
      400,
      'rest_invalid_param',
      ['parent'],
    ])
  })

  it('bad_items: a title that is not a text, too many levels', async () => {
    expect(await refused({ page: 3, title: {} })).toEqual([400, 'bad_items'])
    let deep: unknown = 3
    for (let level = 1; level < 100; level += 1) deep = { page: 3, children: [deep] }
    expect(await refused({ item: deep, parent: ids[0] })).toEqual([400, 'bad_items'])
    expect((await add({ item: deep })).status).toBe(200)
  })

  it('menu_not_found and menu_not_assigned', async () => {
    expect((await send('post', '/menus/nope/items', { page: 3 })).body.error).toBe('menu_not_found')
    expect((await send('post', '/menus/~footer_3/items', { page: 3 })).body.error).toBe(
      'menu_not_assigned',
    )
  })
})
