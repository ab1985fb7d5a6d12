import type { Database } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { EVENT_KIND, type HistorySite, historyTable } from './history-row.ts'
import { lockNumbers, recordPruned } from './number-changes.ts'
import { DAY_MS, type PruneOptions, timeText } from './prune-history.ts'

/** How long, and how many of each site, the rows stay that only the feed of changes shows. A reader that is further behind gets a `reset`. */
export const EVENTS_KEPT = { days: 7, perSite: 10_000 }

/** Rows that one transaction deletes. */
const BATCH_SIZE = 500

/**
 * Deletes old rows of the kind `event`, in transactions of at most 500. Entries of the history are not touched.
 * @returns the number of deleted rows
 */
export async function pruneEvents(
  db: Database,
  globals: HistorySite['globals'],
  { now, signal }: Pick<PruneOptions, 'now' | 'signal'>,
  { days, perSite }: typeof EVENTS_KEPT = EVENTS_KEPT,
): Promise<number> {
  const history = historyTable(globals)
  const limit = timeText(new Date(now.getTime() - days * DAY_MS))
  const sites = await readRows<{ blog_id: number }>(
    db,
    'SELECT DISTINCT blog_id FROM :history: ORDER BY blog_id',
    { history },
  )
  let deleted = 0
  for (const { blog_id: blogId } of sites) {
    const ofSite =
      "FROM :history: WHERE blog_id = :blogId AND kind = :kind AND ref = '' ORDER BY id"
    const values = { history, blogId, kind: EVENT_KIND, skipped: perSite }
    const [oldest] = await readRows<{ at: string }>(
      db,
      `SELECT created_at AS at ${ofSite} LIMIT 1`,
      values,
    )
    const [beyond] = await readRows<{ id: number }>(
      db,
      `SELECT id ${ofSite} DESC LIMIT 1 OFFSET :skipped`,
      values,
    )
    if (oldest === undefined || (beyond === undefined && oldest.at >= limit)) continue
    const last = { id: beyond?.id ?? 0, limit }
    for (let step = BATCH_SIZE; step === BATCH_SIZE; deleted += step) {
      if (signal?.aborted) return deleted
      step = await db.write({}, (tx) => deleteSome(tx, { blogId, globals }, last))
    }
  }
  return deleted
}

async function deleteSome(
  tx: Tx,
  site: HistorySite,
  last: { readonly id: number; readonly limit: string },
): Promise<number> {
  const history = historyTable(site.globals)
  lockNumbers(tx, site.globals)
  const rows = await readRows<{ id: number; position: number | null }>(
    tx,
    `SELECT id, position FROM :history: WHERE blog_id = :blogId AND kind = :kind AND ref = ''
      AND (id <= :id OR created_at < :limit) ORDER BY id LIMIT ${BATCH_SIZE}`,
    { history, blogId: site.blogId, kind: EVENT_KIND, ...last },
  )
  if (rows.length === 0) return 0
  tx.later('DELETE FROM :history: WHERE id IN (:ids)', { history, ids: rows.map(({ id }) => id) })
  await recordPruned(
    tx,
    site,
    rows.map(({ position }) => position),
  )
  return rows.length
}
