import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import type { MenuAssignment } from '../wordpress/nav-menus/assign-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-options.ts'
import { assertLanguage, assertLocation, isThemeName } from './place.ts'

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
