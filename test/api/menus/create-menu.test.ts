import { describe, expect, it } from 'vitest'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { setOption } from '../../support/network.ts'

const menus = await useMenusApi()
const { send } = menus

describe('POST /menus', () => {
  it('creates a menu with items and an assignment (complete response)', async () => {
    const { status, body } = await send('post', '/menus', {
      name: 'Whole & sound',
      slug: 'whole',
      location: 'footer_3',
      lang: 'fr',
      items: ['a-propos', { url: '/x', title: 'X', children: [7] }],
    })
    expect(status).toBe(200)
    const [first, second, third] = body.items
    expect(body).toEqual({
      success: true,
      site_id: 2,
      theme: null,
      menu: { id: body.menu.id, name: 'Whole & sound', slug: 'whole', items: 3 },
      items: [
        {
          id: first.id,
          at: '0',
          title: 'À propos',
          type: 'post_type',
          page: 8,
          url: 'http://net.test/shop/fr/a-propos/',
          parent: 0,
          order: 1,
          valid: true,
        },
        {
          id: second.id,
          at: '1',
          title: 'X',
          type: 'custom',
          page: null,
          url: 'http://net.test/shop/x',
          parent: 0,
          order: 2,
          valid: true,
        },
        {
          id: third.id,
          at: '1.0',
          title: 'About us',
          type: 'post_type',
          page: 7,
          url: 'http://net.test/shop/about-us/',
          parent: second.id,
          order: 3,
          valid: true,
        },
      ],
      invalid: [],
      warnings: [],
      rebaked: body.rebaked,
      republish: { status: 'ok' },
    })
    expect(body.rebaked).toMatchObject({ status: 'ok', cache: { status: 'skipped' } })
    const read = (await menus.itemsOf(body.menu.id)).map(({ id, parent }) => [id, parent])
    expect(read).toEqual([
      [first.id, 0],
      [second.id, 0],
      [third.id, second.id],
    ])
    const data = await send('get', '/data/menu.footer_3?lang=fr')
    expect(data.body).toMatchObject({ menu: { id: body.menu.id, slug: 'whole' }, total: 3 })
  })

  it('appends a number to a slug that is taken, with a warning, and sanitizes a sent slug', async () => {
    const taken = await send('post', '/menus', { name: 'One', slug: 'footer' })
    expect([taken.body.menu.slug, taken.body.warnings]).toEqual(['footer-2', ['slug_changed']])
    const cleaned = await send('post', '/menus', { name: 'Two', slug: 'My Slug!' })
    expect([cleaned.body.menu.slug, cleaned.body.warnings]).toEqual(['my-slug', ['slug_changed']])
    const cyrillic = await send('post', '/menus', { name: 'Three', slug: 'подвал' })
    expect([decodeURI(cyrillic.body.menu.slug), cyrillic.body.warnings]).toEqual(['подвал', []])
    const number = await send('post', '/menus', { name: 'Four', slug: 2024 })
    expect([number.body.menu.slug, number.body.warnings]).toEqual(['2024', []])
  })

  it('appends a number to a name that equals another one in the collation', async () => {
    const { body } = await send('post', '/menus', { name: 'HAUPTMENU' })
    expect([body.menu.name, body.menu.slug, body.warnings]).toEqual([
      'HAUPTMENU (2)',
      'hauptmenu-2',
      ['name_changed', 'slug_changed'],
    ])
  })

  it('menu_assignment_not_stored: creates nothing if the assignment fails', async () => {
    await setOption(menus.network, 2, 'theme_mods_damaged', 'a:1:{s:9:"x";i:1;}')
    const { status, body } = await send('post', '/menus', {
      name: 'Bad',
      location: 'header',
      theme: 'damaged',
    })
    expect([status, body.error, body.read_back]).toEqual([
      500,
      'menu_assignment_not_stored',
      { theme_mods_damaged: null },
    ])
    expect((await send('get', '/menus/')).body.menus).not.toContainEqual(
      expect.objectContaining({ name: 'Bad' }),
    )
  })

  it('assigns the location of the sent theme; a new option is autoloaded as in WordPress', async () => {
    const { body } = await send('post', '/menus', {
      name: 'Elsewhere',
      location: 'footer_1',
      theme: 'brand-new',
    })
    expect(body.theme).toBe('brand-new')
    const { options } = menus.site.tables
    const row = await menus.network.db
      .sql(options)
      .where({ option_name: 'theme_mods_brand-new' })
      .first('option_value', 'autoload')
    expect(row).toEqual({
      option_value: `a:1:{s:18:"nav_menu_locations";a:1:{s:8:"footer_1";i:${body.menu.id};}}`,
      autoload: 'auto',
    })
    const polylang = await readOption(menus.network.db, menus.site, 'polylang')
    expect(polylang).toContain(
      `s:9:"brand-new";a:1:{s:8:"footer_1";a:1:{s:2:"en";i:${body.menu.id};}}`,
    )
  })

  it('does not overwrite the mods of a theme in another spelling', async () => {
    const before = await readOption(menus.network.db, menus.site, 'theme_mods_opal')
    const { status, body } = await send('post', '/menus', {
      name: 'Bad',
      location: 'footer_1',
      theme: 'OPAL',
    })
    expect([status, body.code, body.data.params]).toEqual([
      400,
      'rest_invalid_param',
      { theme: 'must be spelled "opal"' },
    ])
    expect(await readOption(menus.network.db, menus.site, 'theme_mods_opal')).toBe(before)
  })
})
