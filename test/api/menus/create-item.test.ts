import { beforeEach, describe, expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'

let menu: number
let ids: number[]
const menus = await useMenusApi()
const { send } = menus
/** 0: Home, 1: About us, 2: below it Team, 3: Legal. */
beforeEach(async () => {
  const { menu: made, items } = await menus.makeMenu([3, { page: 7, children: [10] }, 'legal'])
  menu = made.id
  ids = items.map(({ id }: { id: number }) => id)
})
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
      warnings: [],
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
      rebaked: expect.objectContaining({ status: 'ok' }),
      republish: { status: 'ok' },
    })
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

  it('bad_items: a title that is not a text, too many levels', async () => {
    expect(await refused({ page: 3, title: {} })).toEqual([400, 'bad_items'])
    let deep: unknown = 3
    for (let level = 1; level < 100; level += 1) deep = { page: 3, children: [deep] }
    expect(await refused({ item: deep, parent: ids[0] })).toEqual([400, 'bad_items'])
    expect((await add({ item: deep })).status).toBe(200)
  })
})
