import type { Change } from '../change.ts'
import type { Tx } from '../db/transaction.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import { deleteMenuItems } from '../wordpress/nav-menus/delete-menu-items.ts'
import { findItemIds } from '../wordpress/nav-menus/read-menu.ts'
import { type RemovedAssignment, unassignMenu } from '../wordpress/nav-menus/assign-menu.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import { deleteMenuTerm } from '../wordpress/nav-menus/menu-term.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type MenuTarget, lockTarget } from './menu-target.ts'
import { MENU_CHANGE } from './write-context.ts'

export type DeletedMenu = {
  readonly menu: Menu
  /** Ids of its items. */
  readonly removed: readonly number[]
  /** Where it was set, in all themes and languages. */
  readonly freed: readonly RemovedAssignment[]
  readonly change: Change
}

/** Deletes a menu with its items and takes it off its places (contract, section 4.2.4). */
export async function deleteMenu(
  tx: Tx,
  site: Site,
  languages: Languages,
  target: MenuTarget,
): Promise<DeletedMenu> {
  const menu = await lockTarget(tx, site, languages, target)
  const places = await unassignMenu(tx, site, menu.id)
  const removed = await findItemIds(tx, site, menu)
  await deleteMenuItems(tx, site, removed)
  await deleteMenuTerm(tx, site, menu)
  return { menu, removed, freed: visibleAssignments(places, languages), change: MENU_CHANGE }
}

/** The places that people know: Polylang's default language stands in the theme's map too, with now and then some `header___fr`. */
function visibleAssignments(
  places: readonly RemovedAssignment[],
  languages: Languages,
): RemovedAssignment[] {
  const isTwin = ({ theme, location, lang }: RemovedAssignment): boolean =>
    lang === null &&
    places.some(
      (other) =>
        other.theme === theme && other.location === location && other.lang === languages.default,
    )
  return places.filter(
    (place) => !place.location.includes('___') && (languages.default === null || !isTwin(place)),
  )
}
