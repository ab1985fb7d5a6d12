import { SerializedError } from '#php-serialized'
import {
  assignmentOptions,
  isAssigned,
  type MenuAssignment,
} from '../../content/menus/assign-menu.ts'
import { locationRef } from '../../content/menus/location-history.ts'
import { isThemeName, LOCATIONS } from '../../content/menus/location-names.ts'
import { readAssignment } from '../../content/menus/locations.ts'
import { formatLocation, type PortableAssignment } from '../../content/menus/portable-menu.ts'
import type { Db } from '../../db/database.ts'
import { AppError, type ErrorCode } from '../../host/errors.ts'
import type { Languages } from '../../wordpress/languages/languages.ts'
import {
  type LocationMaps,
  menuIdAt,
  readLocationMaps,
} from '../../wordpress/nav-menus/location-maps.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOptions } from '../../wordpress/options/read-options.ts'
import type { DesiredMenu, Ownership } from '../description/desired-site.ts'
import { assignmentStep, type PlanProblem, type Step } from './site-plan.ts'

/** A described menu, with the menu that it is now. */
export type MatchedMenu = {
  readonly wanted: DesiredMenu
  readonly slug: string
  readonly current: Menu | undefined
}

/** A location that gets a menu. */
type LocationWrite = {
  /** Slug of the menu after the plan. */
  readonly slug: string
  /** Undefined for a menu that the plan creates. */
  readonly menuId: number | undefined
  readonly assignment: MenuAssignment
}

export type PlannedLocations = {
  readonly assigned: readonly LocationWrite[]
  /** Locations that show a described menu without being described. */
  readonly cleared: readonly MenuAssignment[]
  /** The themes whose locations are described or managed. */
  readonly themes: readonly string[]
  readonly steps: readonly Step[]
  readonly problems: readonly PlanProblem[]
}

type Menus = {
  readonly matched: readonly MatchedMenu[]
  readonly deletions: readonly Menu[]
  /** All menus of the site. */
  readonly menus: readonly Menu[]
  /** The active one; '' for none. */
  readonly theme: string
  readonly manages: Ownership
}

/** Compares the locations of menus with the described ones. Locations that the service does not assign are left alone. */
export async function planLocations(
  db: Db,
  site: Site,
  languages: Languages,
  { matched, deletions, menus, theme: active, manages }: Menus,
): Promise<PlannedLocations> {
  const wanted = new Map<string, { readonly menu: MatchedMenu; readonly at: MenuAssignment }>()
  const assigned: LocationWrite[] = []
  const cleared: MenuAssignment[] = []
  const steps: Step[] = []
  const problems: PlanProblem[] = []
  const nameOf = ({ location, lang, theme }: MenuAssignment): string =>
    formatLocation({
      location,
      lang: lang ?? languages.default ?? undefined,
      theme: theme === active ? undefined : theme,
    })
  for (const menu of matched) {
    for (const location of menu.wanted.locations) {
      const at = await readDescribed(db, site, { languages, active }, location, problems)
      const name = at && nameOf(at)
      if (!at || name === undefined) continue
      const other = wanted.get(name)?.menu
      if (other && other !== menu) {
        const message = `The description assigns "${other.slug}" and "${menu.slug}" to this location.`
        problems.push({ kind: 'location', name, reason: 'location_taken', message })
      } else wanted.set(name, { menu, at })
    }
  }
  const themes = new Set([active, ...[...wanted.values()].map(({ at }) => at.theme)])
  // All of them share a statement. A damaged option is an error only if its maps are needed.
  const readMaps = (theme: string): Promise<LocationMaps> => {
    const reading = readLocationMaps(db, site, theme)
    reading.catch(() => {})
    return reading
  }
  const reading = new Map([...themes].map((theme) => [theme, readMaps(theme)]))
  const mapsOf = (theme: string) => reading.get(theme) ?? readMaps(theme)
  const options = await readOptions(db, site, [...themes].flatMap(assignmentOptions))
  const slugs = new Map(menus.map(({ id, slug }) => [id, slug]))
  const add = async (at: MenuAssignment, to: string | undefined): Promise<void> => {
    const maps = await mapsOf(at.theme)
    const from = slugs.get(menuIdAt(maps, languages, at.location, at.lang))
    const ref = locationRef({ ...at, lang: at.lang ?? languages.default })
    steps.push(assignmentStep({ kind: 'location', name: nameOf(at), ref }, from, to))
  }
  for (const [name, { menu, at }] of wanted) {
    try {
      const { current } = menu
      // Also for a new menu: a damaged option is a problem before it is written.
      const isStored = isAssigned(options, languages, current?.id ?? 0, at)
      if (current && isStored) continue
      if (current && at.theme !== active && isInThemeMap(await mapsOf(at.theme), at, current.id))
        continue
    } catch (error) {
      if (!(error instanceof SerializedError)) throw error
      const message = `The option that stores this location is damaged: ${error.message}.`
      problems.push({ kind: 'location', name, reason: 'option_damaged', message })
      continue
    }
    assigned.push({ slug: menu.slug, menuId: menu.current?.id, assignment: at })
    await add(at, menu.slug)
  }
  if (manages === 'all') {
    const maps = await mapsOf(active)
    const kept = new Set(menus.filter((menu) => !deletions.includes(menu)).map(({ id }) => id))
    const codes = languages.list.length > 0 ? languages.list.map(({ slug }) => slug) : [null]
    for (const location of LOCATIONS) {
      for (const lang of codes) {
        const at = { theme: active, location, lang }
        if (wanted.has(nameOf(at)) || !kept.has(menuIdAt(maps, languages, location, lang))) continue
        cleared.push(at)
        await add(at, undefined)
      }
    }
  }
  const isManaged = wanted.size > 0 || manages === 'all'
  return { assigned, cleared, themes: isManaged ? [...themes] : [], steps, problems }
}

/** Polylang's map may lack an inactive theme; the theme's own map still counts, without a language. */
function isInThemeMap(
  { byTheme, byLanguage }: LocationMaps,
  { location, lang }: MenuAssignment,
  menuId: number,
): boolean {
  return lang === null && byTheme.get(location) === menuId && !byLanguage.has(location)
}

/** The location that a description names on this site; undefined with a problem if the site has none. */
async function readDescribed(
  db: Db,
  site: Site,
  { languages, active }: { readonly languages: Languages; readonly active: string },
  location: PortableAssignment,
  problems: PlanProblem[],
): Promise<MenuAssignment | undefined> {
  // What is wrong with the name of a theme, the assignment finds.
  const theme = location.theme ?? (isThemeName(active) ? active : undefined)
  try {
    return await readAssignment(db, site, languages, { ...location, theme })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const name = formatLocation(location)
    problems.push({
      kind: 'location',
      name,
      reason: REASONS[error.code] ?? error.code,
      message: refusal(error, languages),
    })
    return undefined
  }
}

/** In problems of plans, the codes that say less than they could here. */
const REASONS: { readonly [Code in ErrorCode]?: string } = {
  menu_assignment_not_stored: 'theme_option_invalid',
}

function refusal({ code }: AppError, { list }: Languages): string {
  if (code === 'unknown_location') return `Menus can be assigned to ${LOCATIONS.join(', ')}.`
  if (code === 'polylang_inactive') return 'Polylang is not active on this site.'
  if (code === 'unknown_language')
    return `The languages of this site: ${list.map(({ slug }) => slug).join(', ') || 'none'}.`
  return 'The option "stylesheet" of this site is not the name of a theme.'
}
