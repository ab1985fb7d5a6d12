import { describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import {
  menuItemClasses,
  menuItemTarget,
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

/** Each row: the input, WordPress's answer, and further values. */
const answersAs = (rows: readonly Answer[][], ours: (input: string) => unknown): void => {
  it.each(rows.map((row) => [row[0], row[1]]))('%j', (input, answer) => {
    expect(ours(input as string)).toEqual(answer)
  })
}

describe.each(Object.entries(strings.sanitize_title))('sanitizeTitle in %s', (locale, rows) => {
  answersAs(rows, (title) => sanitizeTitle(title, locale))
})

describe.each(Object.entries(extra.sanitizeTitle))('sanitizeTitle, more, in %s', (locale, rows) => {
  answersAs(rows, (title) => sanitizeTitle(title, locale))
})

describe.each(Object.entries(extra.removeAccents))('removeAccents in %s', (locale, rows) => {
  answersAs(rows, (text) => removeAccents(text, locale))
})

describe('sanitizeUrl', () => {
  answersAs([...strings.sanitize_url, ...extra.sanitizeUrl], sanitizeUrl)
})

describe('menuItemClasses', () => {
  answersAs(strings.menu_item_classes, (text) => encodePhp(menuItemClasses(text)))
  answersAs(extra.menuItemClasses, menuItemClasses)
})

describe('menuItemTarget', () => {
  answersAs(strings.menu_item_target, menuItemTarget)
})

describe('sanitizeKey', () => {
  answersAs(extra.sanitizeKey, sanitizeKey)
})

describe('menuName', () => {
  answersAs([...strings.menu_name, ...extra.menuName], menuName)
})

describe('the slug of a stored menu name', () => {
  // If a name leaves no slug, the term's number is used, which is not a rule of this function.
  const named = strings.menu_name.filter(([, , slug]) => !/^\d+$/.test(slug ?? ''))
  answersAs(
    named.map(([, stored = '', slug = '']) => [stored, slug]),
    (stored) => sanitizeTitle(stored, 'en_US'),
  )
})

describe('menuItemTitle without unfiltered_html', () => {
  answersAs(extra.menuItemTitle, (title) => menuItemTitle(title, { unfilteredHtml: false }))
})

describe('sanitizeTextField', () => {
  answersAs(extra.sanitizeTextField, sanitizeTextField)
})

describe('stripTags', () => {
  answersAs(extra.stripTags, stripTags)
})

describe('pagePathSlugs', () => {
  answersAs(extra.pagePathSlugs, pagePathSlugs)
})
