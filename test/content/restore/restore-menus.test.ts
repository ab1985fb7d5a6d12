import { describe, expect, it } from 'vitest'
import { listEntries } from '../../../src/record/history/read-history.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { readRestorableState } from '../../support/restorable-state.ts'
import { createRestoredSite } from './restored-site.ts'

const api = await useMenusApi()
const { network, site, send } = api
const { db, globals } = network
const { restore, newest, loseContent } = createRestoredSite(network, site)

const state = () => readRestorableState(db, site)
const newestMenu = () => newest({ kind: 'menu' })
const requestOf = async () => (await newestMenu()).request_id ?? ''
const titlesOf = async (id: number) => (await api.itemsOf(id)).map(({ title }) => title)
const A = { title: 'A', url: 'https://a.test/' }
const B = { title: 'B', url: '/b' }
const replaceItems = (id: number, items: readonly object[]) =>
  send('put', `/menus/${id}/items`, { items })

describe('a restored menu', () => {
  it('does not get a name that another menu has in the eyes of WordPress', async () => {
    await send('post', '/menus', { name: 'Opening Hours' })
    await send('delete', '/menus/opening-hours')
    const requestId = await requestOf()
    await send('post', '/menus', { name: 'OPENING hours', slug: 'other-hours' })
    const { restored, obstacles } = await restore({ requestId })
    expect(restored).toEqual([])
    expect(obstacles).toMatchObject([{ name: 'Opening Hours', reason: 'name_taken' }])
  })

  it('stays as it is if the history has lost its items', async () => {
    const { menu } = await api.makeMenu([{ title: 'Found in no other menu', url: '/x' }])
    const { id } = await newestMenu()
    await replaceItems(menu.id, [B])
    await loseContent(id)
    const { restored, obstacles } = await restore({ entry: id })
    expect(restored).toEqual([])
    expect(obstacles).toMatchObject([{ reason: 'history_pruned' }])
    expect(await titlesOf(menu.id)).toEqual(['B'])
  })

  it('is restored although an item links something that is gone, which is named', async () => {
    const { menu } = await api.makeMenu([{ page: 'about-us' }])
    const requestId = (await replaceItems(menu.id, [B])) && (await requestOf())
    const { posts } = site.tables
    const page = () => db.sql(posts).where({ ID: 7 })
    await page().update({ post_status: 'trash' })
    try {
      const { restored, obstacles } = await restore({ requestId })
      expect(restored).toHaveLength(1)
      expect(obstacles).toMatchObject([{ reason: 'item_target_missing' }])
    } finally {
      await page().update({ post_status: 'publish' })
    }
  })

  it('is shown again if another program had made its items drafts', async () => {
    const { menu } = await api.makeMenu([B])
    const { id } = await newestMenu()
    const { posts, termTaxonomy } = site.tables
    const items = (await api.itemsOf(menu.id)).map((item) => item.id)
    await db.sql(posts).whereIn('ID', items).update({ post_status: 'draft' })
    const term = db.sql(termTaxonomy).where({ term_id: menu.id })
    await term.clone().update({ count: 0 })
    expect((await restore({ entry: id })).obstacles).toEqual([])
    expect(await term.clone().pluck('count')).toEqual([1])
  })

  it('has no address with a protocol that writes refuse, as another program had stored it', async () => {
    const { id: menuId } = (await api.makeMenu([{ title: 'Odd', url: 'https://odd.test/' }])).menu
    const metas = () => db.sql(site.tables.postmeta).where('meta_key', '_menu_item_url')
    await metas()
      .where('meta_value', 'https://odd.test/')
      .update({ meta_value: 'javascript:alert(1)' })
    await replaceItems(menuId, [B])
    await restore({ requestId: await requestOf() })
    expect(await metas().where('meta_value', 'like', 'javascript%')).toEqual([])
    expect(await titlesOf(menuId)).toEqual(['Odd'])
  })

  it('has filtered texts, if its author may not store any HTML', async () => {
    const title = 'T<script>1</script>'
    const { id: menuId } = (await api.makeMenu([{ title: 'Filtered', url: 'https://t.test/' }]))
      .menu
    const rename = (post_title: string, to: string) =>
      db.sql(site.tables.posts).where({ post_title }).update({ post_title: to })
    await rename('Filtered', title)
    await replaceItems(menuId, [B])
    const requestId = await requestOf()
    await restore({ requestId }, {}, { unfilteredHtml: false })
    expect(await titlesOf(menuId)).not.toContain(title)
    await restore({ requestId: await requestOf() })
    await restore({ requestId })
    expect(await titlesOf(menuId)).toEqual([title])
  })

  it('has the address of a link as its title, if that is filtered completely', async () => {
    const { id: menuId } = (await api.makeMenu([{ title: 'Empty', url: 'https://t.test/' }])).menu
    await db
      .sql(site.tables.posts)
      .where({ post_title: 'Empty', post_type: 'nav_menu_item' })
      .update({ post_title: '<script></script>' })
    await replaceItems(menuId, [B])
    await restore({ requestId: await requestOf() }, {}, { unfilteredHtml: false })
    expect((await api.itemsOf(menuId)).map(({ ownTitle }) => ownTitle)).toEqual(['https://t.test/'])
  })
})

it('a restored location stays as it is if its menu is gone', async () => {
  const { menu } = await api.makeMenu([A], { location: 'footer_3' })
  const requestId = await requestOf()
  const [entry] = await listEntries(db, globals, 2, { kind: 'location', requestId, limit: 1 })
  await send('delete', `/menus/${menu.id}`)
  const before = await state()
  const { restored, obstacles } = await restore({ entry: entry?.id ?? 0 })
  expect(restored).toEqual([])
  expect(obstacles).toMatchObject([{ kind: 'location', reason: 'menu_missing' }])
  expect(await state()).toEqual(before)
})
