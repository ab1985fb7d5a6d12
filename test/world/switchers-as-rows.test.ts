import { describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { useMenusApi } from '../support/menus-api.ts'

/**
 * A frame prints the items of a menu with markup of its own, and one of them is Polylang's language switcher.
 * Right: Polylang 3.8.7 and 3.9, `PLL_Frontend_Nav_Menu::wp_get_nav_menu_items()`: one item for each language, or for a drop-down a head, and the
 * languages below it. 3.9 gives the head the address of the page, and leaves out a drop-down without languages.
 */
describe('switchers as rows', async () => {
  const menus = await useMenusApi()
  const { menu } = await menus.makeMenu([{ url: '#pll_switcher' }])
  await menus.send('put', `/menus/${menu.id}/location`, { location: 'footer_2' })
  const UNTRANSLATED = 22
  const [item] = await menus.itemsOf(menu.id)
  const link = '<a data-op-bind="href:item.url; item.title" href="#">x</a>'
  const rows = (inner: string, source: string) =>
    `<!-- svc/repeat {"source":"${source}"} -->${inner}<!-- /svc/repeat -->`
  const html = rows(`${link}<ul>${rows(link, 'item.children')}</ul>`, 'menu.footer_2')
  await menus.send('post', '/frames', { slug: 'rows', html })
  const print = async (settings: Record<string, string | number>, page = 7) => {
    await menus.network.db
      .sql(menus.site.tables.postmeta)
      .where({ post_id: item?.id, meta_key: '_pll_menu_item' })
      .update({ meta_value: encodePhp(settings) })
    const { body } = await menus.send('post', '/preview', {
      page,
      assign: 'rows',
      frames: [{ slug: 'rows', html: `${html} ` }],
    })

    return [...String(body.html).matchAll(/<a href="([^"]*)">([^<]*)<\/a>(<ul>)?/g)].map(
      ([, url, title, head]) => `${head ? '' : '  '}${title} ${url}`,
    )
  }
  const LANGUAGES = [
    'English http://net.test/shop/about-us/',
    'Français http://net.test/shop/fr/a-propos/',
    'Deutsch http://net.test/shop/de/uber-uns/',
    'العربية http://net.test/shop/ar/%d8%a7%d9%84%d8%b1%d8%a6%d9%8a%d8%b3%d9%8a%d8%a9/',
  ]
  const below = LANGUAGES.map((line) => `  ${line}`)

  it.each([
    ['a list', { show_names: 1 }, LANGUAGES],
    ['a drop-down', { show_names: 1, dropdown: 1 }, ['English #pll_switcher', ...below]],
    ['a drop-down of 3.9', { layout: 'dropdown', show_labels: 'names' }, [LANGUAGES[0], ...below]],
    [
      'codes of 3.9',
      { layout: 'horizontal', show_labels: 'codes', hide_current: 1 },
      LANGUAGES.slice(1).map((line, at) => line.replace(/^\S+/, ['FR', 'DE', 'AR'][at] ?? '')),
    ],
  ])('%s', async (_, settings, expected) => {
    expect(await print(settings)).toEqual(expected)
  })

  it('a drop-down of 3.9 without languages', async () => {
    const hidden = { show_labels: 'names', hide_current: 1, hide_if_no_translation: 1 }
    expect(await print({ ...hidden, layout: 'dropdown' }, UNTRANSLATED)).toEqual([])
    const older = { show_names: 1, dropdown: 1, hide_current: 1, hide_if_no_translation: 1 }
    expect(await print(older, UNTRANSLATED)).toEqual(['English #pll_switcher'])
  })

  it('the API returns the row that it stores again', async () => {
    const { body } = await menus.send('get', '/data/menu.footer_2')
    expect(body.items).toMatchObject([{ url: '#pll_switcher', children: [] }])
    await menus.send('put', `/menus/${menu.id}/items`, { items: body.items })
    expect((await menus.itemsOf(menu.id))[0]?.switcher).not.toBeNull()
  })
})
