import { assignMenu, setLocations, type WantedLocation } from '../../content/menus/assign-menu.ts'
import { readMenuName } from '../../content/menus/menu-names.ts'
import { saveMenu } from '../../content/menus/save-menu.ts'
import type { WriteContext } from '../../content/menus/write-context.ts'
import { writeTree } from '../../content/menus/write-items.ts'
import { createMenu, deleteMenu } from '../../content/menus/write-menu.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { MenuWrite, PlannedMenus } from './plan-menus.ts'

/**
 * Writes the planned menus and their locations. The caller has locked the names and the menus. Deletions and renames come first: the plan
 * has checked that all names and slugs are unique in the end, so that new menus find theirs free.
 */
export async function writePlannedMenus(
  tx: Tx,
  site: Site,
  { writes, deletions, locations, context }: PlannedMenus,
): Promise<void> {
  if (!context) return
  const { languages } = context.links
  for (const { id } of deletions) await deleteMenu(tx, site, languages, { ref: String(id) })
  const existing = writes.filter(({ before }) => before !== undefined)
  for (const write of existing) await rewriteMenu(tx, site, write, context)
  const created = new Map<string, number>()
  for (const { before, menu, slug } of writes) {
    if (before) continue
    const { tree, name, allowInvalid = false } = menu
    const wanted = { tree, allowInvalid, name: readMenuName(name), assignment: undefined }
    const { warnings, ...made } = await createMenu(tx, site, { ...wanted, slug }, context)
    const renamed = warnings.filter((warning) => warning !== 'location_filled')
    created.set(slug, made.menu.id)
    if (renamed.length > 0) throw new Error(`menu "${slug}" got another name: ${renamed}`)
  }
  for (const { slug, menuId = created.get(slug) ?? 0, assignment } of locations.assigned)
    await assignMenu(tx, site, languages, menuId, assignment)
  await setLocations(
    tx,
    site,
    locations.cleared.flatMap(({ theme, location, lang }): WantedLocation[] => [
      // The location stays registered in the map of the theme, as when its menu is deleted.
      ...(lang === languages.default ? [{ at: { theme, location, lang: null }, menuId: 0 }] : []),
      ...(lang === null ? [] : [{ at: { theme, location, lang }, menuId: undefined }]),
    ]),
  )
}

async function rewriteMenu(
  tx: Tx,
  site: Site,
  { before, name, slug, difference }: MenuWrite,
  context: WriteContext,
): Promise<void> {
  if (!before) return
  const isRenamed = before.menu.name !== name || before.menu.slug !== slug
  const menu = isRenamed ? { ...before.menu, name, slug } : before.menu
  if (difference) await writeTree(tx, site, before, difference, context, menu)
  else await saveMenu(tx, site, before, { ...before, menu })
}
