import type { Db } from '../../db/database.ts'
import type { Tx } from '../../db/transaction.ts'
import { mapYielding } from '../../host/concurrency/for-each.ts'
import { inTimeSlice } from '../../host/concurrency/time-slices.ts'
import { AppError } from '../../host/errors.ts'
import { assertPrecondition, type Precondition, versionOf } from '../../host/preconditions.ts'
import { readHistoryAhead } from '../../record/history/record-history.ts'
import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import type { Languages } from '../../wordpress/languages/languages.ts'
import { readRelatedMenus } from '../../wordpress/nav-menus/delete-menu-items.ts'
import { getMenu, type MenuScope } from '../../wordpress/nav-menus/find-menu.ts'
import { readItemSlugs } from '../../wordpress/nav-menus/insert-menu-items.ts'
import { ITEM_META_KEYS, type StoredItem } from '../../wordpress/nav-menus/menu-item.ts'
import { lockMenu, lockStoredMenu } from '../../wordpress/nav-menus/menu-term.ts'
import type { Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import {
  findLastChange,
  readStoredMenu,
  type StoredMenu,
} from '../../wordpress/nav-menus/read-menu.ts'
import type { ItemReads } from '../../wordpress/nav-menus/save-menu-items.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { idIn } from '../../wordpress/stored-value.ts'

/** The menu that a request writes to: the reference, for a location reference its language and theme, and the precondition. */
export type MenuTarget = {
  /** Id, slug or name, or `~` and a location; see `getMenu`. */
  readonly ref: string
  readonly precondition?: Precondition | undefined
} & MenuScope

/** A menu that a write has locked. */
export type LockedMenu = StoredMenu & {
  /** What the write of its items depends on [read from the tables]. */
  readonly known?: ItemReads
  /** Its term has just been inserted, with a new id or with its former one [it existed]. */
  readonly inserted?: 'new' | 'former'
}

/** What a write needs. It is read in the packet of the lock. */
type LockReads = {
  /** For a location reference [read from the tables]. */
  readonly languages?: Languages | Promise<Languages>
  /** It deletes items [false]. */
  readonly deletes?: boolean
  /** It inserts items [false]. */
  readonly inserts?: boolean
}

/**
 * Finds the target menu, locks it until the transaction ends, and checks the precondition under the lock. `lockWholeTarget` also reads its
 * items.
 * @throws AppError `precondition_failed`, and those of `getMenu`
 */
export async function lockTarget(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  languages: Languages,
): Promise<Menu> {
  const { precondition } = target
  const menu = await lockFound(tx, site, target, languages, (id) => lockMenu(tx, site, id))
  if (precondition) {
    const version = (await readMenuVersion(tx, site, menu.id)) ?? ''
    await assertMenuPrecondition(tx, site, menu, version, precondition)
  }
  return menu
}

/** Like `lockTarget`; reads the menu with its items, and the entry of the history that its write is compared with. */
export async function lockWholeTarget(
  tx: Tx,
  site: Site,
  target: MenuTarget,
  { languages, deletes, inserts }: LockReads = {},
): Promise<LockedMenu> {
  const { precondition } = target
  const locked = await lockFound(tx, site, target, languages, async (id) => {
    const [stored, menus, slugs] = await Promise.all([
      lockStoredMenu(tx, site, id),
      deletes ? readRelatedMenus(tx, site, id) : undefined,
      inserts ? readItemSlugs(tx, site) : undefined,
      // What its write is compared with.
      readHistoryAhead(tx, site, [{ kind: 'menu', ref: String(id) }]),
    ])
    return stored && { ...stored, known: { menus, slugs } }
  })
  if (precondition)
    await assertMenuPrecondition(tx, site, locked.menu, await versionOfMenu(locked), precondition)
  return locked
}

/** Locks the menu that a reference names. Digits are an id first, as in `findMenus`, so the lock itself shows whether there is such a menu. */
async function lockFound<T>(
  tx: Tx,
  site: Site,
  { ref, ...scope }: MenuTarget,
  languages: Languages | Promise<Languages> | undefined,
  lock: (id: number) => Promise<T | undefined>,
): Promise<T> {
  const locked = /^\d+$/.test(ref) ? await lock(idIn(ref)) : undefined
  if (locked) return locked
  const { id } = await getMenu(tx, site, ref, scope, languages)
  const found = await lock(id)
  if (!found) throw menuDeleted(ref)
  return found
}

export const menuDeleted = (ref: string): AppError =>
  new AppError('menu_not_found', `The menu "${ref}" was deleted while this request ran.`)

/** The version of the menu with this id; undefined if there is none. */
export async function readMenuVersion(
  db: Db,
  site: Site,
  menuId: number,
): Promise<string | undefined> {
  const stored = await readStoredMenu(db, site, menuId)
  return stored && (await versionOfMenu(stored))
}

/**
 * The version of a menu: a hash of its name, its slug and the stored columns of its items, so that writes by WordPress change it too.
 * Assignments and the titles of linked pages are not part of it, because a write of the menu cannot overwrite them.
 */
export async function versionOfMenu({
  menu: { id, name, slug },
  items,
}: StoredMenu): Promise<string> {
  const parts = await mapYielding(items, versionParts)
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
export async function assertMenuPrecondition(
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
