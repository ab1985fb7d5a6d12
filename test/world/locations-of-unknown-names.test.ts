import { describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { readLocationMaps } from '../../src/wordpress/nav-menus/location-maps.ts'
import { readOption } from '../../src/wordpress/options/read-options.ts'
import { useMenusApi } from '../support/menus-api.ts'
import { setOption } from '../support/network.ts'

/**
 * An import stored the slugs of menus that it did not create, and other values than ids in Polylang's map.
 * Right: WordPress 7.1, `wp_get_nav_menu_object()` finds no menu for such a slug. Polylang 3.8.7, `Abstract_Option::__construct()` casts the
 * values of `nav_menus` to integers (`rest_sanitize_value_from_schema()`).
 */
describe('locations of unknown names', async () => {
  const menus = await useMenusApi()
  const { db } = menus.network
  const maps = () => readLocationMaps(db, menus.site)
  const { theme } = await maps()
  const store = (name: string, value: string) => setOption(menus.network, 2, name, value)
  const found = async (): Promise<string[]> => {
    const { body } = await (await menus.api.as('admin')).get('/site/2/findings')
    return body.findings
      .filter(({ check }: { check: string }) => check === 'location_dangling')
      .map(
        ({ severity, message }: { severity: string; message: string }) => `${severity}: ${message}`,
      )
  }
  const message = (name: string, of: string) =>
    `No menu has the slug or the name "${name}", which is still assigned at "footer_9" of the theme "${of}".`

  it.each([
    ['gone-menu', 'gone-menu'],
    ['Gone Menu', 'Gone Menu'],
    ['a'.repeat(150), 'a'.repeat(100)],
  ])('%s is a finding', async (value, shown) => {
    await store('theme_mods_other', encodePhp({ nav_menu_locations: { footer_9: value } }))
    expect(await found()).toEqual([`info: ${message(shown, 'other')}`])
  })

  it.each(['', ' ', '0', 'main-menu', 'Main menu'])('"%s" is none', async (value) => {
    await store('theme_mods_other', encodePhp({ nav_menu_locations: { footer_9: value } }))
    expect(await found()).toEqual([])
  })

  it('is a warning in the theme of the site', async () => {
    const mods = (await readOption(db, menus.site, `theme_mods_${theme}`)) ?? ''
    await store(`theme_mods_${theme}`, encodePhp({ nav_menu_locations: { footer_9: 'gone' } }))
    expect(await found()).toEqual([`warning: ${message('gone', theme)}`])
    await store(`theme_mods_${theme}`, mods)
  })

  it.each([
    [23, 23],
    ['23', 23],
    ['23abc', 23],
    [' 23', 23],
    ['23.9', 23],
    ['0x17', 0],
    ['main-menu', 0],
    [-23, 0],
    [true, 1],
  ])("Polylang's map holds %j", async (value, id) => {
    const navMenus = { [theme]: { header: { en: value } } }
    await store('polylang', encodePhp({ default_lang: 'en', nav_menus: navMenus }))
    expect((await maps()).byLanguage.get('header')?.get('en')).toBe(id)
  })
})
