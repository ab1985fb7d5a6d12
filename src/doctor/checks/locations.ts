import type { MenuUse } from '../../wordpress/health/menu-survey.ts'
import { unassignMenu } from '../../wordpress/nav-menus/assign-menu.ts'
import { lockMenu } from '../../wordpress/nav-menus/menu-term.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type Fix, type Problem, formatList } from '../finding.ts'
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
      db.transaction(async (tx) => {
        if (!(await lockMenu(tx, site, menuId))) await unassignMenu(tx, site, menuId)
      }, site),
  }
}
