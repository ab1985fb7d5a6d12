import { beforeEach, describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { useMenusApi } from '../../support/menus-api.ts'

let menu: number
let ids: number[]
const menus = await useMenusApi()
const { send } = menus
/** 0: Home, 1: About us, 2: below it Team, 3: a link. */
beforeEach(async () => {
  const { menu: made, items } = await menus.makeMenu([
    3,
    { page: 7, children: [10] },
    { url: '/x', title: 'X', target: '_blank', classes: 'a b' },
  ])
  menu = made.id
  ids = items.map(({ id }: { id: number }) => id)
})
const patch = (index: number, body?: object) =>
  send('patch', `/menus/${menu}/items/${ids[index] ?? index}`, body)
const order = async () => (await menus.itemsOf(menu)).map(({ id }) => ids.indexOf(id))
const refused = async (index: number, body?: object) => {
  const before = await menus.itemsOf(menu)
  const answer = await patch(index, body)
  expect(await menus.itemsOf(menu)).toEqual(before)
  return [answer.status, answer.body.error]
}
const rowOf = async (index: number) => {
  const { posts, postmeta } = menus.site.tables
  const { sql } = menus.network.db
  const id = ids[index] ?? index
  const metas: { meta_key: string; meta_value: string }[] = await sql(postmeta).where({
    post_id: id,
  })
  return {
    post: await sql(posts).where({ ID: id }).first(),
    meta: Object.fromEntries(metas.map((meta) => [meta.meta_key, meta.meta_value])),
  }
}

describe('PATCH /menus/{ref}/items/{id}', () => {
  it('uses the address instead of a blank title of a link', async () => {
    const titles: unknown[] = []
    for (const title of ['', ' ', '<style></style>']) {
      await patch(3, { title: 'X' })
      titles.push((await patch(3, { title })).body.item.title.to)
    }
    expect(titles).toEqual(Array(3).fill('http://net.test/shop/x'))
    // An item on a page shows the title of the page.
    await patch(1, { title: '' })
    expect((await rowOf(1)).post.post_title).toBe('')
  })

  it('returns changed fields as from and to (complete response)', async () => {
    const { status, body } = await patch(3, { title: 'Y & Z' })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      site_id: 2,
      menu: { id: menu, name: body.menu.name },
      item: {
        id: ids[3],
        title: { from: 'X', to: 'Y &amp; Z' },
        type: 'custom',
        page: null,
        url: 'http://net.test/shop/x',
        parent: 0,
        order: 4,
        valid: true,
        target: '_blank',
        classes: 'a b',
      },
      warnings: [],
      rebaked: expect.objectContaining({ status: 'ok' }),
      republish: { status: 'ok' },
    })
  })

  it('changes and clears target and classes', async () => {
    const { body } = await patch(3, { target: '', classes: 'c:d' })
    expect(body.item).toMatchObject({
      target: { from: '_blank', to: '' },
      classes: { from: 'a b', to: 'cd' },
    })
    expect((await rowOf(3)).meta).toMatchObject({
      _menu_item_target: '',
      _menu_item_classes: 'a:1:{i:0;s:2:"cd";}',
    })
    expect((await patch(3, { classes: null })).body.item.classes).toEqual({ from: 'cd', to: '' })
  })

  it('changes a page item into a link by url, and keeps its label', async () => {
    const { body } = await patch(0, { url: '/home' })
    expect(body.item).toMatchObject({
      title: 'Home',
      type: { from: 'post_type', to: 'custom' },
      page: { from: 3, to: null },
      url: { from: 'http://net.test/shop/', to: 'http://net.test/shop/home' },
    })
    const { post, meta } = await rowOf(0)
    expect(post).toMatchObject({ post_title: 'Home', post_content: '' })
    expect(meta).toMatchObject({
      _menu_item_type: 'custom',
      _menu_item_object: 'custom',
      _menu_item_object_id: String(ids[0]),
      _menu_item_url: 'http://net.test/shop/home',
    })
  })

  it('replaces a label that is only the old address', async () => {
    const { body } = await send('post', `/menus/${menu}/items`, { url: '/pricing' })
    const path = `/menus/${menu}/items/${body.item.id}`
    expect((await send('patch', path, { url: '/plans' })).body.item.title).toEqual({
      from: '/pricing',
      to: '/plans',
    })
    expect((await send('patch', path, { page: 7 })).body.item.title.to).toBe('About us')
  })

  it('prefers page to url, with a warning', async () => {
    const { body } = await patch(3, { page: 7, url: '/y' })
    expect([body.item.page.to, body.warnings]).toEqual([7, ['url_ignored']])
  })

  it('uses url if page is empty, and page if url is empty, without a warning', async () => {
    const { body } = await patch(3, { page: '', url: 'https://x.test/' })
    expect([body.item.url.to, body.warnings]).toEqual(['https://x.test/', []])
    const other = await patch(3, { page: 7, url: '' })
    expect([other.body.item.page.to, other.body.warnings]).toEqual([7, []])
  })

  it.each([
    ['titles after sanitizing', { title: '&'.repeat(20_000) }, 'bad_title'],
    ['addresses', { url: `http://x.test/${'x'.repeat(2035)}` }, 'url_too_long'],
    ['many classes', { classes: ' '.repeat(100) }, 'bad_classes'],
    ['long classes', { classes: 'x'.repeat(2001) }, 'bad_classes'],
  ])('rejects %s beyond their limit', async (_, field, reason) => {
    const before = await menus.itemsOf(menu)
    for (const [method, path, sent] of [
      ['patch', `/items/${ids[3]}`, field],
      ['post', '/items', { url: '/x', ...field }],
      ['put', '/items', { items: [{ url: '/x', ...field }] }],
    ] as const) {
      const { status, body } = await send(method, `/menus/${menu}${path}`, sent)
      expect([method, status, body.error]).toEqual([method, 400, 'bad_items'])
      expect(body.errors).toMatchObject([{ at: '0', reason }])
      expect(body.errors[0].message).toMatch(/may have at most/)
    }
    expect(await menus.itemsOf(menu)).toEqual(before)
  })

  it('reads values that WordPress stored beyond the limits, and keeps them when they are sent back', async () => {
    const { postmeta } = menus.site.tables
    const set = (meta_key: string, meta_value: string) =>
      menus.network.db.sql(postmeta).where({ post_id: ids[3], meta_key }).update({ meta_value })
    const url = `http://x.test/${'x'.repeat(5000)}`
    const classes = Array.from({ length: 300 }, (_, index) => `c${index}`)
    await set('_menu_item_url', url)
    await set('_menu_item_classes', encodePhp(classes))
    const before = await rowOf(3)
    const { status, body } = await patch(3, { classes: classes.join(' '), target: '_blank' })
    expect([status, body.item.url, body.item.classes]).toEqual([200, url, classes.join(' ')])
    expect((await rowOf(3)).meta).toEqual(before.meta)
    await set('_menu_item_classes', encodePhp(Array.from({ length: 65_536 }, () => '')))
    expect((await menus.itemsOf(menu)).at(-1)?.classes).toEqual([''])
  })

  it("stores no title if it is empty or equals the page's title", async () => {
    await patch(1, { title: 'Us' })
    expect((await rowOf(1)).post).toMatchObject({ post_title: 'Us', post_content: '' })
    await patch(1, { title: 'About us' })
    expect((await rowOf(1)).post).toMatchObject({ post_title: '', post_content: ' ' })
    await patch(1, { title: 'Us' })
    await patch(1, { title: null })
    expect((await rowOf(1)).post.post_title).toBe('')
  })

  it('moves an item with its descendants to the end of a level by parent', async () => {
    const { body } = await patch(1, { parent: ids[3] })
    expect(body.item).toMatchObject({
      parent: { from: 0, to: ids[3] },
      order: { from: 2, to: 3 },
    })
    expect(await order()).toEqual([0, 3, 1, 2])
    await patch(1, { parent: 0 })
    expect(await order()).toEqual([0, 3, 1, 2])
    await patch(0, { parent: null, title: 'Start' })
    expect(await order()).toEqual([0, 3, 1, 2])
    await patch(2, { parent: String(ids[0]) })
    expect(await order()).toEqual([0, 2, 3, 1])
    expect((await menus.itemsOf(menu)).map(({ storedOrder }) => storedOrder)).toEqual([1, 2, 3, 4])
  })

  it('keeps fields that callers cannot send: attributes, relations and descriptions', async () => {
    const before = await rowOf(28)
    const { status } = await send('patch', '/menus/23/items/28', { target: '' })
    expect(status).toBe(200)
    const { post, meta } = await rowOf(28)
    expect(post).toMatchObject({
      post_title: before.post.post_title,
      post_excerpt: 'Tip',
      post_content: 'Desc',
      post_name: before.post.post_name,
      guid: before.post.guid,
      post_author: 1,
    })
    expect(meta).toMatchObject({ ...before.meta, _menu_item_target: '' })
  })

  it('bad_parent: the item itself, a descendant, or a level too deep', async () => {
    expect(await refused(1, { parent: ids[1] })).toEqual([409, 'bad_parent'])
    expect(await refused(1, { parent: ids[2] })).toEqual([409, 'bad_parent'])
    let deep: unknown = 3
    for (let level = 1; level < 99; level += 1) deep = { page: 3, children: [deep] }
    await send('post', `/menus/${menu}/items`, { item: deep })
    const top = (await menus.itemsOf(menu))[4]?.id
    expect(await refused(top ?? 0, { parent: ids[2] })).toEqual([409, 'bad_parent'])
    const moved = await send('patch', `/menus/${menu}/items/${top}`, { parent: ids[1] })
    expect(moved.status).toBe(200)
  })
})
