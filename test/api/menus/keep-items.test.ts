import { beforeEach, describe, expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'

/** Menus of the network: with a category and other kinds of items, and with a draft and an item on a trashed page. */
const MAIN = 23
const FOOTER = 26
const CATEGORY = 31

const menus = await useMenusApi()
const { network, site } = menus
const { posts, postmeta } = site.tables
let menu: number
let ids: number[]
beforeEach(async () => {
  menu = (
    await menus.makeMenu([
      { page: 3, children: [7, 10] },
      { url: '/x', title: 'X' },
    ])
  ).menu.id
  ids = (await menus.itemsOf(menu)).map(({ id }) => id)
})

type Tree = readonly { readonly id: number; readonly children: Tree }[]

const put = (items: unknown, more: object = {}, of = menu) =>
  menus.send('put', `/menus/${of}/items`, { items, keep: true, ...more })
const shape = async () =>
  (await menus.itemsOf(menu)).map(({ id, parent, title, storedOrder }) => [
    id,
    parent,
    title,
    storedOrder,
  ])
const rowsOf = async (of: readonly number[]) => ({
  posts: await network.db.sql(posts).whereIn('ID', of).orderBy('ID'),
  meta: await network.db.sql(postmeta).whereIn('post_id', of).orderBy('meta_id'),
})
/** The items of a menu by their ids, as a tree. */
const treeOf = async (of: number): Promise<Tree> => {
  const items = await menus.itemsOf(of)
  const known = new Set(items.map(({ id }) => id))
  const below = (parent: number): Tree =>
    items
      .filter((item) => (known.has(item.parent) ? item.parent : 0) === parent)
      .map(({ id }) => ({ id, children: below(id) }))
  return below(0)
}
const flat = (tree: Tree): number[] => tree.flatMap(({ id, children }) => [id, ...flat(children)])

describe('PUT /menus/{ref}/items with keep', () => {
  it('moves items, and keeps their rows, authors and the meta values of plugins', async () => {
    const [home = 0, about = 0, team = 0, x = 0] = ids
    await network.db
      .sql(postmeta)
      .insert({ post_id: team, meta_key: '_menu_item_image', meta_value: '12' })
    await network.db.sql(posts).where({ ID: team }).update({ post_author: 77 })
    const before = await rowsOf(ids)
    const { status, body } = await put([
      { id: x },
      { id: home, children: [{ id: about, children: [{ id: team }] }] },
    ])
    expect([status, body.total, body.items.map(({ at }: { at: string }) => at)]).toEqual([
      200,
      4,
      ['0', '1', '1.0', '1.0.0'],
    ])
    expect(await shape()).toEqual([
      [x, 0, 'X', 1],
      [home, 0, expect.any(String), 2],
      [about, home, expect.any(String), 3],
      [team, about, expect.any(String), 4],
    ])
    const after = await rowsOf(ids)
    const withoutMoved = (rows: typeof before) => ({
      posts: rows.posts.map(
        ({ menu_order: _, post_modified: __, post_modified_gmt: ___, ...row }) => row,
      ),
      meta: rows.meta.filter(({ meta_key }) => meta_key !== '_menu_item_menu_item_parent'),
    })
    expect(withoutMoved(after)).toEqual(withoutMoved(before))
  })

  it.each([MAIN, FOOTER])(
    'changes no row if the tree of menu %i is sent as it was read',
    async (of) => {
      const tree = await treeOf(of)
      const before = await rowsOf(flat(tree))
      // The first write numbers the items without gaps.
      expect((await put(tree, {}, of)).status).toBe(200)
      const unordered = (rows: typeof before) => ({
        meta: rows.meta,
        posts: rows.posts.map(({ menu_order: _, ...row }) => row),
      })
      expect(unordered(await rowsOf(flat(tree)))).toEqual(unordered(before))
      const numbered = await rowsOf(flat(tree))
      await put(tree, {}, of)
      expect(await rowsOf(flat(tree))).toEqual(numbered)
    },
  )

  it('inserts items without an id at their position, also below kept ones, and deletes what is missing', async () => {
    const [home = 0, about = 0, team = 0, x = 0] = ids
    const { body } = await put([
      { id: home, children: [{ page: 13, children: [{ id: x }, { url: '/new', title: 'New' }] }] },
    ])
    const [, legal, , added] = body.items
    expect(await shape()).toEqual([
      [home, 0, expect.any(String), 1],
      [legal.id, home, 'Legal', 2],
      [x, legal.id, 'X', 3],
      [added.id, legal.id, 'New', 4],
    ])
    expect((await rowsOf([about, team])).posts).toEqual([])
    expect((await rowsOf([about, team])).meta).toEqual([])
    expect((await menus.send('get', '/menus')).body.menus).toContainEqual(
      expect.objectContaining({ id: menu, items: 4 }),
    )
  })

  it('changes the fields that are sent, and no others', async () => {
    const [home = 0, about = 0, team = 0, x = 0] = ids
    const rest = { children: [{ id: about }, { id: team }] }
    await put([
      { id: home, title: 'Start', target: '_blank', xfn: 'me', attr_title: 'Tip', ...rest },
      { id: x, url: 'https://example.com/', classes: 'wide', description: 'A <em>text</em>' },
    ])
    const { body } = await menus.send('get', `/menus/${menu}`)
    expect(body.items).toMatchObject([
      { id: home, title: 'Start', target: '_blank', xfn: 'me', attr_title: 'Tip', classes: '' },
      { id: about },
      { id: team },
      {
        id: x,
        title: 'X',
        url: 'https://example.com/',
        classes: 'wide',
        description: 'A <em>text</em>',
      },
    ])
    await put([
      { id: home, title: '', xfn: '', ...rest },
      { id: x, page: 13 },
    ])
    expect((await menus.send('get', `/menus/${menu}`)).body.items).toMatchObject([
      { id: home, title: '', target: '_blank', xfn: '', attr_title: 'Tip' },
      { id: about },
      { id: team },
      { id: x, type: 'post_type', object_id: 13, url: '', classes: 'wide' },
    ])
  })

  it('links posts, terms and archives by their ids', async () => {
    const { body: found } = await menus.send('get', `/menus/${menu}/targets?search=uncategorized`)
    const [category] = found.targets
    expect(category).toMatchObject({ type: 'taxonomy', object: 'category', title: 'Uncategorized' })
    const archive = { type: 'post_type_archive', object: 'post' }
    const { status } = await put([category, archive, { type: 'post_type', object_id: 13 }])
    expect(status).toBe(200)
    const now = await menus.itemsOf(menu)
    expect(now.map(({ type, objectId, object }) => [type, object, objectId])).toEqual([
      ['taxonomy', 'category', category.object_id],
      ['post_type_archive', 'post', 0],
      ['post_type', 'page', 13],
    ])
    expect(now[0]?.title).toBe('Uncategorized')
    const kept = (await menus.itemsOf(MAIN)).find(({ id }) => id === CATEGORY)
    expect(now[0]?.url).toBe(kept?.url)
  })

  it.each([
    [
      'an id that is not of the menu',
      [{ id: CATEGORY }],
      409,
      'menu_items_unresolved',
      'not_found',
    ],
    [
      'an id that is sent twice',
      () => [{ id: ids[0] }, { id: ids[0] }],
      400,
      'bad_items',
      'bad_id',
    ],
    [
      'a term that does not exist',
      [{ type: 'taxonomy', object: 'category', object_id: 99_999 }],
      409,
      'menu_items_unresolved',
      'not_found',
    ],
  ])('refuses %s, and writes nothing', async (_, items, status, error, reason) => {
    const before = await rowsOf(ids)
    const answer = await put(typeof items === 'function' ? items() : items)
    expect([answer.status, answer.body.error]).toEqual([status, error])
    expect(answer.body.errors.map((one: { reason: string }) => one.reason)).toContain(reason)
    expect(await rowsOf(ids)).toEqual(before)
  })

  it('has no object that does not exist, also as a single item', async () => {
    const item = { type: 'taxonomy', object: 'category', object_id: 99_999 }
    const { status, body } = await menus.send('post', `/menus/${menu}/items`, item)
    expect([status, body.error]).toEqual([400, 'item_target_required'])
    expect(body.message).toBe('This site has no category 99999.')
  })

  it('filters the texts of users who may not write any HTML', async () => {
    const [home = 0] = ids
    await put([{ id: home, description: '<script>x</script>a', attr_title: '<b onclick=x>t</b>' }])
    const { body } = await menus.send('get', `/menus/${menu}`)
    expect(body.items[0]).toMatchObject({ description: 'xa', attr_title: '<b>t</b>' })
  })

  it('inserts all items with new ids without keep, whatever is sent', async () => {
    const items = ids.map((id) => ({ id, page: 13 }))
    expect((await put(items, { keep: false })).status).toBe(200)
    const now = (await menus.itemsOf(menu)).map(({ id }) => id)
    expect(now).toHaveLength(4)
    expect(now.filter((id) => ids.includes(id))).toEqual([])
  })
})

describe('GET /menus/{ref}/targets', () => {
  const find = async (query: string) =>
    (await menus.send('get', `/menus/${menu}/targets?${query}`)).body.targets

  it('finds pages, terms and archives, of a language or without one', async () => {
    const french = await find('lang=fr&limit=100')
    expect(french.length).toBeGreaterThan(0)
    for (const { lang } of french) expect([null, 'fr']).toContain(lang)
    expect(new Set((await find('limit=100')).map(({ type }: { type: string }) => type))).toEqual(
      new Set(['post_type', 'taxonomy', 'post_type_archive']),
    )
  })

  it('treats special characters as text, and knows ids', async () => {
    expect(await find(`search=${encodeURIComponent("%_\\'")}`)).toEqual([])
    expect(await find('search=13')).toContainEqual(
      expect.objectContaining({ type: 'post_type', object: 'page', object_id: 13, title: 'Legal' }),
    )
  })
})
