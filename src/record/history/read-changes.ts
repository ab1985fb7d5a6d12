import type { Db } from '../../db/database.ts'
import { inBatches, readRows } from '../../db/sql.ts'
import { groupBy } from '../../host/group-by.ts'
import { sha256Hex } from '../../host/hash.ts'
import { type EntryRow, type EVENT_KIND, type HistorySite, historyTable } from './history-row.ts'
import { changesTable } from './number-changes.ts'
import { ENTRY_COLUMNS } from './read-history.ts'

/** An entry of a change, or what only the feed shows. */
export type ChangeEntry = Omit<EntryRow, 'kind' | 'action'> &
  (
    | Pick<EntryRow, 'kind' | 'action'>
    | { readonly kind: typeof EVENT_KIND; readonly action: 'published' | 'edited' }
  )

/** What one transaction has written to a site. */
export type HistoryChange = {
  /** Larger than that of each change that was visible before. */
  readonly position: number
  /** In the order in which they were written; none if they were deleted meanwhile. */
  readonly entries: readonly ChangeEntry[]
  /** Of all entries. */
  readonly total: number
}

/** Where a reader has arrived: behind a change. `check` depends on its time, so that a restored database is noticed. */
export type ChangeCursor = { readonly position: number; readonly check: string }

/** Before the first change. */
const BEGINNING: ChangeCursor = { position: 0, check: '' }

/** `pruned`: changes after the cursor were deleted. `unknown`: this database does not have the change; it was restored from a backup. */
export type CursorProblem = 'pruned' | 'unknown'

/** Entries of one change that are read. */
export const MAX_CHANGE_ENTRIES = 1000
/** Entries that are read together; a change with more is read alone. */
const ENTRIES_AT_ONCE = 5000

const isOfSite = (blogId: number | undefined): string =>
  blogId === undefined ? 'TRUE' : 'blog_id = :blogId'

/**
 * The numbered changes after a cursor, in the order in which they became visible; at least one if there are any.
 * @param blogId undefined for all sites and the tokens
 */
export async function readChanges(
  db: Db,
  globals: HistorySite['globals'],
  blogId: number | undefined,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ readonly changes: readonly HistoryChange[]; readonly more: boolean }> {
  const ofSite = isOfSite(blogId)
  const values = { history: historyTable(globals), blogId: blogId ?? 0 }
  const counts = await readRows<{ position: number; total: number }>(
    db,
    `SELECT position, COUNT(*) AS total FROM :history: WHERE position > :after AND ${ofSite}
      GROUP BY position ORDER BY position LIMIT :limit`,
    { ...values, after, limit: limit + 1 },
  )
  const [first = []] = inBatches(counts.slice(0, limit), ENTRIES_AT_ONCE, ({ total }) =>
    Number(total),
  )
  const counted = first.map(({ position, total }) => ({
    position: Number(position),
    total: Number(total),
  }))
  const last = counted.at(-1)
  if (last === undefined) return { changes: [], more: false }
  const rows = await readRows<ChangeEntry & { readonly position: number }>(
    db,
    `SELECT position, ${ENTRY_COLUMNS} FROM :history: WHERE position > :after AND position <= :last AND ${ofSite}
      ORDER BY position, id LIMIT :limit`,
    {
      ...values,
      after,
      last: last.position,
      limit: counted.length === 1 ? MAX_CHANGE_ENTRIES : ENTRIES_AT_ONCE,
    },
  )
  const entries = groupBy(rows, ({ position }) => Number(position))
  const changes = counted.map(({ position, total }) => ({
    position,
    total,
    entries: (entries.get(position) ?? []).slice(0, MAX_CHANGE_ENTRIES),
  }))
  return { changes, more: counts.length > changes.length }
}

/**
 * The cursor behind a change.
 * @param at its time, as in the row
 */
export const cursorBehind = (position: number, at: string): ChangeCursor => ({
  position,
  check: sha256Hex(`${position} ${at}`).slice(0, CHECK_LENGTH),
})

/** Characters of a check. */
const CHECK_LENGTH = 8

/** The cursor behind the change with this number. Its entries may have been deleted; then it has no check. */
export async function readCursor(
  db: Db,
  globals: HistorySite['globals'],
  position: number,
): Promise<ChangeCursor> {
  const [row] = await readRows<{ at: string }>(
    db,
    'SELECT created_at AS at FROM :history: WHERE position = :position LIMIT 1',
    { history: historyTable(globals), position },
  )
  return position === 0 ? BEGINNING : cursorBehind(position, row?.at ?? '')
}

/** The largest number of a deleted entry; 0 without one. */
export async function readPruned(
  db: Db,
  globals: HistorySite['globals'],
  blogId: number | undefined,
): Promise<number> {
  const [row] = await readRows<{ pruned: number | null }>(
    db,
    `SELECT MAX(pruned) AS pruned FROM :changes: WHERE ${isOfSite(blogId)}`,
    { changes: changesTable(globals), blogId: blogId ?? 0 },
  )
  return Number(row?.pruned ?? 0)
}

/**
 * Whether a reader can go on from a cursor. Ask after reading the changes: entries may be deleted meanwhile.
 * @param last the last number
 */
export async function findCursorProblem(
  db: Db,
  globals: HistorySite['globals'],
  blogId: number | undefined,
  { position, check }: ChangeCursor,
  last: number,
): Promise<CursorProblem | undefined> {
  if (position > last) return 'unknown'
  const ofSite = isOfSite(blogId)
  const tables = { history: historyTable(globals), changes: changesTable(globals) }
  const [row] = await readRows<{ at: string | null; pruned: number | null }>(
    db,
    `SELECT (SELECT created_at FROM :history: WHERE position = :position AND :position > 0 LIMIT 1) AS at,
      (SELECT MAX(pruned) FROM :changes: WHERE ${ofSite}) AS pruned`,
    { ...tables, position, blogId: blogId ?? 0 },
  )
  // The change at the cursor may have been deleted: nothing is missing after it.
  if (row?.at != null && cursorBehind(position, row.at).check !== check) return 'unknown'
  return Number(row?.pruned ?? 0) > position ? 'pruned' : undefined
}

/** The sites of the changes with numbers above `after`, up to `last`. */
export async function listChangedSites(
  db: Db,
  globals: HistorySite['globals'],
  after: number,
  last: number,
): Promise<Set<number>> {
  const rows = await readRows<{ blog_id: number }>(
    db,
    'SELECT DISTINCT blog_id FROM :history: WHERE position > :after AND position <= :last',
    { history: historyTable(globals), after, last },
  )
  return new Set(rows.map(({ blog_id }) => blog_id))
}
