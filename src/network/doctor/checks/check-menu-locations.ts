import { alignThemeMap, unassignMenu } from '../../../content/menus/assign-menu.ts'
import type { Db } from '../../../db/database.ts'
import { readRows } from '../../../db/sql.ts'
import { groupBy } from '../../../host/group-by.ts'
import type { MenuUse } from '../../../wordpress/health/menu-survey.ts'
import { type LocationMaps, readLocationMaps } from '../../../wordpress/nav-menus/location-maps.ts'
import { lockMenu } from '../../../wordpress/nav-menus/menu-term.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import {
  type DoctorServices,
  type Fix,
  formatList,
  found,
  type Problem,
  subject,
} from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that assigned menus exist, and that the options with assignments are readable. */
export async function checkLocations(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { theme, uses, unknownNames, unreadable } = await snapshot.menuAssignments()
  const menus = new Set((await snapshot.menus()).map(({ id }) => id))
  const dangling = uses.filter(({ menuId }) => !menus.has(menuId))
  const others = await readTaxonomies(
    snapshot.db,
    snapshot.site,
    dangling.map(({ menuId }) => menuId),
  )
  return [
    ...unreadable.map(damagedOption),
    ...unknownNames.map(({ name, ...use }) =>
      found(
        'location_dangling',
        `No menu has the slug or the name ${JSON.stringify(name.slice(0, MAX_NAME))}, which is still assigned ${describeAssignment(use)}.`,
        {
          ...(use.theme === theme ? {} : NOT_SHOWN),
          fixHint: 'Assign another menu there, or give a menu this name.',
        },
      ),
    ),
    ...[...groupBy(dangling, ({ menuId }) => menuId)].map(([id, uses]) =>
      danglingMenu(snapshot.site, theme, uses, others.get(id)),
    ),
  ]
}

const damagedOption = ({ option, message }: { option: string; message: string }): Problem =>
  found('option_unreadable', `The option "${option}" is damaged: ${message}.`)

/** Characters of a stored name in a message. */
const MAX_NAME = 100

/** An assignment in a theme that is not active. */
const NOT_SHOWN = {
  severity: 'info',
  impact: 'It has no effect now, but the menu would be missing if the theme were activated.',
} as const

function danglingMenu(
  site: Site,
  theme: string,
  uses: readonly MenuUse[],
  taxonomy: string | undefined,
): Problem {
  const menuId = uses[0]?.menuId ?? 0
  const isShown = uses.some((use) => use.kind !== 'auto_add' && use.theme === theme)
  const fix = {
    summary: `Removes the assignments of menu ${menuId}; the other contents of these options stay unchanged.`,
    apply: ({ db }: DoctorServices) =>
      db.write({ site }, async (tx) => {
        if (!(await lockMenu(tx, site, menuId))) await unassignMenu(tx, site, menuId)
      }),
  }
  return found(
    'location_dangling',
    `Menu ${menuId} does not exist${taxonomy === undefined ? '' : ` (the id is that of a term of the taxonomy "${taxonomy}")`}, but is still assigned ${formatList(uses.map(describeAssignment))}.`,
    { ...(isShown ? {} : NOT_SHOWN), fix },
  )
}

/** The taxonomy of each of these ids that is a term. */
async function readTaxonomies(
  db: Db,
  { tables }: Site,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await readRows<{ term_id: number; taxonomy: string }>(
    db,
    'SELECT term_id, taxonomy FROM :taxonomy: WHERE term_id IN (:ids)',
    { taxonomy: tables.termTaxonomy, ids: [...ids] },
  )
  return new Map(rows.map(({ term_id, taxonomy }) => [term_id, taxonomy]))
}

function describeAssignment({ kind, theme, location, lang }: Omit<MenuUse, 'menuId'>): string {
  if (kind === 'auto_add') return 'as a menu that new pages are added to'
  return `at "${location}" of the theme "${theme}"${lang === null ? '' : ` in "${lang}"`}`
}

/** Checks on a site with languages that the theme's map of menus agrees with Polylang's map for the default language. */
export async function checkLanguageMaps(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { db, site } = snapshot
  const { languages } = await snapshot.data.links()
  const defaultLang = languages.default
  if (defaultLang === null) return []
  const maps = await readLocationMaps(db, site)
  const { unreadable } = await snapshot.menuAssignments()
  // A damaged map has its own finding, and so has a missing menu, which counts as no menu here.
  if (unreadable.length > 0) return []
  const menus = new Set((await snapshot.menus()).map(({ id }) => id))
  const locations = new Set([...maps.byTheme.keys(), ...maps.byLanguage.keys()])
  return [...locations].flatMap((location): Problem[] => {
    const summary = `Copies Polylang's menu for "${location}" into the theme's map.`
    const apply = () =>
      snapshot.services.db.write({ site }, (tx) => alignThemeMap(tx, site, location))
    const problem = problemAt(maps, location, defaultLang, { menus, fix: { summary, apply } })
    return problem ? [problem] : []
  })
}

function problemAt(
  { theme, byTheme, byLanguage }: LocationMaps,
  location: string,
  defaultLang: string,
  { menus, fix }: { readonly menus: ReadonlySet<number>; readonly fix: Fix },
): Problem | undefined {
  const existing = (id: number | undefined): number => (id !== undefined && menus.has(id) ? id : 0)
  const inTheme = byTheme.get(location)
  const inLanguage = existing(byLanguage.get(location)?.get(defaultLang))
  const hasMenus = [...(byLanguage.get(location)?.values() ?? [])].some((id) => existing(id) > 0)
  const at = `"${location}" of the theme "${theme}"`
  if (inTheme === undefined && hasMenus)
    return found(
      'location_maps_differ',
      `Polylang has menus for ${at}, which is missing in the theme's map.`,
      {
        impact:
          "Polylang only fills locations that the theme's map contains: visitors see no menu there, in any language.",
        fixHint: 'Assign the menu again, or run "doctor --fix" to add the location.',
        fix,
      },
    )
  if (inLanguage > 0 && inTheme !== inLanguage)
    return found(
      'location_maps_differ',
      `At ${at}, Polylang has menu ${inLanguage} for "${defaultLang}", but the theme's map has menu ${inTheme}.`,
      {
        impact:
          "Visitors see Polylang's menu; wp-admin, and the site without Polylang, show the other.",
        fix,
      },
    )
  if (inLanguage > 0 || existing(inTheme) === 0) return undefined
  return found(
    'location_maps_differ',
    `At ${at}, the theme's map has menu ${inTheme}, but Polylang has none for "${defaultLang}".`,
    {
      about: subject('menu', existing(inTheme)),
      impact: "Polylang's map takes precedence: visitors see no menu there.",
      fixHint: "Assign the menu there, or remove it from the theme's map.",
    },
  )
}
