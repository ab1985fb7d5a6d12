import type { Db } from '../../db/database.ts'
import { AppError, errorOf } from '../../host/errors.ts'
import { assertLanguage, type Languages } from '../../wordpress/languages/languages.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import type { MenuAssignment } from './assign-menu.ts'
import { isThemeName, LOCATIONS } from './location-names.ts'

export const unknownLocation = (): AppError => errorOf('unknown_location', { locations: LOCATIONS })

/** @throws AppError `unknown_location` */
export function assertLocation(location: unknown): asserts location is string {
  if (!LOCATIONS.some((name) => name === location)) throw unknownLocation()
}

/** An assignment as sent. The default theme is the active one. */
type AssignmentInput = {
  readonly location?: unknown
  readonly lang?: string | undefined
  readonly theme?: string | undefined
}

/**
 * Validates an assignment and fills in the theme.
 * @param languages if they are still being read, the theme is read at the same time
 * @throws AppError `unknown_location`, `unknown_language`, `polylang_inactive`, `menu_assignment_not_stored`
 */
export async function readAssignment(
  db: Db,
  site: Site,
  languages: Languages | Promise<Languages>,
  { location, lang, theme }: AssignmentInput,
): Promise<MenuAssignment> {
  assertLocation(location)
  const [known, stylesheet] = await Promise.all([
    languages,
    theme ?? readOption(db, site, 'stylesheet'),
  ])
  if (lang !== undefined) assertLanguage(known, lang)
  if (theme === undefined) assertThemeName(stylesheet)
  return { location, lang: lang ?? null, theme: stylesheet ?? '' }
}

/** @throws AppError `menu_assignment_not_stored` if no option name can contain the theme's name */
function assertThemeName(theme = ''): void {
  if (theme === '' || isThemeName(theme)) return
  throw new AppError(
    'menu_assignment_not_stored',
    `The site's option "stylesheet" is not the name of a theme folder (${theme.length} characters), so no option stores its locations. Choose a theme in WordPress, or send its name in "theme".`,
    { read_back: { stylesheet: null } },
  )
}
