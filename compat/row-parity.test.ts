import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { type MadeMenu, makeMenu } from './support/menu.ts'
import { readMenuRows } from './support/menu-rows.ts'
import { TEXTS } from './support/texts.ts'
import { flat, trees } from './support/tree.ts'

/** Two equal sites: WordPress writes to one, the API to the other. */
let theirs: CompatFixture
let ours: CompatFixture
let pages: readonly number[] = []

/** An administrator of both sites, whose markup WordPress filters. */
let filtered = ''

beforeAll(async () => {
  const options = { timezone_string: 'Europe/Berlin' }
  theirs = await createCompatFixture({ options })
  ours = await createCompatFixture({ options })
  const wanted = [{ title: 'About & more' }, { title: 'Team', under: 0 }, { title: '2024 "x" \\' }]
  pages = await theirs.wp<number[]>('make_pages', wanted, { user: 'root' })
  expect(await ours.wp<number[]>('make_pages', wanted, { user: 'root' })).toEqual(pages)
  filtered = `${ours.admin}-both`
  const [user] = await ours.wp<number[]>('calls', [
    ['wpmu_create_user', [filtered, 'a password', `${filtered}@net.test`]],
  ])
  for (const { wp, site } of [ours, theirs])
    await wp('calls', [['add_user_to_blog', [site.blogId, user, 'administrator']]])
})
afterAll(async () => {
  await theirs?.close()
  await ours?.close()
})

type Written = { readonly theirs: ScreenMenu; readonly ours: MadeMenu }
type ScreenMenu = { readonly menu: number; readonly items: readonly number[] }
let written: Written | undefined

/** Writes the same menu with both: items as the menu screen takes them, and nested for the API. */
async function writeBoth(
  name: string,
  items: readonly object[],
  nested: readonly object[],
  user = 'root',
): Promise<Written> {
  const screen = { name, location: 'header', items }
  written = {
    theirs: await theirs.wp<ScreenMenu>('write_menu_on_screen', screen, { user }),
    ours: await makeMenu(ours, { name, location: 'header', items: nested }, user),
  }
  return written
}

async function deleteBoth(): Promise<void> {
  if (!written) return
  await theirs.wp('calls', [['wp_delete_nav_menu', [written.theirs.menu]]])
  await ours.done('delete', `/menus/${written.ours.menu.id}`)
  written = undefined
}
afterEach(deleteBoth)

const rowsOf = ({ network, site }: CompatFixture) => readMenuRows(network.db, site)
const expectSameRows = async (): Promise<void> =>
  expect(await rowsOf(ours)).toEqual(await rowsOf(theirs))

/** A menu with an item of each type. */
function writeKinds(): Promise<Written> {
  const [about, team, year] = pages
  const top = { page: about, title: 'About & more', classes: 'a  b' }
  const middle = { page: team, title: 'Own title', target: '_blank' }
  const bottom = { url: 'https://other.test/?a=1&b=[2]', title: 'Other', classes: 'c:d é' }
  const last = { page: year, title: '2024 "x" \\' }
  return writeBoth(
    'Kinds',
    [top, { ...middle, under: 0 }, { ...bottom, under: 1 }, last],
    [{ ...top, children: [{ ...middle, children: [bottom] }] }, last],
  )
}

/** Changes the dates of the rows to the day before. */
async function backdate({ network, site }: CompatFixture): Promise<void> {
  const { posts } = site.tables
  const day = (column: string) => network.db.sql.raw('?? - INTERVAL 1 DAY', [column])
  await network.db
    .sql(posts)
    .where({ post_type: 'nav_menu_item' })
    .update({
      post_date: day('post_date'),
      post_date_gmt: day('post_date_gmt'),
    })
}

/** Changes the item at this index of the menu with both. */
async function saveBoth(
  { theirs: screen, ours: made }: Written,
  index: number,
  fields: object,
  body: object,
): Promise<void> {
  await theirs.wp(
    'save_item',
    { menu: screen.menu, id: screen.items[index], fields },
    { user: 'root' },
  )
  await ours.done('patch', `/menus/${made.menu.id}/items/${made.items[index]?.id}`, body, 'root')
}

describe('the rows of a menu are those that WordPress writes,', () => {
  it('for all types of items', async () => {
    await writeKinds()
    expect((await rowsOf(ours)).posts).toHaveLength(4)
    await expectSameRows()
  })

  it.each([
    ['a super administrator', () => 'root'],
    ['an administrator', () => filtered],
  ])('for titles in all scripts, written by %s', async (_, user) => {
    const items = TEXTS.map((title) => ({ url: '/x', title }))
    const absolute = (home: string) => items.map((item) => ({ ...item, url: `${home}/x` }))
    await writeBoth('Titles', absolute(theirs.home), absolute(ours.home), user())
    await expectSameRows()
  })

  it('for items with titles of pages', async () => {
    // WordPress 6.1 and 7.1 compare different spellings of an entity with the page's own title.
    const titles = TEXTS.filter((title) => !/&\w+;/.test(title))
    const wanted = titles.map((title) => ({ title }))
    const ids = await theirs.wp<number[]>('make_pages', wanted, { user: 'root' })
    expect(await ours.wp<number[]>('make_pages', wanted, { user: 'root' })).toEqual(ids)
    const items = ids.map((page, index) => ({ page, title: titles[index] }))
    await writeBoth('Titles of pages', items, items)
    await expectSameRows()
  })

  it.each(TEXTS)('for the name %j', async (name) => {
    const [menu] = await theirs.wp<number[]>('calls', [['wp_create_nav_menu', [slashed(name)]]])
    const made = await makeMenu(ours, { name }, 'root')
    await expectSameRows()
    written = { theirs: { menu: menu ?? 0, items: [] }, ours: made }
  })

  it('for any tree', async () => {
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        const relative = flat(tree).map((item) => ({
          ...item,
          url: item.url.startsWith('/') ? theirs.home + item.url : item.url,
        }))
        try {
          await writeBoth('Any tree', relative, tree)
          await expectSameRows()
        } finally {
          await deleteBoth()
        }
        await expectSameRows()
      }),
      { numRuns: 15 },
    )
  })

  it('when an item is saved again on the same day', async () => {
    const both = await writeKinds()
    await saveBoth(both, 1, { 'menu-item-title': 'New & own' }, { title: 'New & own' })
    await saveBoth(both, 0, { 'menu-item-classes': 'x' }, { classes: 'x' })
    await expectSameRows()
  })

  it('when an item is saved again a day later: WordPress records the day before', async () => {
    const both = await writeKinds()
    await backdate(theirs)
    await backdate(ours)
    await saveBoth(both, 2, { 'menu-item-title': 'New' }, { title: 'New' })
    await expectSameRows()
    const keys = (await rowsOf(ours)).postmeta?.map(({ meta_key }) => meta_key)
    expect(keys).toContain('_wp_old_date')
  })

  it('when an item is moved', async () => {
    const both = await writeKinds()
    const [about] = pages
    await saveBoth(
      both,
      2,
      {
        'menu-item-type': 'post_type',
        'menu-item-object': 'page',
        'menu-item-object-id': about,
        'menu-item-title': 'About & more',
      },
      { page: about, title: 'About & more' },
    )
    await saveBoth(
      both,
      3,
      { 'menu-item-type': 'custom', 'menu-item-url': 'https://a.test/', 'menu-item-title': 'A' },
      { url: 'https://a.test/', title: 'A' },
    )
    await expectSameRows()
  })

  it('when the last item is deleted', async () => {
    const both = await writeKinds()
    await theirs.wp('calls', [['wp_delete_post', [both.theirs.items[3]]]])
    await ours.done('delete', `/menus/${both.ours.menu.id}/items/${both.ours.items[3]?.id}`)
    await expectSameRows()
  })

  it('when the name and the slug of a menu change', async () => {
    const both = await writeKinds()
    const names = { name: 'R&D "Ümläut"', slug: 'Ümläut & co' }
    await theirs.wp('calls', [['wp_update_term', [both.theirs.menu, 'nav_menu', names]]])
    await ours.done('patch', `/menus/${both.ours.menu.id}`, names)
    await expectSameRows()
  })

  it('when a menu with a location is deleted', async () => {
    await writeKinds()
    await deleteBoth()
    expect((await rowsOf(ours)).posts).toEqual([])
    await expectSameRows()
  })
})

/** In the format that PHP's older functions expect. */
function slashed(text: string): string {
  return text.replace(/[\\'"\0]/g, (character) => (character === '\0' ? '\\0' : `\\${character}`))
}
