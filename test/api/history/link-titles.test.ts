import { beforeEach, describe, expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'
import { NO_TEXTS } from '../../support/site-fixture.ts'

const menus = await useMenusApi()
const { network, site, send } = menus

/** A page of the network, and a category that WordPress creates. */
const LEGAL = 13
const CATEGORY = 1
let menu: number
let replace: object
beforeEach(async () => {
  const made = await menus.makeMenu([
    { page: 3, children: [LEGAL] },
    { page: 7 },
    { page: LEGAL, title: 'Imprint' },
  ])
  menu = made.menu.id
  const category = (await menus.itemsOf(menu)).find(({ objectId }) => objectId === 7)
  for (const [name, value] of [
    ['type', 'taxonomy'],
    ['object', 'category'],
    ['object_id', CATEGORY],
  ])
    await network.db
      .sql(site.tables.postmeta)
      .where({ post_id: category?.id, meta_key: `_menu_item_${name}` })
      .update({ meta_value: value })
  replace = { method: 'PUT', path: `/menus/${menu}/items`, body: { items: [{ page: 3 }] } }
})

const lastEntry = async () => (await send('get', '/history?limit=1')).body.entries[0]
const titleOf = async (id: number): Promise<string> =>
  (await network.db.sql(site.tables.posts).where({ ID: id }).first('post_title')).post_title
const nameOf = async (id: number): Promise<string> =>
  (await network.db.sql(site.tables.terms).where({ term_id: id }).first('name')).name

describe('titles of what a difference of menus names by an id', () => {
  it('are in a dry run, in the history, and in what is taken back', async () => {
    const titles = {
      'page 3': await titleOf(3),
      [`page ${LEGAL}`]: await titleOf(LEGAL),
      [`category ${CATEGORY}`]: await nameOf(CATEGORY),
    }
    const { body: dry } = await send('post', '/batch', { requests: [replace], dry_run: true })
    expect(dry.diffs).toMatchObject([{ kind: 'menu', titles }])
    await send('post', '/batch', { requests: [replace] })
    const { id, request_id } = await lastEntry()
    const { body: entry } = await send('get', `/history/${id}`)
    expect(entry.titles).toEqual(titles)
    const back = { request_id, dry_run: true }
    expect((await send('post', '/restore', back)).body.restored).toMatchObject([{ titles }])
    await send('put', `/menus/${menu}/items`, { items: [{ page: LEGAL }] })
    const changed = await send('post', '/restore', { ...back, if_unchanged: true })
    expect(changed.body.changed[0].titles).toEqual({
      'page 3': titles['page 3'],
      [`page ${LEGAL}`]: titles[`page ${LEGAL}`],
    })
  })

  it('belong to links, and not to texts and addresses that look like one', async () => {
    const { menu } = await menus.makeMenu([{ page: LEGAL }, { url: '/x', title: 'X' }])
    const [page, link] = await menus.itemsOf(menu.id)
    const text = `page ${LEGAL}`
    const named = { text, link: { object: 'page', id: LEGAL } }
    const path = `/menus/${menu.id}/items/${page?.id}`
    await send('patch', path, { title: text })
    const entry = async () => (await send('get', `/history/${(await lastEntry()).id}`)).body
    const renamed = { change: 'renamed', path: [{ text }], from: named, to: { text } }
    expect((await entry()).items).toMatchObject([renamed])
    expect((await entry()).diff).toBe(`renamed "${text}" from ${text} to "${text}"`)
    await network.db
      .sql(site.tables.postmeta)
      .where({ post_id: link?.id, meta_key: '_menu_item_url' })
      .update({ meta_value: text })
    await send('patch', `/menus/${menu.id}/items/${link?.id}`, { url: '/y' })
    const { items, titles } = await entry()
    expect(items).toMatchObject([{ change: 'relinked', from: { text } }])
    expect(items[0].from).not.toHaveProperty('link')
    expect(titles).toBeUndefined()
  })

  it('are those of the pages whose frames are taken back', async () => {
    await send('post', '/frames', { slug: 'assigned', html: 'one', bake: false })
    await send('post', '/frames/assigned/assign', { page: LEGAL, bake: false })
    const { request_id } = await lastEntry()
    const { body } = await send('post', '/restore', { request_id, dry_run: true })
    expect(body.restored).toMatchObject([
      { kind: 'assignment', titles: { [`page ${LEGAL}`]: await titleOf(LEGAL) } },
    ])
  })

  it('are read from tables with different collations, as updates of WordPress leave them', async () => {
    const { terms, termTaxonomy } = site.tables
    for (const table of [terms, termTaxonomy])
      await network.db.sql.raw(
        'ALTER TABLE ?? CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_general_ci',
        [table],
      )
    const { body } = await send('post', '/batch', { requests: [replace], dry_run: true })
    expect(body.diffs[0].titles).toMatchObject({ [`category ${CATEGORY}`]: await nameOf(CATEGORY) })
  })

  it('are not those of unpublished posts that a label names', async () => {
    const { posts } = site.tables
    const hidden = {
      ...NO_TEXTS,
      post_title: 'Order of Ann',
      post_type: 'shop_order',
      post_status: 'wc-completed',
    }
    const [id] = await network.db.sql(posts).insert(hidden)
    const items = [{ page: 3, title: `shop_order ${id}` }]
    const request = { method: 'PUT', path: `/menus/${menu}/items`, body: { items } }
    const { body } = await send('post', '/batch', { requests: [request], dry_run: true })
    expect(JSON.stringify(body.diffs)).toContain(`shop_order ${id}`)
    expect(JSON.stringify(body.diffs)).not.toContain('Ann')
  })

  it('are left out where nothing is named by an id, and for what does not exist', async () => {
    await send('post', '/frames', { slug: 'untitled', html: 'one', bake: false })
    expect((await send('get', `/history/${(await lastEntry()).id}`)).body).not.toHaveProperty(
      'titles',
    )
    await network.db.sql(site.tables.posts).where({ ID: LEGAL }).update({ post_type: 'gone' })
    await send('post', '/batch', { requests: [replace] })
    const { titles } = (await send('get', `/history/${(await lastEntry()).id}`)).body
    expect(Object.keys(titles).sort()).toEqual([`category ${CATEGORY}`, 'page 3'])
  })
})
