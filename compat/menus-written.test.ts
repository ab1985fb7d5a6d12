import { decodeHTMLStrict } from 'entities'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readableMenuName } from '../src/wordpress/formatting/menu-texts.ts'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { asAnswered, type MadeMenu, makeMenu, outline, shownMenu } from './support/menu.ts'
import { TEXTS } from './support/texts.ts'

let fixture: CompatFixture
let about = 0
let team = 0
let draft = 0

beforeAll(async () => {
  fixture = await createCompatFixture()
  ;[about = 0, team = 0, draft = 0] = await fixture.wp<number[]>('make_pages', [
    { title: 'About & more' },
    { title: 'Team', under: 0 },
    { title: 'Not yet', status: 'draft' },
  ])
})
afterAll(() => fixture?.close())

const items = () => [
  {
    page: about,
    children: [
      { page: team, title: 'People' },
      { url: '/jobs', title: 'Jobs' },
    ],
  },
  { url: 'https://other.test/?a=1&b=2', title: 'Other', target: '_blank', classes: 'one  two' },
]

let menus = 0
const make = (body: object = {}): Promise<MadeMenu> => {
  menus += 1
  return makeMenu(fixture, { name: `Menu ${menus}`, items: items(), ...body })
}

/** Asserts that WordPress shows of a menu what the API answered. */
async function expectShown({ menu, items: answered }: MadeMenu): Promise<void> {
  const shown = await shownMenu(fixture, menu.id)
  const texts = answered.map((item) => ({ ...item, title: decodeHTMLStrict(item.title) }))
  expect(shown.items.map(asAnswered)).toEqual(texts.map((item) => without(item, 'at')))
  expect(shown.count).toBe(answered.length)
}

function without<T extends object>(object: T, key: string): object {
  return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key))
}

/** The item of a created menu with this title. */
function idOf({ items: answered }: MadeMenu, title: string): number {
  const item = answered.find((one) => decodeHTMLStrict(one.title) === title)
  if (!item) throw new Error(`no item "${title}"`)
  return item.id
}

describe('WordPress reads what the API wrote:', () => {
  it('a menu with its tree, at its location', async () => {
    const made = await make({ location: 'header' })
    await expectShown(made)
    expect(outline((await shownMenu(fixture, made.menu.id)).items)).toEqual([
      'About & more',
      '  People',
      '  Jobs',
      'Other',
    ])
    expect(
      await fixture.wp('calls', [
        ['get_nav_menu_locations', []],
        ['has_nav_menu', ['header']],
      ]),
    ).toEqual([expect.objectContaining({ header: made.menu.id }), true])
  })

  it('targets, classes and addresses', async () => {
    const { menu } = await make()
    const other = (await shownMenu(fixture, menu.id)).items.at(-1)
    expect(other).toMatchObject({
      url: 'https://other.test/?a=1&b=2',
      target: '_blank',
      classes: ['one', 'two'],
    })
  })

  it.each(TEXTS)('the title %j', async (title) => {
    const made = await makeMenu(
      fixture,
      { name: `Titles ${title}`, items: [{ url: '/x', title }] },
      'root',
    )
    const [shown] = (await shownMenu(fixture, made.menu.id)).items
    expect([shown?.title, made.items[0]?.title]).toEqual([title, title])
    const listed = await fixture.done<{ menus: { id: number; name: string }[] }>('get', '/menus')
    const name = listed.menus.find(({ id }) => id === made.menu.id)?.name
    expect(name).toBe(readableMenuName((await shownMenu(fixture, made.menu.id)).name))
  })

  it('a replaced tree, and of the previous one nothing but what is in both', async () => {
    const made = await make()
    const { items: answered } = await fixture.done<MadeMenu>(
      'put',
      `/menus/${made.menu.id}/items`,
      {
        items: [{ url: '/new', title: 'New', children: [{ page: about }] }],
      },
    )
    await expectShown({ menu: made.menu, items: answered })
    const kept = new Set(answered.map(({ id }) => id))
    expect(made.items.some(({ id }) => kept.has(id))).toBe(true)
    const ids = made.items.map(({ id }) => id).filter((id) => !kept.has(id))
    const { posts } = await fixture.wp<{ posts: unknown[] }>('cleaned', { posts: ids })
    expect(posts).toEqual(ids.map(() => null))
  })

  it('a menu without items, which it does not print', async () => {
    const { menu } = await make({ items: [], location: 'footer_3' })
    expect(await shownMenu(fixture, menu.id)).toMatchObject({ count: 0, items: [] })
    expect(await fixture.wp('render', { location: 'footer_3' })).toBe(false)
  })

  it('items without those on unpublished pages', async () => {
    const tree = [{ page: draft, children: [{ url: '/x', title: 'Below' }] }, { page: about }]
    const { menu } = await make({ items: tree, allow_invalid: true })
    expect(outline((await shownMenu(fixture, menu.id)).items)).toEqual(['About & more'])
  })

  it('an added item, at the top level and below another', async () => {
    const made = await make()
    const add = (item: object) => fixture.done('post', `/menus/${made.menu.id}/items`, { item })
    await add({ url: '/last', title: 'Last' })
    await add({ page: team, title: 'Below', parent: idOf(made, 'About & more') })
    const shown = await shownMenu(fixture, made.menu.id)
    expect(outline(shown.items)).toEqual([
      'About & more',
      '  People',
      '  Jobs',
      '  Below',
      'Other',
      'Last',
    ])
    expect(shown.items.map(({ order }) => order)).toEqual([1, 2, 3, 4, 5, 6])
    expect(shown.count).toBe(6)
  })

  it('a changed item: its texts, its page, its address, its position', async () => {
    const made = await make()
    const patch = (title: string, body: object) =>
      fixture.done('patch', `/menus/${made.menu.id}/items/${idOf(made, title)}`, body)
    await patch('Other', { title: 'Now a page', page: team, target: '', classes: 'three' })
    await patch('People', { url: '/people', title: 'Now a link' })
    await patch('Jobs', { parent: 0 })
    const shown = await shownMenu(fixture, made.menu.id)
    expect(outline(shown.items)).toEqual(['About & more', '  Now a link', 'Now a page', 'Jobs'])
    const [, link, page] = shown.items
    expect(page).toMatchObject({
      type: 'post_type',
      object_id: team,
      target: '',
      classes: ['three'],
    })
    expect(link).toMatchObject({
      type: 'custom',
      object: 'custom',
      object_id: link?.id,
      url: `${fixture.home}/people`,
    })
  })

  it('that an item was deleted with its descendants', async () => {
    const made = await make()
    await fixture.done('delete', `/menus/${made.menu.id}/items/${idOf(made, 'About & more')}`)
    expect(await shownMenu(fixture, made.menu.id)).toMatchObject({
      count: 1,
      items: [{ title: 'Other', order: 1 }],
    })
  })

  it('a changed order', async () => {
    const made = await make()
    await fixture.done('post', `/menus/${made.menu.id}/reorder`, { order: [idOf(made, 'Other')] })
    await fixture.done('post', `/menus/${made.menu.id}/reorder`, {
      order: [idOf(made, 'Jobs'), idOf(made, 'People')],
      parent: idOf(made, 'About & more'),
    })
    expect(outline((await shownMenu(fixture, made.menu.id)).items)).toEqual([
      'Other',
      'About & more',
      '  Jobs',
      '  People',
    ])
  })

  it('a menu at two locations, and another that replaces it at one of them', async () => {
    const [first, second] = [await make(), await make()]
    const assign = ({ menu }: MadeMenu, location: string) =>
      fixture.done('put', `/menus/${menu.id}/location`, { location })
    await assign(first, 'footer_1')
    await assign(first, 'footer_2')
    await assign(second, 'footer_2')
    expect(await fixture.wp('calls', [['get_nav_menu_locations', []]])).toEqual([
      expect.objectContaining({ footer_1: first.menu.id, footer_2: second.menu.id }),
    ])
  })

  it('a changed name and slug', async () => {
    const { menu } = await make()
    await fixture.done('patch', `/menus/${menu.id}`, { name: 'Ünlü & "Co"', slug: 'Меню' })
    const shown = await shownMenu(fixture, menu.id)
    expect(shown).toMatchObject({
      name: 'Ünlü &amp; "Co"',
      slug: '%d0%bc%d0%b5%d0%bd%d1%8e',
      count: 4,
    })
    const [found] = await fixture.wp<{ term_id: number }[]>('calls', [
      ['wp_get_nav_menu_object', ['меню']],
    ])
    expect(found?.term_id).toBe(menu.id)
  })

  it('that a menu was deleted: no term, no items, no location', async () => {
    const made = await make({ location: 'footer_1' })
    await fixture.done('delete', `/menus/${made.menu.id}`)
    const [found, has, locations] = await fixture.wp<[unknown, boolean, Record<string, number>]>(
      'calls',
      [
        ['wp_get_nav_menu_object', [made.menu.id]],
        ['has_nav_menu', ['footer_1']],
        ['get_nav_menu_locations', []],
      ],
    )
    expect([found, has, locations.footer_1]).toEqual([false, false, 0])
    const ids = made.items.map(({ id }) => id)
    const { posts } = await fixture.wp<{ posts: unknown[] }>('cleaned', { posts: ids })
    expect(posts).toEqual(ids.map(() => null))
  })

  it('an item without its own title, which follows the title of its page', async () => {
    const [page = 0] = await fixture.wp<number[]>('make_pages', [{ title: 'Before' }])
    const { menu } = await make({ items: [{ page }, { page, title: 'Own' }] })
    await fixture.wp('calls', [['wp_update_post', [{ ID: page, post_title: 'After' }]]])
    expect(outline((await shownMenu(fixture, menu.id)).items)).toEqual(['After', 'Own'])
  })

  it('a thousand items', async () => {
    const many = Array.from({ length: 100 }, (_, a) => ({
      url: `/${a}`,
      title: `Item ${a}`,
      children: Array.from({ length: 9 }, (_, b) => ({ url: `/${a}/${b}`, title: `${a}.${b}` })),
    }))
    await expectShown(await make({ items: many }))
  })

  it('a menu that WordPress then saves unchanged on its screen', async () => {
    const made = await make()
    const { items: before } = await shownMenu(fixture, made.menu.id)
    for (const { id } of before)
      await fixture.wp('save_item', { menu: made.menu.id, id, fields: {} })
    expect((await shownMenu(fixture, made.menu.id)).items).toEqual(before)
    const item = { url: '/more', title: 'More' }
    await fixture.done('post', `/menus/${made.menu.id}/items`, { item })
    const { items: after } = await shownMenu(fixture, made.menu.id)
    expect(outline(after)).toEqual([...outline(before), 'More'])
  })
})
