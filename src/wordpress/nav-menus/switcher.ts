import { encodePhp, type PhpValue } from '#php-serialized'
import type { MenuItem } from './menu-item.ts'

/** Polylang's language switcher is an item with this URL and the meta value `_pll_menu_item`. With the URL alone it is a dead link. */
export const SWITCHER_URL = '#pll_switcher'

/** The flags of the switcher, in Polylang's order. */
export const SWITCHER_FLAGS = [
  'hide_if_no_translation',
  'hide_current',
  'force_home',
  'show_flags',
  'show_names',
  'dropdown',
] as const

export type SwitcherFlag = (typeof SWITCHER_FLAGS)[number]

/** The flags that Polylang sets on a new switcher. */
export const DEFAULT_SWITCHER_FLAGS: readonly SwitcherFlag[] = ['show_names']

/**
 * Polylang's settings of a switcher, as stored. From version 3.9 on they contain `layout`, `show_labels` and `flag_aspect_ratio` besides the
 * older flags, which Polylang then only keeps for a rollback of the plugin (PLL src/Switcher/Fields/Menu.php).
 */
export type SwitcherSettings = ReadonlyMap<string, PhpValue>

/** The title that Polylang stores with a switcher (PLL admin-nav-menu.php). Visitors see the names of the languages instead. */
export const SWITCHER_TITLE = 'Languages'

/**
 * The value of `_pll_menu_item` with these flags set.
 * @param kept the settings of the switcher that is replaced: what no flag says stays as it is, such as the shape of flags
 */
export function switcherMeta(
  on: readonly SwitcherFlag[] | undefined,
  kept: SwitcherSettings | undefined,
): string {
  const settings = new Map<string, Scalar>([...(kept ?? [])].filter(isScalarEntry))
  if (on === undefined && settings.size > 0) return encodePhp(Object.fromEntries(settings))
  const flags = on ?? DEFAULT_SWITCHER_FLAGS
  for (const flag of SWITCHER_FLAGS) settings.set(flag, flags.includes(flag) ? 1 : 0)
  if (settings.has('layout')) {
    const hasDropdown = DROPDOWN_LAYOUTS.has(String(settings.get('layout')))
    if (flags.includes('dropdown') !== hasDropdown)
      settings.set('layout', hasDropdown ? 'horizontal' : 'dropdown')
    const labels = String(settings.get('show_labels') ?? 'names')
    settings.set('show_labels', flags.includes('show_names') ? labels || 'names' : '')
  }
  return encodePhp(Object.fromEntries(settings))
}

type Scalar = null | boolean | number | bigint | string

/** Polylang's settings are texts and numbers. */
const isScalarEntry = (entry: readonly [string, PhpValue]): entry is [string, Scalar] =>
  typeof entry[1] !== 'object' || entry[1] === null

/** In menus, `select` is a drop-down too (PLL src/Switcher/Settings/Menu.php). All other layouts are lists. */
const DROPDOWN_LAYOUTS = new Set(['dropdown', 'select'])

/** The flags that are set; undefined if the item is not a switcher. */
export function switcherFlags({
  url,
  switcher,
}: Pick<MenuItem, 'url' | 'switcher'>): SwitcherFlag[] | undefined {
  if (switcher === null || url !== SWITCHER_URL) return undefined
  return SWITCHER_FLAGS.filter((flag) => isFlagSet(switcher, flag))
}

/** Polylang 3.9 ignores `dropdown` and `show_names` once `layout` is present (PLL src/Switcher/Fields/Abstract_Fields.php). */
export function isFlagSet(settings: SwitcherSettings, flag: SwitcherFlag): boolean {
  const layout = settings.get('layout')
  if (layout !== undefined && flag === 'dropdown') return DROPDOWN_LAYOUTS.has(String(layout))
  if (layout !== undefined && flag === 'show_names')
    return String(settings.get('show_labels') ?? 'names') !== ''
  return Number(settings.get(flag) ?? 0) !== 0
}

/**
 * How Polylang 3.9 prints a switcher; undefined for one that is printed as older versions do.
 * @param printsLayouts the site runs 3.9, which converts the flags of older versions when it prints them
 */
export function newLayout(
  settings: SwitcherSettings,
  printsLayouts: boolean,
): NewLayout | undefined {
  if (!settings.has('layout') && !printsLayouts) return undefined
  const isSquare = settings.get('flag_aspect_ratio') === '1:1'
  return {
    showsCodes: settings.get('show_labels') === 'codes',
    showsFlags: isFlagSet(settings, 'show_flags'),
    flagClass: `pll-aspect-ratio-${isSquare ? '11' : '32'}`,
  }
}

export type NewLayout = {
  /** The entries show the codes of the languages instead of their names. */
  readonly showsCodes: boolean
  readonly showsFlags: boolean
  /** The class for the shape of the flags. */
  readonly flagClass: string
}
