import { describe, expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'

/** Items that WordPress and plugins left in menus: other types, orphans, items on trashed pages, twelve levels. */

const MAIN = 23
const FOOTER = 26
const DEEP = 29
const CATEGORY = 31
const ARCHIVE = 51

const menus = await useMenusApi()
const { send } = menus

/** An item as it is read, without its position. */
const contents = async (menu: number) =>
  new Map(
    (await menus.itemsOf(menu)).map(({ order: _, storedOrder: __, parent: ___, ...item }) => [
      item.id,
      item,
    ]),
  )
const positions = async (menu: number) =>
  (await menus.itemsOf(menu)).map(({ id, parent }) => [id, parent])

describe('items that callers cannot create', () => {
  it('survive reordering: terms, archives, unpublished and trashed pages', async () => {
    for (const menu of [MAIN, FOOTER]) {
      const before = await contents(menu)
      const top = (await menus.itemsOf(menu)).filter(({ parent }) => parent === 0)
      const order = top.map(({ id }) => id).reverse()
      const { status, body } = await send('post', `/menus/${menu}/reorder`, { order })
      expect([status, body.order]).toEqual([200, order])
      expect(await contents(menu)).toEqual(before)
      const now = (await menus.itemsOf(menu)).filter(({ parent }) => parent === 0)
      expect(now.map(({ id }) => id)).toEqual(order)
    }
  })

  it('survive a move and keep their links', async () => {
    const before = (await contents(MAIN)).get(CATEGORY)
    const moved = await send('patch', `/menus/${MAIN}/items/${CATEGORY}`, { parent: 25 })
    expect(moved.body.item).toMatchObject({ type: 'taxonomy', parent: { from: 0, to: 25 } })
    expect((await contents(MAIN)).get(CATEGORY)).toEqual(before)
    const titled = await send('patch', `/menus/${FOOTER}/items/${ARCHIVE}`, { title: 'News' })
    expect(titled.body.item).toMatchObject({
      type: 'post_type_archive',
      title: { from: 'Archive', to: 'News' },
    })
    const followed = await send('patch', `/menus/${MAIN}/items/${CATEGORY}`, {
      title: 'Uncategorized',
    })
    expect(followed.body.item.title).toBe('Uncategorized')
    expect((await contents(MAIN)).get(CATEGORY)?.ownTitle).toBe('')
  })

  it('are marked as invalid, and can be moved and deleted', async () => {
    const trashed = (await menus.itemsOf(FOOTER)).find(({ valid }) => !valid)
    const { body } = await send('patch', `/menus/${FOOTER}/items/${trashed?.id}`, { classes: 'x' })
    expect(body.item.valid).toBe(false)
    const { status } = await send('delete', `/menus/${FOOTER}/items/${trashed?.id}`)
    expect(status).toBe(200)
    expect((await contents(FOOTER)).has(trashed?.id ?? 0)).toBe(false)
  })

  it('move across twelve levels with their descendants', async () => {
    const ids = (await menus.itemsOf(DEEP)).map(({ id }) => id)
    const before = await contents(DEEP)
    const fifth = ids[4]
    expect((await send('patch', `/menus/${DEEP}/items/${fifth}`, { parent: 0 })).status).toBe(200)
    expect(await positions(DEEP)).toEqual(
      ids.map((id, index) => [id, index === 0 || index === 4 ? 0 : ids[index - 1]]),
    )
    await send('post', `/menus/${DEEP}/reorder`, { order: [fifth] })
    expect((await positions(DEEP)).map(([id]) => id)).toEqual([...ids.slice(4), ...ids.slice(0, 4)])
    expect(await contents(DEEP)).toEqual(before)
    const { body } = await send('post', `/menus/${DEEP}/items`, { page: 3, parent: ids[11] })
    expect(body.item).toMatchObject({ parent: ids[11], order: 9 })
  })

  it('without an existing parent are at the top level and keep their stored data', async () => {
    const { menu, items } = await menus.makeMenu([3, { page: 7, children: [10] }, 13])
    const ids = items.map(({ id }: { id: number }) => id)
    const [home, about, team, legal] = ids
    const { postmeta } = menus.site.tables
    const parentOf = (id: number) =>
      menus.network.db.sql(postmeta).where({ post_id: id, meta_key: '_menu_item_menu_item_parent' })
    await parentOf(team).update({ meta_value: '999999' })
    // These two are parents of each other.
    await parentOf(home).update({ meta_value: String(legal) })
    await parentOf(legal).update({ meta_value: String(home) })

    const reordered = await send('post', `/menus/${menu.id}/reorder`, { order: [team, about] })
    expect(reordered.body).toMatchObject({ order: [team, about, home], appended: [home] })
    expect(await positions(menu.id)).toEqual([
      [team, 999999],
      [about, 0],
      [home, legal],
      [legal, home],
    ])
    const added = await send('post', `/menus/${menu.id}/items`, { page: 3, parent: legal })
    expect(added.body.item.order).toBe(5)
    const freed = await send('patch', `/menus/${menu.id}/items/${team}`, { parent: 0 })
    expect(freed.body.item.parent).toEqual({ from: 999999, to: 0 })
    const gone = await send('delete', `/menus/${menu.id}/items/${home}`)
    expect(gone.body.removed).toEqual([home, legal, added.body.item.id])
  })
})
