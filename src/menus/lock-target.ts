import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Precondition } from '../expectation.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import { type Menu, type MenuScope, getMenu } from '../wordpress/nav-menus/nav-menu.ts'
import { lockMenu } from '../wordpress/nav-menus/menu-term.ts'
import type { Site } from '../wordpress/network/site.ts'
import { assertMenuPrecondition } from './menu-version.ts'
import { assertLanguage } from './place.ts'

/** How a request names its menu: `{ref}`, and for a location which language's and which theme's; and how it expects it to be. */
export type MenuTarget = {
  readonly ref: string
  readonly precondition?: Precondition | undefined
} & MenuScope

/**
 * The menu of `{ref}`, locked until the transaction ends.
 * @throws AppError `menu_not_found`, also for one that is deleted meanwhile; `menu_not_assigned`, `ambiguous_menu`, `precondition_failed`, and for
 * a location `unknown_language`, `polylang_inactive`
 */
export async function lockTarget(
  tx: Tx,
  site: Site,
  languages: Languages,
  { ref, precondition: expected, ...scope }: MenuTarget,
): Promise<Menu> {
  if (/^[~@]/.test(ref) && scope.lang !== undefined) assertLanguage(languages, scope.lang)
  const { id } = await getMenu(tx, site, languages, ref, scope)
  const menu = await lockMenu(tx, site, id)
  if (!menu) throw new AppError('menu_not_found', `This site has no menu "${ref}" any more.`)
  if (expected) await assertMenuPrecondition(tx, site, menu, expected)
  return menu
}
