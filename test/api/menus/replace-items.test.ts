import { beforeEach, describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { setOption } from '../../support/network.ts'
import { NO_TEXTS } from '../../support/site-fixture.ts'

let menu: number
const menus = await useMenusApi()
const { send } = menus
beforeEach(async () => {
  menu = (await menus.makeMenu([3, 7])).menu.id
})
const put = (items: unknown, more: object = {}) =>
  send('put', `/menus/${menu}/items`, { items, ...more })

/** The error response to a tree; asserts that nothing was written. */
const refused = async (items: unknown, more: object = {}) => {
  const before = await menus.itemsOf(menu)
  const { status, body } = await put(items, more)
  expect(await menus.itemsOf(menu)).toEqual(before)
  return { status, ...body }
}

describe('PUT /menus/{ref}/items', () => {
  it('replaces the whole tree (complete response)', async () => {
    const old = (await menus.itemsOf(menu)).map(({ id }) => id)
    const { status, body } = await put([{ url: '/x', title: 'X', children: ['legal'] }, 10])
    expect(status).toBe(200)
    const [link, child, last] = body.items
    const item = { parent: 0, valid: true }
    expect(body).toEqual({
      success: true,
      warnings: [],
      site_id: 2,
      menu: { id: menu, name: body.menu.name, slug: body.menu.slug },
      total: 3,
      invalid: [],
      items: [
        {
          ...item,
          id: link.id,
          at: '0',
          title: 'X',
          type: 'custom',
          page: null,
          order: 1,
          url: 'http://net.test/shop/x',
        },
        {
          ...item,
          id: child.id,
          at: '0.0',
          title: 'Legal',
          type: 'post_type',
          page: 13,
          order: 2,
          url: 'http://net.test/shop/legal/',
          parent: link.id,
        },
        {
          ...item,
          id: last.id,
          at: '1',
          title: 'Team',
          type: 'post_type',
          page: 10,
          order: 3,
          url: 'http://net.test/shop/about-us/team/',
        },
      ],
      read_items_at: '/site/2/data/menu.<location>',
      rebaked: expect.objectContaining({ status: 'ok' }),
      republish: { status: 'ok' },
    })
    const now = await menus.itemsOf(menu)
    expect(now.map(({ id }) => id)).toEqual([link.id, child.id, last.id])
    expect(now.some(({ id }) => old.includes(id))).toBe(false)
    expect((await send('get', '/menus')).body.menus).toContainEqual(
      expect.objectContaining({ id: menu, items: 3 }),
    )
  })

  it('accepts pages by id, slug and path, and every field of an item', async () => {
    const { body } = await put([
      { page: 10 },
      { page: '10' },
      'about-us/team',
      '/about-us/team/',
      { page: 'team', title: 'Our <b>team</b>', target: '_BLANK', classes: ' btn:hover  two' },
    ])
    expect(body.items.map(({ page }: { page: number }) => page)).toEqual([10, 10, 10, 10, 10])
    const item = (await menus.itemsOf(menu))[4]
    expect(item).toMatchObject({
      ownTitle: 'Our <b>team</b>',
      target: '_blank',
      classes: ['', 'btnhover', '', 'two'],
    })
  })

  it("stores no title if it equals the page's title, as stored or as read", async () => {
    await put([
      { page: 12, title: 'Jobs & "careers" — it\'s <em>us</em>' },
      { page: 7, title: ' About us ' },
      { page: 7, title: 'About' },
    ])
    expect((await menus.itemsOf(menu)).map(({ ownTitle }) => ownTitle)).toEqual(['', '', 'About'])
  })

  it('filters titles of all users but super administrators, and returns them as stored', async () => {
    const items = [{ url: '/x', title: 'A & <b>B</b> <script>x</script>' }]
    const filtered = await put(items)
    expect(filtered.body.items[0].title).toBe('A &amp; <b>B</b> x')
    expect((await menus.itemsOf(menu))[0]?.ownTitle).toBe('A &amp; <b>B</b> x')
    await menus.as('admin')('put', `/site/2/menus/${menu}/items`, { items })
    expect((await menus.itemsOf(menu))[0]?.ownTitle).toBe('A & <b>B</b> <script>x</script>')
  })

  it('keeps four-byte characters, even in tables that cannot store them', async () => {
    const { status, body } = await put([{ url: 'https://e.com/😀', title: 'Pizza 🍕' }])
    expect(status).toBe(200)
    expect(['Pizza 🍕', 'Pizza &#x1f355;']).toContain(body.items[0].title)
    const [item] = await menus.itemsOf(menu)
    expect(decodeURI(item?.url ?? '')).toBe('https://e.com/😀')
    expect(['Pizza 🍕', 'Pizza &#x1f355;']).toContain(item?.ownTitle)
  })

  it('uses the address as the title of a link without one, because wp-admin deletes links without a title', async () => {
    const items = ['', ' \t', '<script></script>'].map((title) => ({ url: 'https://e.com', title }))
    const { body } = await put([{ url: '/pricing' }, ...items, { url: '#pll_switcher', title: '' }])
    expect(body.items.map(({ title }: { title: string }) => title)).toEqual([
      '/pricing',
      'https://e.com',
      'https://e.com',
      'https://e.com',
      'Languages',
    ])
  })

  it('gives links a title on all other ways to write them', async () => {
    const blank = { url: 'https://e.com', title: ' ' }
    const { menu: made, items } = await menus.makeMenu([{ ...blank, children: [blank] }])
    const added = await send('post', `/menus/${made.id}/items`, { item: blank })
    expect(items.map(({ title }: { title: string }) => title)).toEqual([blank.url, blank.url])
    expect(added.body.item.title).toBe(blank.url)
    const put = { method: 'PUT', path: `/menus/${menu}/items`, body: { items: [blank] } }
    expect((await send('post', '/batch', { requests: [put] })).status).toBe(200)
    expect((await menus.itemsOf(menu)).map(({ ownTitle }) => ownTitle)).toEqual([blank.url])
  })

  it('keeps the blank title of a link that another program stored, and gives others the address', async () => {
    const link = { url: 'https://e.com/?a=1&b=2', title: '' }
    const { body } = await put([{ ...link, title: 'X' }])
    const { posts } = menus.site.tables
    await menus.network.db.sql(posts).where({ ID: body.items[0].id }).update({ post_title: '' })
    const { body: again } = await put([link, { ...link, url: 'https://e.com/?a=1&b=3' }])
    expect(again.items.map(({ title }: { title: string }) => title)).toEqual([
      '',
      'https://e.com/?a=1&amp;b=3',
    ])
  })

  it('keeps the settings of language switchers, each its own', async () => {
    await put([{ url: '#pll_switcher' }, { url: '#pll_switcher' }])
    const settings: Record<string, string | number>[] = [
      { show_names: 1, dropdown: 1, layout: 'dropdown', show_labels: 'codes' },
      { show_names: 0, dropdown: 0, layout: 'horizontal', flag_aspect_ratio: '1:1' },
    ]
    const switchers = async () =>
      (await menus.itemsOf(menu)).flatMap(({ switcher }) =>
        switcher ? [Object.fromEntries(switcher)] : [],
      )
    for (const [at, { id }] of (await menus.itemsOf(menu)).entries())
      await menus.network.db
        .sql(menus.site.tables.postmeta)
        .where({ post_id: id, meta_key: '_pll_menu_item' })
        .update({ meta_value: encodePhp(settings[at] ?? {}) })
    await put([7, { url: '#pll_switcher' }, { url: '#pll_switcher' }])
    expect(await switchers()).toEqual(settings)
    await put([{ url: '#pll_switcher' }])
    expect(await switchers()).toEqual(settings.slice(0, 1))
  })

  it('finds the menu assigned to a location in a language', async () => {
    const { body } = await send('put', '/menus/~header/items', { items: [9], lang: 'de' })
    expect([body.menu.id, body.total]).toEqual([25, 1])
    const other = await send('put', '/menus/@header/items', { items: [3], theme: 'other' })
    expect(other.body.menu.id).toBe(26)
  })

  it('leaves out items on unpublished pages with their descendants if allow_invalid is sent', async () => {
    const items = [
      3,
      { page: 19, children: [{ url: '/x', title: 'X', children: [20] }] },
      { page: 7, children: [23, 10] },
    ]
    const { body } = await put(items, { allow_invalid: true })
    expect(body.items.map(({ at, page }: { at: string; page: number }) => [at, page])).toEqual([
      ['0', 3],
      ['2', 7],
      ['2.1', 10],
    ])
    expect(
      body.invalid.map(({ at, reason, page }: Record<string, unknown>) => [at, reason, page]),
    ).toEqual([
      ['1', 'page_not_published', 19],
      ['1.0', 'parent_left_out', null],
      ['1.0.0', 'page_not_published', 20],
      ['2.0', 'page_not_published', 23],
    ])
    expect(body.items[2].parent).toBe(body.items[1].id)
  })

  it('bad_items: lists all problems with their positions, in order', async () => {
    const answer = await refused([
      { page: 7, children: [null, { url: 'javascript:alert(1)' }] },
      { url: '/x', title: 7, children: 'x' },
      'nowhere',
      19,
    ])
    expect(answer).toMatchObject({ status: 400, error: 'bad_items' })
    expect(answer.errors.map(({ at, reason }: Record<string, unknown>) => [at, reason])).toEqual([
      ['0.0', 'not_an_item'],
      ['0.1', 'target_required'],
      ['1', 'bad_children'],
      ['2', 'page_not_found'],
    ])
    expect(answer.invalid).toMatchObject([{ at: '3', reason: 'page_not_published', page: 19 }])
  })

  it('leaves the guid empty if its column cannot store it', async () => {
    const { db } = menus.network
    const { posts } = menus.site.tables
    const before = (await readOption(db, menus.site, 'home')) ?? ''
    await setOption(menus.network, 2, 'home', `http://net.test/${'x'.repeat(300)}`)
    try {
      const { status, body } = await put([{ url: '/x', title: 'X' }])
      expect(status).toBe(200)
      const [row] = await db.sql(posts).where({ ID: body.items[0].id }).select('guid')
      expect(row.guid).toBe('')
    } finally {
      await setOption(menus.network, 2, 'home', before)
    }
  })

  it('bad_items: too long', async () => {
    const reasons = async (items: unknown) =>
      (await refused(items)).errors.map(({ reason }: { reason: string }) => reason)
    // Filters make these titles longer. One is enough to refuse the tree.
    const titles = Array.from({ length: 10 }, () => ({ url: '/x', title: '&'.repeat(60_000) }))
    expect(await reasons([...titles, { page: 'nowhere' }])).toEqual(['bad_title', 'page_not_found'])
    expect(await reasons([{ url: `/${'x'.repeat(65_535)}` }])).toEqual(['bad_url'])
  })

  it('menu_items_unresolved: missing pages, and slugs of several pages, with candidates', async () => {
    const answer = await refused([3, { page: 'nowhere', children: ['overview'] }, 9999])
    expect(answer).toMatchObject({
      status: 409,
      error: 'menu_items_unresolved',
      errors: [
        { at: '1', reason: 'page_not_found', page: 'nowhere' },
        {
          at: '1.0',
          reason: 'ambiguous_page',
          page: 'overview',
          candidates: [
            { id: 17, path: 'products/overview', lang: 'en', status: 'publish' },
            { id: 18, path: 'services/overview', lang: 'en', status: 'publish' },
          ],
        },
        { at: '2', reason: 'page_not_found', page: 9999 },
      ],
    })
    expect(answer.invalid).toBeUndefined()
  })

  it('menu_items_unresolved: lists the first of many candidates, and only once', async () => {
    const { network, site } = menus
    const page = {
      ...NO_TEXTS,
      post_type: 'page',
      post_name: 'contact',
      post_title: 'Contact',
    }
    await network.db.sql(site.tables.posts).insert(Array(300).fill(page))
    const { errors, ...answer } = await refused([
      'contact',
      ...Array(9_998).fill('contact'),
      '/Contact/',
    ])
    expect([answer.status, answer.error]).toEqual([409, 'menu_items_unresolved'])
    expect(errors).toHaveLength(10_000)
    expect(errors[0]).toMatchObject({ at: '0', reason: 'ambiguous_page', page: 'contact' })
    expect(errors[0].message).toMatch(/^300 pages match "contact"\. .+ first 50 are listed\.$/)
    expect(errors[0].candidates).toHaveLength(50)
    expect(errors.slice(1).filter((error: object) => 'candidates' in error)).toEqual([])
    expect(JSON.stringify(errors).length).toBeLessThan(3_000_000)
  })

  it('menu_items_invalid: pages that are not published', async () => {
    const answer = await refused([3, { page: 23 }, { page: 7, children: [19] }])
    expect(answer).toMatchObject({
      status: 409,
      error: 'menu_items_invalid',
      invalid: [
        { at: '1', reason: 'page_not_published', page: 23, status: 'trash' },
        { at: '2.0', reason: 'page_not_published', page: 19 },
      ],
    })
    expect(answer.errors).toBeUndefined()
  })
})
