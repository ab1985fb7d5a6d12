import type { PhpValue } from '#php-serialized'
import type { Languages } from '../../../src/wordpress/languages/languages.ts'
import { polylangSettings } from '../../../src/wordpress/languages/polylang-settings.ts'

/** The languages of a site; the first one is the default. @param option Polylang's option */
export const languagesOf = (
  slugs: readonly string[],
  option: Readonly<Record<string, PhpValue>> = {},
): Languages => ({
  active: slugs.length > 0,
  list: slugs.map((slug, id) => ({
    id,
    slug,
    locale: slug,
    name: slug,
    rtl: false,
    active: true,
    hasContent: true,
  })),
  default: slugs[0] ?? null,
  settings: polylangSettings(new Map(Object.entries(option))),
})
