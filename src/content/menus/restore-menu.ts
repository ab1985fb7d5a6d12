import type { Tx } from '../../db/transaction.ts'
import type { StoredItem } from '../../wordpress/nav-menus/menu-item.ts'
import { insertFormerMenu, renameMenuTerm } from '../../wordpress/nav-menus/menu-term.ts'
import type { StoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import { saveMenuItems } from '../../wordpress/nav-menus/save-menu-items.ts'
import type { Site } from '../../wordpress/network/site.ts'
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
    : await insertFormerMenu(tx, site, { id, termTaxonomyId, name, slug }, fields.others ?? [])
  if (!menu) return undefined
  const old = new Map(before?.items.map((item) => [item.row.ID, item.others ?? []]))
  // Values of plugins are restored with items that were gone; an item that is still there keeps those that it has.
  const former = items.map(({ others: recorded = [], ...item }) => {
    const others = old.get(item.row.ID) ?? recorded
    return others.length > 0 ? { ...item, others } : item
  })
  const restored = await saveMenuItems(tx, site, menu, before?.items ?? [], former, context)
  const others = before ? before.others : fields.others
  const after = { menu, items: restored, ...(others ? { others } : {}) }
  await recordMenu(tx, site, { action: before ? 'replaced' : 'created', before, after })
  return after
}
