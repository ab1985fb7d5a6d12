import { describe, expect, it } from 'vitest'
import { decodePhp } from '#php-serialized'
import {
  isFlagSet,
  newLayout,
  SWITCHER_URL,
  type SwitcherSettings,
  switcherFlags,
  switcherMeta,
} from '../../../src/wordpress/nav-menus/switcher.ts'

const OLD: SwitcherSettings = new Map(
  Object.entries({
    hide_if_no_translation: 0,
    hide_current: 1,
    force_home: 0,
    show_flags: 1,
    show_names: 1,
    dropdown: 0,
  }),
)
/** As Polylang 3.9 stores it: the old keys stay for a rollback of the plugin. */
const NEW: SwitcherSettings = new Map<string, string | number>([
  ...(OLD as Map<string, number>),
  ['layout', 'dropdown'],
  ['show_labels', 'codes'],
  ['flag_aspect_ratio', '1:1'],
])

const flagsOf = (switcher: SwitcherSettings) => switcherFlags({ url: SWITCHER_URL, switcher })
const decoded = (text: string) => Object.fromEntries(decodePhp(text) as Map<string, unknown>)

describe('the settings of a language switcher', () => {
  it('are read by their old keys, and by the new ones once there is a layout', () => {
    expect(flagsOf(OLD)).toEqual(['hide_current', 'show_flags', 'show_names'])
    expect(flagsOf(NEW)).toEqual(['hide_current', 'show_flags', 'show_names', 'dropdown'])
    expect(newLayout(OLD, false)).toBeUndefined()
    expect(newLayout(NEW, false)).toEqual({
      showsCodes: true,
      showsFlags: true,
      flagClass: 'pll-aspect-ratio-11',
    })
    expect(isFlagSet(new Map([...NEW, ['show_labels', '']]), 'show_names')).toBe(false)
    expect(isFlagSet(new Map([...NEW, ['layout', 'horizontal']]), 'dropdown')).toBe(false)
  })

  it("are Polylang's defaults for a new one", () => {
    expect(decoded(switcherMeta(undefined, undefined))).toMatchObject({
      show_names: 1,
      dropdown: 0,
    })
  })

  it('survive a write that does not mention them', () => {
    expect(decoded(switcherMeta(undefined, NEW))).toEqual(Object.fromEntries(NEW))
  })

  it('are written in both forms, and keep what no flag says', () => {
    const flags = flagsOf(NEW)
    expect(decoded(switcherMeta(flags, NEW))).toEqual({
      ...Object.fromEntries(NEW),
      dropdown: 1,
    })
    expect(decoded(switcherMeta([], NEW))).toEqual({
      ...Object.fromEntries(NEW),
      hide_current: 0,
      show_flags: 0,
      show_names: 0,
      layout: 'horizontal',
      show_labels: '',
    })
    expect(decoded(switcherMeta(['show_names'], OLD))).not.toHaveProperty('layout')
  })
})
