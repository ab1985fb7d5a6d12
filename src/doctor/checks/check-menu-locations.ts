import type { MenuUse } from '../../wordpress/health/menu-survey.ts'
import { alignThemeMap, unassignMenu } from '../../wordpress/nav-menus/assign-menu.ts'
import { type LocationMaps, readLocationMaps } from '../../wordpress/nav-menus/location-maps.ts'
import { lockMenu } from '../../wordpress/nav-menus/menu-term.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type Fix, formatList, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Do the places of menus name menus that are there, in options that can be read? */
export async function checkLocations(visit: SiteSnapshot): Promise<Problem[]> {
  const { theme, uses: places, unreadable } = await visit.menuAssignments()
  const menus = new Set((await visit.menus()).map(({ id }) => id))
  const dangling = places.filter(({ menuId }) => !menus.has(menuId))
  return [
    ...unreadable.map(damagedOption),
    ...[...new Set(dangling.map(({ menuId }) => menuId))].map((id) =>
      danglingMenu(
        visit.site,
        theme,
        dangling.filter(({ menuId }) => menuId === id),
      ),
    ),
  ]
}

const damagedOption = ({ option, message }: { option: string; message: string }): Problem => ({
  check: 'option_unreadable',
  severity: 'error',
  what: `The option "${option}" is damaged: ${message}.`,
  why: 'WordPress takes it for empty, and with its next write to it all that it held is lost. This service writes nothing to it.',
  mend: 'Restore the option from a backup before anything is saved in wp-admin.',
})

function danglingMenu(site: Site, theme: string, places: readonly MenuUse[]): Problem {
  const menuId = places[0]?.menuId ?? 0
  const isShown = places.some((place) => place.kind !== 'auto_add' && place.theme === theme)
  return {
    check: 'location_dangling',
    severity: isShown ? 'warning' : 'info',
    what: `Menu ${menuId} is gone, and still set ${formatList(places.map(describeAssignment))}.`,
    why: isShown
      ? 'Visitors see no menu there, and nothing in wp-admin says why.'
      : 'It is shown nowhere now, but would be missing once the theme is used.',
    mend: 'Assign another menu there, or let the doctor leave the place empty.',
    remedy: unassignMenuFix(site, menuId),
  }
}

function describeAssignment({ kind, theme, location, lang }: MenuUse): string {
  if (kind === 'auto_add') return 'among the menus that get new pages'
  return `at "${location}" of the theme "${theme}"${lang === null ? '' : ` in "${lang}"`}`
}

function unassignMenuFix(site: Site, menuId: number): Fix {
  return {
    does: `Leaves the places of menu ${menuId} empty; all else in these options stays byte for byte.`,
    apply: ({ db }) =>
      db.write({ site }, async (tx) => {
        if (!(await lockMenu(tx, site, menuId))) await unassignMenu(tx, site, menuId)
      }),
  }
}

/** Where the site has languages: does the theme's map of menus say what Polylang's says of the default one? */
export async function checkLanguageMaps(visit: SiteSnapshot): Promise<Problem[]> {
  const { db, site } = visit
  const { languages } = await visit.data.links()
  const main = languages.default
  if (main === null) return []
  const maps = await readLocationMaps(db, site)
  const { unreadable } = await visit.menuAssignments()
  // What a damaged map says is not known; a menu that is gone is a fault of its own, and no menu here.
  if (unreadable.length > 0) return []
  const menus = new Set((await visit.menus()).map(({ id }) => id))
  const locations = new Set([...maps.byTheme.keys(), ...maps.byLanguage.keys()])
  return [...locations].flatMap((location): Problem[] => {
    const fault = problemAt(maps, location, main, menus)
    if (!fault) return []
    const { mends, ...symptom } = fault
    if (!mends) return [symptom]
    const does = `Writes into the theme's map what Polylang has for "${location}".`
    const apply = () => visit.services.db.write({ site }, (tx) => alignThemeMap(tx, site, location))
    return [{ ...symptom, remedy: { does, apply } }]
  })
}

type MapProblem = Problem & { readonly mends: boolean }

function problemAt(
  { theme, byTheme, byLanguage }: LocationMaps,
  location: string,
  main: string,
  menus: ReadonlySet<number>,
): MapProblem | undefined {
  const there = (id: number | undefined): number => (id !== undefined && menus.has(id) ? id : 0)
  const inTheme = byTheme.get(location)
  const inLanguage = there(byLanguage.get(location)?.get(main))
  const hasMenus = [...(byLanguage.get(location)?.values() ?? [])].some((id) => there(id) > 0)
  const base = { check: 'location_maps_differ', severity: 'warning' } as const
  const at = `"${location}" of the theme "${theme}"`
  if (inTheme === undefined && hasMenus) {
    return {
      ...base,
      what: `Polylang has menus for ${at}, which the theme's own map doesn't know.`,
      why: 'Polylang fills only locations that the map knows: visitors see no menu there, in any language.',
      mend: 'Assign the menu again, or let the doctor enter the location.',
      mends: true,
    }
  }
  if (inLanguage > 0 && inTheme !== inLanguage) {
    return {
      ...base,
      what: `At ${at} Polylang has menu ${inLanguage} for "${main}", the theme's map menu ${inTheme}.`,
      why: "Visitors see Polylang's, wp-admin and a site without Polylang the other.",
      mend: 'Assign the right menu again, or let the doctor enter the one that visitors see.',
      mends: true,
    }
  }
  if (inLanguage === 0 && there(inTheme) > 0) {
    return {
      ...base,
      what: `At ${at} the theme's map has menu ${inTheme}, and Polylang none for "${main}".`,
      why: "Polylang's map counts: visitors see no menu there.",
      mend: `Assign the menu with PUT /menus/${inTheme}/location, or take it off the theme's map.`,
      mends: false,
    }
  }
  return undefined
}
