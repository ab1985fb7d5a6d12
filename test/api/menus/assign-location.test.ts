import { describe, expect, it } from 'vitest'
import { readOptions } from '../../../src/wordpress/options/read-options.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { setOption } from '../../support/network.ts'

const menus = await useMenusApi()
const { send } = menus
const maps = async () => {
  const found = await readOptions(menus.network.db, menus.site, ['theme_mods_opal', 'polylang'])
  return [found.get('theme_mods_opal') ?? '', found.get('polylang') ?? '']
}
/** Both maps after an assignment and before it. */
const assign = async (body: object, ref: string | number = 27) => {
  const before = await maps()
  const answer = await send('put', `/menus/${ref}/location`, body)
  return { answer, before, after: await maps() }
}

describe('PUT /menus/{ref}/location', () => {
  it('assigns the default language in both maps if no language is sent (complete response)', async () => {
    const { answer, before, after } = await assign({ location: 'header' })
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      success: true,
      site_id: 2,
      theme: 'opal',
      location: 'header',
      lang: 'en',
      menu: { id: 27, name: 'Unassigned & "odd" – naïve', slug: 'unassigned-odd-naive' },
      assigned: [{ location: 'header', lang: 'en' }],
      warnings: [],
      rebaked: expect.objectContaining({ status: 'ok' }),
      republish: { status: 'ok' },
    })
    expect(after).toEqual([
      before[0]?.replace('s:6:"header";i:23;', 's:6:"header";i:27;'),
      before[1]?.replace('s:2:"en";i:23;', 's:2:"en";i:27;'),
    ])
    expect((await send('get', '/data/menu.header')).body.menu.id).toBe(27)
  })

  it('does the same with the default language', async () => {
    const { before, after } = await assign({ location: 'header', lang: 'en' }, 'main-menu')
    expect(after).toEqual([
      before[0]?.replace('s:6:"header";i:27;', 's:6:"header";i:23;'),
      before[1]?.replace('s:2:"en";i:27;', 's:2:"en";i:23;'),
    ])
  })

  it("writes only Polylang's map for another language", async () => {
    const { answer, before, after } = await assign({ location: 'header', lang: 'ar' })
    expect(answer.body).toMatchObject({
      lang: 'ar',
      assigned: [{ location: 'header', lang: 'ar' }],
    })
    expect(after).toEqual([
      before[0],
      before[1]?.replace(
        'a:3:{s:2:"de";i:25;s:2:"en";i:23;s:2:"fr";i:24;}',
        'a:4:{s:2:"de";i:25;s:2:"en";i:23;s:2:"fr";i:24;s:2:"ar";i:27;}',
      ),
    ])
  })

  it('registers the location in the theme, without which Polylang would show no menu', async () => {
    const { answer, after } = await assign({ location: 'footer_3', lang: 'fr' }, 'menu-principal')
    expect(answer.status).toBe(200)
    expect(after[0]).toContain('s:8:"footer_3";i:0;')
    expect(after[1]).toContain('s:8:"footer_3";a:1:{s:2:"fr";i:24;}')
    expect((await send('get', '/data/menu.footer_3?lang=fr')).body.menu.id).toBe(24)
    expect((await send('get', '/data/menu.footer_3')).body.menu).toBeNull()
  })

  it('writes the map of another theme', async () => {
    const { answer, before, after } = await assign({ location: 'footer_2', theme: 'other' })
    expect(answer.body).toMatchObject({
      theme: 'other',
      assigned: [{ location: 'footer_2', lang: 'en' }],
    })
    expect(after[0]).toBe(before[0])
    const other = await readOptions(menus.network.db, menus.site, ['theme_mods_other'])
    expect(other.get('theme_mods_other')).toBe(
      'a:2:{s:18:"nav_menu_locations";a:3:{s:6:"header";i:26;s:7:"primary";i:23;s:8:"footer_2";i:27;}s:11:"custom_logo";i:12;}',
    )
  })

  it("writes only the theme's map on a site without Polylang", async () => {
    const { body } = await menus.as('bob')('put', '/site/3/menus/5/location', {
      location: 'header',
    })
    expect(body).toMatchObject({ lang: null, theme: 'opal' })
    const site = await menus.network.site(3)
    const found = await readOptions(menus.network.db, site, ['theme_mods_opal', 'polylang'])
    expect([...found]).toEqual([
      [
        'theme_mods_opal',
        'a:2:{i:0;b:0;s:18:"nav_menu_locations";a:2:{s:6:"header";i:5;s:8:"footer_1";i:5;}}',
      ],
    ])
  })

  it('keeps integers as integers, and changes no byte if nothing changes', async () => {
    const { before, after } = await assign({ location: 'header', lang: 'ar' })
    expect(after).toEqual(before)
  })

  it('warns while WordPress has not completed a theme switch', async () => {
    await setOption(menus.network, 2, 'theme_switched', 'twentytwentyfive')
    const { answer } = await assign({ location: 'header', lang: 'ar' })
    expect(answer.body.warnings).toEqual(['theme_switch_pending'])
    await setOption(menus.network, 2, 'theme_switched', '')
  })

  it('unknown_location: lists the locations', async () => {
    for (const location of ['primary', 'HEADER', 7, {}]) {
      const { answer } = await assign({ location })
      expect([answer.status, answer.body.error, answer.body.locations]).toEqual([
        400,
        'unknown_location',
        ['header', 'footer_1', 'footer_2', 'footer_3'],
      ])
    }
  })

  it('unknown_language: lists the languages', async () => {
    for (const lang of ['xx', 'EN', 7, {}, { toString: 1 }]) {
      const { answer } = await assign({ location: 'header', lang })
      expect([answer.status, answer.body.error, answer.body.languages]).toEqual([
        400,
        'unknown_language',
        ['en', 'fr', 'de', 'ar'],
      ])
    }
  })

  it('menu_assignment_not_stored: the database stores another value, shown in read_back', async () => {
    const { sql } = menus.network.db
    await sql.raw(
      `CREATE TRIGGER meddle BEFORE UPDATE ON ?? FOR EACH ROW
       SET NEW.option_value = IF(NEW.option_name = 'polylang', OLD.option_value, NEW.option_value)`,
      [menus.site.tables.options],
    )
    const { answer, before, after } = await assign({ location: 'footer_2' })
    await sql.raw('DROP TRIGGER meddle')
    expect([answer.status, answer.body.error, answer.body.read_back]).toEqual([
      500,
      'menu_assignment_not_stored',
      {
        polylang: { 'nav_menus.opal.footer_2.en': null },
        theme_mods_opal: { 'nav_menu_locations.footer_2': 27 },
      },
    ])
    expect(after).toEqual(before)
  })

  it('menu_assignment_not_stored: the name of the theme does not fit an option name', async () => {
    await setOption(menus.network, 2, 'stylesheet', 'x'.repeat(6000))
    const { answer, before, after } = await assign({ location: 'header' })
    expect([answer.status, answer.body.error]).toEqual([500, 'menu_assignment_not_stored'])
    expect(answer.body).toMatchObject({
      message: expect.stringContaining('(6000 characters)'),
      read_back: { stylesheet: null },
    })
    expect(after).toEqual(before)
    await setOption(menus.network, 2, 'stylesheet', 'opal')
  })

  it('menu_assignment_not_stored: a damaged map is not edited', async () => {
    const [, original = ''] = await maps()
    await setOption(menus.network, 2, 'polylang', original.slice(0, -1))
    const { answer, before, after } = await assign({ location: 'footer_2' })
    await setOption(menus.network, 2, 'polylang', original)
    expect([answer.status, answer.body.error]).toEqual([500, 'menu_assignment_not_stored'])
    expect(answer.body.message).toContain('polylang')
    expect(after).toEqual(before)
  })
})
