import {
  bakedOption,
  DATASET_PREFIX,
  metaOption,
  PAGE_META_KEY,
  REGISTRY_OPTION,
  recordOption,
} from '../frames/option-names.ts'
import { SETTINGS } from '../markup/value-path.ts'
import { ACTIVITY_OPTIONS } from '../wordpress/languages/polylang-activity.ts'
import { THEME_MODS_PREFIX } from '../wordpress/options/theme-mods.ts'
import type { ShownOptions } from './seen-options.ts'

/** The suffixes of a frame's options besides its record. */
const FRAME_SUFFIXES = [metaOption(''), bakedOption('')].map((name) =>
  name.slice(recordOption('').length),
)

/** The options on which the pages of a site depend. */
export const SHOWN_OPTIONS: ShownOptions = {
  names: [
    ...SETTINGS,
    'polylang',
    ...ACTIVITY_OPTIONS,
    'category_base',
    'tag_base',
    REGISTRY_OPTION,
  ],
  prefixes: [THEME_MODS_PREFIX, DATASET_PREFIX, recordOption('')],
  exceptSuffixes: FRAME_SUFFIXES,
}

/** The meta keys of pages on which their copies depend. */
export const SHOWN_META_KEYS = [PAGE_META_KEY]
