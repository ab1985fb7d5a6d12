import type { Tx } from '../db/transaction.ts'
import { deleteMenuItems } from '../wordpress/nav-menus/delete-menu-items.ts'
import type { StoredItem } from '../wordpress/nav-menus/menu-item.ts'
import {
  deleteMenuTerm,
  insertFormerMenu,
  renameMenuTerm,
} from '../wordpress/nav-menus/menu-term.ts'
import type { StoredMenu } from '../wordpress/nav-menus/read-menu.ts'
import {
  readOtherMeta,
  restoreMenuItems,
  storeOtherMeta,
} from '../wordpress/nav-menus/restore-menu-items.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type MenuFields, recordMenu } from './menu-history.ts'
import type { WriteContext } from './write-context.ts'

/** A menu as the history has it. */
export type FormerMenu = {
  readonly id: number
  readonly fields: MenuFields
  readonly items: readonly StoredItem[]
}

/**
 * Gives a menu its former names and items, or creates it again with its former id.
 * @param before the menu, locked; undefined if it does not exist
 * @returns undefined if the menu does not exist and its id belongs to another term
 */
export async function restoreMenu(
  tx: Tx,
  site: Site,
  before: StoredMenu | undefined,
  { id, fields, items }: FormerMenu,
  context: WriteContext,
): Promise<StoredMenu | undefined> {
  const { name, slug, term_taxonomy_id: termTaxonomyId } = fields
  const menu = before
    ? renameMenuTerm(tx, site, before.menu, { name, slug })
    : await insertFormerMenu(tx, site, { id, termTaxonomyId, name, slug })
  if (!menu) return undefined
  const old = before?.items.map(({ row }) => row.ID) ?? []
  // The history has no values of plugins; those of items that are still there stay.
  const others = await readOtherMeta(tx, site, old)
  await deleteMenuItems(tx, site, old)
  const restored = await restoreMenuItems(tx, site, menu, items, context)
  await storeOtherMeta(tx, site, restored, others)
  const after = { menu, items: restored }
  await recordMenu(tx, site, { action: before ? 'replaced' : 'created', before, after })
  return after
}

/** Deletes a menu that did not exist. The caller has locked it; its assignments are restored by themselves. */
export async function removeMenu(tx: Tx, site: Site, before: StoredMenu): Promise<void> {
  await deleteMenuItems(
    tx,
    site,
    before.items.map(({ row }) => row.ID),
  )
  deleteMenuTerm(tx, site, before.menu)
  await recordMenu(tx, site, { action: 'deleted', before, after: undefined })
}
