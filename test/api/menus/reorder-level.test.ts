import { beforeEach, describe, expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'

let menu: { id: number; name: string }
let ids: number[]
const menus = await useMenusApi()
const { send } = menus
/** 0, 1 with 2 and 3 below it, 4. */
beforeEach(async () => {
  const made = await menus.makeMenu([3, { page: 7, children: [10, 12] }, 13])
  menu = made.menu
  ids = made.items.map(({ id }: { id: number }) => id)
})
const reorder = (body?: object) => send('post', `/menus/${menu.id}/reorder`, body)
const at = (...indexes: number[]) => indexes.map((index) => ids[index])
const order = async () => (await menus.itemsOf(menu.id)).map(({ id }) => ids.indexOf(id))

describe('POST /menus/{ref}/reorder', () => {
  it('reorders the top level with all descendants (complete response)', async () => {
    const { status, body } = await reorder({ order: at(4, 1, 0) })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      warnings: [],
      site_id: 2,
      menu: { id: menu.id, name: menu.name },
      parent: 0,
      order: at(4, 1, 0),
      appended: [],
      rebaked: expect.objectContaining({ status: 'ok' }),
      republish: { status: 'ok' },
    })
    expect(await order()).toEqual([4, 1, 2, 3, 0])
    expect((await menus.itemsOf(menu.id)).map(({ storedOrder }) => storedOrder)).toEqual([
      1, 2, 3, 4, 5,
    ])
  })

  it('reorders the children of an item; ids may be texts', async () => {
    const { body } = await reorder({ order: [String(ids[3]), ids[2]], parent: String(ids[1]) })
    expect(body).toMatchObject({ parent: ids[1], order: at(3, 2), appended: [] })
    expect(await order()).toEqual([0, 1, 3, 2, 4])
  })

  it('puts items that are not named after the named ones', async () => {
    const { body } = await reorder({ order: at(4) })
    expect(body).toMatchObject({ order: at(4, 0, 1), appended: at(0, 1) })
    expect(await order()).toEqual([4, 0, 1, 2, 3])
  })

  it('changes nothing but the order', async () => {
    const { posts, postmeta } = menus.site.tables
    const rows = async () => [
      await menus.network.db.sql(posts).whereIn('ID', ids).orderBy('ID'),
      await menus.network.db.sql(postmeta).whereIn('post_id', ids).orderBy('meta_id'),
    ]
    const [before, metas] = await rows()
    await reorder({ order: at(4, 0, 1) })
    const [after, same] = await rows()
    const withoutOrder = (list: { menu_order: number }[] = []) =>
      list.map(({ menu_order: _, ...row }) => row)
    expect(withoutOrder(after)).toEqual(withoutOrder(before))
    expect(same).toEqual(metas)
  })

  it('bad_reorder: not a list, not ids, an id twice, or items of another level', async () => {
    const bodies = [
      undefined,
      {},
      { order: [] },
      { order: 'all' },
      { order: [1.5] },
      { order: [null] },
      { order: at(0, 0) },
      { order: at(0, 2) },
      { order: at(0), parent: ids[1] },
      { order: at(0), parent: 'top' },
      { order: at(0), parent: -1 },
    ]
    for (const body of bodies) {
      const { status, body: answer } = await reorder(body)
      expect([status, answer.error]).toEqual([400, 'bad_reorder'])
    }
    expect(await order()).toEqual([0, 1, 2, 3, 4])
    expect((await reorder({ order: at(0, 2) })).body).toMatchObject({
      level: at(0, 1, 4),
      not_in_level: at(2),
    })
  })
})
