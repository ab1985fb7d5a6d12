import { describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import {
  menuItemClasses,
  menuItemTitle,
  menuName,
  sanitizeKey,
} from '../../../src/wordpress/formatting/menu-texts.ts'
import { sanitizeTextField, stripTags } from '../../../src/wordpress/formatting/plain-text.ts'
import { sanitizeUrl } from '../../../src/wordpress/formatting/sanitize-url.ts'
import {
  pagePathSlugs,
  removeAccents,
  sanitizeTitle,
} from '../../../src/wordpress/formatting/slugs.ts'
import extra from '../../data/formatting-extra.json' with { type: 'json' }
import strings from '../../data/strings.json' with { type: 'json' }

type Answer = string | string[] | null
/** A function, WordPress's answers (each row: the input, the answer, and further values), and ours. */
type Compared = readonly [string, readonly Answer[][], (input: string) => unknown]

const inLocales = (
  name: string,
  rows: Readonly<Record<string, Answer[][]>>,
  ours: (text: string, locale: string) => string,
): Compared[] =>
  Object.entries(rows).map(([locale, ofLocale]) => [
    `${name} in ${locale}`,
    ofLocale,
    (text) => ours(text, locale),
  ])

// If a name leaves no slug, the term's number is used, which is not a rule of this function.
const namesWithSlugs = strings.menu_name
  .filter(([, , slug]) => !/^\d+$/.test(slug ?? ''))
  .map(([, stored = '', slug = '']) => [stored, slug])

describe.each<Compared>([
  ...inLocales('sanitizeTitle', strings.sanitize_title, sanitizeTitle),
  ...inLocales('sanitizeTitle, more,', extra.sanitizeTitle, sanitizeTitle),
  ...inLocales('removeAccents', extra.removeAccents, removeAccents),
  ['sanitizeUrl', [...strings.sanitize_url, ...extra.sanitizeUrl], sanitizeUrl],
  ['menuItemClasses', strings.menu_item_classes, (text) => encodePhp(menuItemClasses(text))],
  ['menuItemClasses, more', extra.menuItemClasses, menuItemClasses],
  ['menu_item_target', strings.menu_item_target, sanitizeKey],
  ['sanitizeKey', extra.sanitizeKey, sanitizeKey],
  ['menuName', [...strings.menu_name, ...extra.menuName], menuName],
  ['the slug of a stored menu name', namesWithSlugs, (stored) => sanitizeTitle(stored, 'en_US')],
  [
    'menuItemTitle without unfiltered_html',
    extra.menuItemTitle,
    (title) => menuItemTitle(title, { unfilteredHtml: false }),
  ],
  ['sanitizeTextField', extra.sanitizeTextField, sanitizeTextField],
  ['stripTags', extra.stripTags, stripTags],
  ['pagePathSlugs', extra.pagePathSlugs, pagePathSlugs],
])('%s', (_, rows, ours) => {
  it.each(rows.map(([input, answer]) => [input, answer]))('%j', (input, answer) => {
    expect(ours(input as string)).toEqual(answer)
  })
})
