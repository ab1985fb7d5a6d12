import { describe, expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'

const menus = await useMenusApi()
const { send } = menus

describe('DELETE /menus/{ref}/items/{id}', () => {
  it('deletes an item with its descendants (complete response)', async () => {
    const { menu, items } = await menus.makeMenu([
      3,
      { page: 7, children: [{ page: 10, children: [12] }, 13] },
      { url: '/x' },
    ])
    const ids = items.map(({ id }: { id: number }) => id)
    const { status, body } = await send('delete', `/menus/${menu.id}/items/${ids[1]}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      warnings: [],
      site_id: 2,
      menu: { id: menu.id, name: menu.name },
      removed: ids.slice(1, 5),
      total: 2,
      rebaked: expect.objectContaining({ status: 'ok' }),
      republish: { status: 'ok' },
    })
    const left = await menus.itemsOf(menu.id)
    expect(left.map(({ id, storedOrder }) => [id, storedOrder])).toEqual([
      [ids[0], 1],
      [ids[5], 2],
    ])
    const { postmeta, termTaxonomy } = menus.site.tables
    const { sql } = menus.network.db
    expect(await sql(postmeta).whereIn('post_id', ids.slice(1, 5))).toEqual([])
    expect(await sql(termTaxonomy).where({ term_id: menu.id }).pluck('count')).toEqual([2])
  })
})
