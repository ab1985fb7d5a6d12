import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { findLanguage, type Languages } from '../wordpress/languages/languages.ts'
import type { MenuAssignment } from '../wordpress/nav-menus/assign-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-options.ts'

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

/** A place as it was sent; without a theme the site's own. */
export type AssignmentFields = {
  readonly location?: unknown
  readonly lang?: unknown
  readonly theme?: string | undefined
}

/**
 * The place at which a menu is to be set.
 * @throws AppError `location_required`, `unknown_location`, `unknown_language`, `polylang_inactive`, `menu_assignment_not_stored`
 */
export async function readAssignment(
  db: Db,
  site: Site,
  languages: Languages,
  { location, lang, theme }: AssignmentFields,
): Promise<MenuAssignment> {
  if (location === undefined || location === '') {
    throw new AppError(
      'location_required',
      'Name the location in "location". A menu cannot be taken off a location here: set another one there.',
    )
  }
  assertLocation(location)
  if (lang !== undefined) assertLanguage(languages, lang)
  return { location, lang: lang ?? null, theme: theme ?? (await readActiveTheme(db, site)) }
}

/** @throws AppError `menu_assignment_not_stored` where no option can bear the theme's name */
async function readActiveTheme(db: Db, site: Site): Promise<string> {
  const theme = (await readOption(db, site, 'stylesheet')) ?? ''
  if (theme === '' || isThemeName(theme)) return theme
  throw new AppError(
    'menu_assignment_not_stored',
    `The site's option "stylesheet" is no name of a theme's folder (${theme.length} characters), so no option has its locations. Choose a theme in WordPress, or name one in "theme".`,
    { read_back: { stylesheet: null } },
  )
}
