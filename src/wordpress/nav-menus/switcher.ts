import { encodePhp } from '../serialized/encode-php.ts'
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

/** The value of `_pll_menu_item` with these flags set. */
export function switcherMeta(on: readonly SwitcherFlag[] = DEFAULT_SWITCHER_FLAGS): string {
  return encodePhp(
    Object.fromEntries(SWITCHER_FLAGS.map((flag) => [flag, on.includes(flag) ? 1 : 0])),
  )
}

/** The flags that are set; undefined if the item is not a switcher. */
export function switcherFlags({
  url,
  switcher,
}: Pick<MenuItem, 'url' | 'switcher'>): SwitcherFlag[] | undefined {
  if (switcher === null || url !== SWITCHER_URL) return undefined
  return SWITCHER_FLAGS.filter((flag) => Number(switcher.get(flag) ?? 0) !== 0)
}
