import { forEachYielding } from '../concurrency/for-each.ts'
import { inTimeSlice } from '../concurrency/time-slices.ts'
import type { Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import { DomainError } from '../errors.ts'
import { assertPrecondition, type Precondition, versionOf } from '../preconditions.ts'
import { decodeName } from '../wordpress/formatting/plain-text.ts'
import type { Languages } from '../wordpress/languages/languages.ts'
import { ITEM_META_KEYS, type StoredItem } from '../wordpress/nav-menus/menu-item.ts'
import { lockMenu, lockStoredMenu } from '../wordpress/nav-menus/menu-term.ts'
import { getMenu, type Menu, type MenuScope } from '../wordpress/nav-menus/nav-menu.ts'
import {
  findLastChange,
  readStoredMenu,
  type StoredMenu,
} from '../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import { assertLanguage } from './locations.ts'

/** The menu that a request writes to: the reference, for a location reference its language and theme, and the precondition. */
export type MenuTarget = {
  /** Id, slug or name, or `~` and a location; see `getMenu`. */
  readonly ref: string
  readonly precondition?: Precondition | undefined
} & MenuScope

/**
 * Finds the target menu, locks it until the transaction ends, and checks the precondition under the lock. `lockWholeTarget` also reads its
 * items.
 * @throws DomainError `menu_not_found`, `menu_deleted`, `menu_not_assigned`, `ambiguous_menu`, and for a location reference
 * `unknown_language`, `polylang_inactive`
 * @throws AppError `precondition_failed`
 */
export async function lockTarget(
  tx: Tx,
  site: Site,
  languages: Languages,
  target: MenuTarget,
): Promise<Menu> {
  const { ref, precondition } = target
  const menu = await lockMenu(tx, site, await targetId(tx, site, languages, target))
  if (!menu) throw new DomainError('menu_deleted', { ref })
  if (precondition) {
    const version = (await readMenuVersion(tx, site, menu.id)) ?? ''
    await assertMenuPrecondition(tx, site, menu, version, precondition)
  }
  return menu
}

/** Like `lockTarget`; reads the menu with its items, in one statement. */
export async function lockWholeTarget(
  tx: Tx,
  site: Site,
  languages: Languages,
  target: MenuTarget,
): Promise<StoredMenu> {
  const { ref, precondition } = target
  const stored = await lockStoredMenu(tx, site, await targetId(tx, site, languages, target))
  if (!stored) throw new DomainError('menu_deleted', { ref })
  if (precondition)
    await assertMenuPrecondition(tx, site, stored.menu, await versionOfMenu(stored), precondition)
  return stored
}

async function targetId(
  tx: Tx,
  site: Site,
  languages: Languages,
  { ref, precondition: _, ...scope }: MenuTarget,
): Promise<number> {
  if (/^[~@]/.test(ref) && scope.lang !== undefined) assertLanguage(languages, scope.lang)
  return (await getMenu(tx, site, languages, ref, scope)).id
}

/** The version of the menu with this id; undefined if there is none. */
export async function readMenuVersion(
  db: Db,
  site: Site,
  menuId: number,
): Promise<string | undefined> {
  const stored = await readStoredMenu(db, site, menuId)
  return stored && (await versionOfMenu(stored))
}

/** Items between two readings of the clock; each takes a microsecond. */
const CLOCK_CHECK_INTERVAL = 64

/**
 * The version of a menu: a hash of its name, its slug and the stored columns of its items, so that writes by WordPress change it too.
 * Assignments and the titles of linked pages are not part of it, because a write of the menu cannot overwrite them.
 */
export async function versionOfMenu({
  menu: { id, name, slug },
  items,
}: StoredMenu): Promise<string> {
  const parts: unknown[][] = []
  await forEachYielding(items, (item) => void parts.push(versionParts(item)), CLOCK_CHECK_INTERVAL)
  return inTimeSlice(() => versionOf([id, name, slug, parts]))
}

function versionParts({ row, meta }: StoredItem): unknown[] {
  const { ID, menu_order, post_status, post_title, post_excerpt, post_content } = row
  return [
    ID,
    menu_order,
    post_status,
    post_title,
    post_excerpt,
    post_content,
    ...ITEM_META_KEYS.map((key) => meta.get(key) ?? null),
  ]
}

/**
 * Checks the precondition of a locked menu. The author of the last change is that of the item changed last.
 * @throws AppError `precondition_failed`
 */
async function assertMenuPrecondition(
  tx: Tx,
  site: Site,
  menu: Menu,
  version: string,
  precondition: Precondition,
): Promise<void> {
  const { userId = null, at = null } = (await findLastChange(tx, site, menu)) ?? {}
  const current = { version, updated_by: userId, updated_at_gmt: at }
  assertPrecondition(precondition, `The menu "${decodeName(menu.name)}"`, current)
}
