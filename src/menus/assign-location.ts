import type { Change } from '../change.ts'
import type { Tx } from '../db/transaction.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import { type MenuAssignment, assignMenu } from '../wordpress/nav-menus/assign-menu.ts'
import type { Menu } from '../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-options.ts'
import { type MenuTarget, lockTarget } from './menu-target.ts'
import { MENU_CHANGE } from './write-context.ts'

export type AssignedMenu = {
  readonly menu: Menu
  readonly warnings: readonly string[]
  readonly change: Change
}

/**
 * Sets a menu at a location (contract, section 4.2.5).
 * @throws AppError `menu_assignment_not_stored` with `read_back`, and what `lockTarget` throws
 */
export async function assignLocation(
  tx: Tx,
  site: Site,
  languages: Languages,
  target: MenuTarget,
  place: MenuAssignment,
): Promise<AssignedMenu> {
  const menu = await lockTarget(tx, site, languages, target)
  await assignMenu(tx, site, languages, menu.id, place)
  // WordPress finishes a switch of themes at its next request, and then puts the old theme's menus in place (wp_map_nav_menu_locations).
  const isSwitching = ((await readOption(tx, site, 'theme_switched')) ?? '') !== ''
  return { menu, warnings: isSwitching ? ['theme_switch_pending'] : [], change: MENU_CHANGE }
}
