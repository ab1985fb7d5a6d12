import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import { assertPrecondition, type Precondition, versionOf } from '../preconditions.ts'
import { decodeName } from '../wordpress/formatting/plain-text.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import { ITEM_META_KEYS, type StoredItem } from '../wordpress/nav-menus/menu-item.ts'
import { lockMenu } from '../wordpress/nav-menus/menu-term.ts'
import { getMenu, type Menu, type MenuScope } from '../wordpress/nav-menus/nav-menu.ts'
import {
  findLastChange,
  readStoredMenu,
  type StoredMenu,
} from '../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import { assertLanguage } from './locations.ts'

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

/** The version of the menu with this id; undefined where there is none. */
export async function readMenuVersion(
  db: Db,
  site: Site,
  menuId: number,
): Promise<string | undefined> {
  const stored = await readStoredMenu(db, site, menuId)
  return stored && versionOfMenu(stored)
}

/**
 * The version of a menu: of its names and of all that is stored of its items, WordPress's writes among it. Where it is set is not part of
 * it, nor what the linked pages are called: no write of the menu replaces that.
 */
export function versionOfMenu({ menu: { id, name, slug }, items }: StoredMenu): string {
  return versionOf([id, name, slug, items.map(versionParts)])
}

function versionParts({ row, meta }: StoredItem): unknown[] {
  const { ID, menu_order, post_status, post_title, post_excerpt, post_content } = row
  return [
    ...[ID, menu_order, post_status, post_title, post_excerpt, post_content],
    ...ITEM_META_KEYS.map((key) => meta.get(key) ?? null),
  ]
}

/**
 * Of a menu that is held.
 * @throws AppError `precondition_failed`; who changed it last is known by the item that was
 */
export async function assertMenuPrecondition(
  tx: Tx,
  site: Site,
  menu: Menu,
  expected: Precondition,
): Promise<void> {
  const version = (await readMenuVersion(tx, site, menu.id)) ?? ''
  const { userId = null, at = null } = (await findLastChange(tx, site, menu)) ?? {}
  const standing = { version, updated_by: userId, updated_at_gmt: at }
  assertPrecondition(expected, `The menu "${decodeName(menu.name)}"`, standing)
}
