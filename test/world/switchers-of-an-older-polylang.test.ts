import { describe, expect, it } from 'vitest'
import { polylangSettings } from '../../src/wordpress/languages/polylang-settings.ts'
import { newLayout } from '../../src/wordpress/nav-menus/switcher.ts'
import { storedArray } from '../../src/wordpress/stored-value.ts'

/**
 * A site was upgraded to Polylang 3.9, which leaves the switchers that 3.8 has stored as they are.
 * Right: Polylang 3.9, `Abstract_Fields` and `Menu` in `src/Switcher/Fields`: the old flags are converted when the switcher is printed.
 */
const settingsOf = (version: string) =>
  polylangSettings(storedArray(`a:1:{s:7:"version";s:${version.length}:"${version}";}`))

describe('switchers of an older Polylang', () => {
  it.each([
    ['', false],
    ['2.0', false],
    ['3.8.7', false],
    ['3.9-dev', true],
    ['3.9', true],
    ['3.10.1', true],
    ['4.0', true],
  ])('are printed by version "%s" with a layout: %s', (version, isNew) => {
    const flags = new Map([
      ['show_flags', 1],
      ['dropdown', 0],
    ])
    const layout = newLayout(flags, settingsOf(version).printsLayouts)
    const expected = { showsCodes: false, showsFlags: true, flagClass: 'pll-aspect-ratio-32' }
    expect(layout).toEqual(isNew ? expected : undefined)
  })
})
