import { inBatches } from '../../db/sql.ts'
import { deleteOrphanedItems } from '../../wordpress/nav-menus/delete-menu-items.ts'
import { FIX_BATCH_SIZE, type Fix, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** An item is made first and put into its menu then: a younger one may be on its way. */
const MIN_ITEM_AGE_MS = 3_600_000

/**
 * Are there published menu items in no menu? Drafts without one are wp-admin's, which makes them while a menu is edited and clears them
 * away itself (_wp_delete_orphaned_draft_menu_items, nav-menu.php).
 */
export async function checkOrphanedItems(visit: SiteSnapshot): Promise<Problem[]> {
  const latest = new Date(visit.startedAt.getTime() - MIN_ITEM_AGE_MS)
  const before = latest.toISOString().slice(0, 19).replace('T', ' ')
  const strays = [...(await visit.items()).items.values()].filter(
    ({ menus, status, modifiedGmt }) =>
      menus.length === 0 && status === 'publish' && modifiedGmt < before,
  )
  const ids = strays.map(({ id }) => id)
  const remedy: Fix = {
    does: `Deletes the menu items that are in no menu.`,
    apply: async ({ db }) => {
      for (const batch of inBatches(ids, FIX_BATCH_SIZE))
        await db.transaction((tx) => deleteOrphanedItems(tx, visit.site, batch), visit.site)
    },
  }
  return ids.map((id) => ({
    check: 'item_without_menu',
    severity: 'warning',
    what: `Item ${id} is published and in no menu.`,
    why: 'Nobody sees it and wp-admin shows it nowhere: it is what an interrupted deletion left.',
    mend: 'Let the doctor delete it.',
    remedy,
  }))
}
