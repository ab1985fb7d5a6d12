import type { Change } from '../content/work/change.ts'
import { type RecordedChange, recordChange } from '../content/work/record-work.ts'
import type { Database } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { Site } from '../wordpress/network/site.ts'
import { writtenRows } from '../wordpress/written-rows.ts'
import { markOptionsSeen } from './seen-options.ts'
import { markItemsSeen, markLinkedPostsSeen, markMetasSeen } from './seen-posts.ts'
import { markLinkedTermsSeen, markMenusSeen } from './seen-terms.ts'

export type ChangeWriteOptions = { readonly site: Site; readonly dryRun?: boolean | undefined }

/**
 * Runs a write that returns a `Change` in one transaction, and records it as the last step. A dry run records it too, and rolls everything
 * back.
 */
export function writeChange<T extends { readonly change: Change }>(
  db: Database,
  { site, dryRun }: ChangeWriteOptions,
  write: (tx: Tx) => Promise<T>,
): Promise<T & { readonly change: RecordedChange }> {
  return db.write({ site, dryRun }, async (tx) => {
    const written = await write(tx)
    markSeen(tx, site)
    return { ...written, change: await recordChange(tx, site, written.change) }
  })
}

/**
 * Marks what this transaction has written as seen: the write records what follows from it, and no comparison must find it again. A site that
 * was never compared is left alone.
 */
export function markSeen(tx: Tx, site: Site): void {
  const { options, metas, items, linked, menus } = writtenRows(tx, site)
  markOptionsSeen(tx, site, options)
  markMetasSeen(
    tx,
    site,
    [...metas].filter((id) => !items.has(id)),
  )
  markItemsSeen(tx, site, items)
  markLinkedPostsSeen(tx, site, [...linked])
  markLinkedTermsSeen(tx, site, [...linked])
  if (menus.size > 0) markMenusSeen(tx, site, [...menus])
}
