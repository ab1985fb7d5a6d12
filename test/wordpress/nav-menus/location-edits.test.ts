import { describe, expect, it } from 'vitest'
import {
  ensureThemeMap,
  registerLocation,
  removeFromAutoAdd,
  setLocation,
  unassignIn,
} from '../../../src/wordpress/nav-menus/location-edits.ts'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { useTruth } from '../clone-truth.ts'

const network = await useTruth()
const at = (location: string) => ({ theme: 'opal', location, lang: null })
const mods = (await readOption(network.db, await network.site(2), 'theme_mods_opal')) ?? ''

describe("a theme's mods", () => {
  it.each(['', 'a:0:{}', 'b:0;', 's:0:"";', 'a:1:{s:18:"nav_menu_locations";b:0;}'])(
    'are created if they were missing: %j',
    (text) => {
      expect(setLocation(text, at('header'), 7)).toBe(
        'a:1:{s:18:"nav_menu_locations";a:1:{s:6:"header";i:7;}}',
      )
    },
  )

  it('register a location once', () => {
    const known = registerLocation(mods, at('footer_3'))
    expect(known).toBe(setLocation(mods, at('footer_3'), 0))
    expect(registerLocation(known, at('footer_3'))).toBe(known)
    expect(registerLocation(mods, at('header'))).toBe(mods)
  })

  it('lose a menu and keep its locations', () => {
    const text =
      'a:1:{s:18:"nav_menu_locations";a:4:{s:1:"a";i:5;s:1:"b";s:1:"5";s:1:"c";i:50;s:1:"d";b:1;}}'
    expect(unassignIn('theme_mods_opal', text, 5, [])).toEqual({
      text: 'a:1:{s:18:"nav_menu_locations";a:4:{s:1:"a";i:0;s:1:"b";i:0;s:1:"c";i:50;s:1:"d";b:1;}}',
      removed: [at('a'), at('b')],
    })
    expect(unassignIn('theme_mods_opal', text, 1, [])).toEqual({ text, removed: [] })
  })

  it('get a map if they have none and are not empty', () => {
    expect(ensureThemeMap('a:1:{i:0;b:0;}')).toBe('a:2:{i:0;b:0;s:18:"nav_menu_locations";a:0:{}}')
    expect(ensureThemeMap(mods)).toBe(mods)
    expect(ensureThemeMap('')).toBe('')
    expect(ensureThemeMap('damaged')).toBe('damaged')
  })
})

it("Polylang's option has no assignment to lose if it is missing", () => {
  expect(unassignIn('polylang', '', 26, [])).toEqual({ text: '', removed: [] })
})

it('the list of menus that get new pages loses a menu and keeps its keys', () => {
  expect(removeFromAutoAdd('a:2:{i:0;b:0;s:8:"auto_add";a:2:{i:0;i:23;i:1;i:26;}}', 23)).toBe(
    'a:2:{i:0;b:0;s:8:"auto_add";a:1:{i:1;i:26;}}',
  )
  expect(removeFromAutoAdd('a:1:{s:8:"auto_add";a:0:{}}', 23)).toBe('a:1:{s:8:"auto_add";a:0:{}}')
})
