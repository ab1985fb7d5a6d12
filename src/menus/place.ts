import { AppError } from '../errors.ts'
import { type Languages, findLanguage } from '../wordpress/languages/languages.ts'

/** The locations that a menu can be set at (contract, section 2.5). */
export const LOCATIONS = ['header', 'footer_1', 'footer_2', 'footer_3'] as const

/** @throws AppError `unknown_location` with `locations` */
export function assertLocation(location: unknown): asserts location is string {
  if (LOCATIONS.some((known) => known === location)) return
  throw new AppError(
    'unknown_location',
    `There is no such location. A menu can be set at ${LOCATIONS.join(', ')}.`,
    { locations: LOCATIONS },
  )
}

/** @throws AppError `polylang_inactive` on a site without Polylang; `unknown_language` with `languages` */
export function assertLanguage(languages: Languages, lang: unknown): asserts lang is string {
  if (!languages.active) {
    throw new AppError(
      'polylang_inactive',
      'Polylang is not active on this site, so its menus have no languages. Leave "lang" out.',
    )
  }
  if (typeof lang === 'string' && findLanguage(languages, lang)) return
  const codes = languages.list.map(({ slug }) => slug)
  throw new AppError(
    'unknown_language',
    `This site has no such language. It has ${codes.join(', ') || 'none'}.`,
    { languages: codes },
  )
}

/** Whether a text may be a theme's `stylesheet`, the name of its folder: an option has 191 characters for it behind `theme_mods_`. */
export function isThemeName(text: string): boolean {
  return /^[^\p{Cc}\p{Cs}\u{10000}-\u{10ffff}]{1,180}$/u.test(text)
}
