import {
  bakedOption,
  DATASET_PREFIX,
  metaOption,
  PAGE_META_KEY,
  REGISTRY_OPTION,
  recordOption,
} from '../content/frames/option-names.ts'
import { SETTINGS } from '../content/markup/value-path.ts'
import { escapeLike } from '../db/sql.ts'
import { ACTIVITY_OPTIONS } from '../wordpress/languages/polylang-activity.ts'
import { ITEM_META_KEYS } from '../wordpress/nav-menus/menu-item.ts'
import { THEME_MODS_PREFIX } from '../wordpress/options/theme-mods.ts'

/** The options on which the pages of a site depend: by name, or all with a prefix except those with a suffix. */
const NAMES: readonly string[] = [
  ...SETTINGS,
  'polylang',
  ...ACTIVITY_OPTIONS,
  'category_base',
  'tag_base',
  REGISTRY_OPTION,
]
const PREFIXES = [THEME_MODS_PREFIX, DATASET_PREFIX, recordOption('')]
/** A frame has options besides its record. */
const EXCEPT_SUFFIXES = [metaOption(''), bakedOption('')].map((name) =>
  name.slice(recordOption('').length),
)

/** Whether pages may show an option. */
export const isShownOption = (name: string): boolean =>
  NAMES.includes(name) ||
  (PREFIXES.some((prefix) => name.startsWith(prefix)) &&
    !EXCEPT_SUFFIXES.some((suffix) => name.endsWith(suffix)))

/** The same as a condition on the column `option_name`. */
export const SHOWN_OPTIONS = `(option_name IN (${NAMES.map((name) => `'${name}'`).join()}) OR (
  (${PREFIXES.map((prefix) => `option_name LIKE '${escapeLike(prefix)}%'`).join(' OR ')})
  AND ${EXCEPT_SUFFIXES.map((suffix) => `option_name NOT LIKE '%${escapeLike(suffix)}'`).join(' AND ')}))`

/** The meta keys of pages and menu items on which pages depend. */
export const SHOWN_META_KEYS: readonly string[] = [...ITEM_META_KEYS, PAGE_META_KEY]
