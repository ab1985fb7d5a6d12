import type { Database, Db } from '../../db/database.ts'
import { inBatches, readRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { groupBy } from '../../host/group-by.ts'
import { CONTENT_KIND, type EntryRow, type HistorySite, historyTable } from './history-row.ts'

/** The table with the largest number of a deleted entry of each site. The row of blog id 0 is locked while entries are numbered. */
export const changesTable = ({ basePrefix }: HistorySite['globals']): string =>
  `${basePrefix}svc_changes`

/** Rows that one transaction numbers. Their changes are completed, however many entries they have. */
const ROWS_AT_ONCE = 500

/** What identifies the change of an entry. */
const CHANGE_COLUMNS = [
  'blog_id',
  'user_id',
  'token_id',
  'label',
  'request_id',
  'created_at',
] as const

type UnnumberedRow = Pick<EntryRow, 'id' | (typeof CHANGE_COLUMNS)[number]> & {
  readonly kind: string
  readonly action: string
}

/**
 * Numbers the changes that were committed since the last call. The ids of entries are assigned before the commit, so an entry with a smaller id
 * can appear after one with a larger id was read. The numbers are assigned afterwards, by one process at a time: what is committed later has a
 * larger number. The entries that one transaction has written with one author have the same.
 * @returns the last number
 */
export async function numberChanges(
  db: Database,
  globals: HistorySite['globals'],
): Promise<number> {
  const { last, isComplete } = await readLast(db, globals)
  if (isComplete) return last
  let numbered = ROWS_AT_ONCE
  // A part that is not full was the last of what was committed before the call.
  while (numbered >= ROWS_AT_ONCE)
    numbered = await db.write({ isWork: true }, (tx) => numberSome(tx, globals))
  return (await readLast(db, globals)).last
}

async function readLast(
  db: Db,
  globals: HistorySite['globals'],
): Promise<{ readonly last: number; readonly isComplete: boolean }> {
  // In this order: what was complete has at most the number that is read then.
  const [row] = await readRows<{ unnumbered: number; last: number }>(
    db,
    `SELECT EXISTS (SELECT 1 FROM :history: WHERE position IS NULL) AS unnumbered, ${LAST} AS last`,
    { history: historyTable(globals), changes: changesTable(globals) },
  )
  return { last: Number(row?.last ?? 0), isComplete: Number(row?.unnumbered) === 0 }
}

/** The last number, also if its entry was deleted. */
const LAST = `GREATEST(IFNULL((SELECT MAX(position) FROM :history:), 0), IFNULL((SELECT MAX(pruned) FROM :changes:), 0))`

/** Lets no other transaction assign numbers. With the next statement: what the lock waits for is committed when that reads. */
export function lockNumbers(tx: Tx, globals: HistorySite['globals']): void {
  // Galera finds conflicts in rows that were changed, not in locks.
  tx.later(
    'INSERT INTO :changes: (blog_id, numbered) VALUES (0, 1) ON DUPLICATE KEY UPDATE numbered = numbered + 1',
    { changes: changesTable(globals) },
  )
}

/**
 * Records that entries were deleted, so that readers with a cursor before them learn that changes are missing. The caller has locked the numbers: what was
 * deleted without one takes the next.
 */
export async function recordPruned(
  tx: Tx,
  { blogId, globals }: HistorySite,
  positions: readonly (number | null)[],
): Promise<void> {
  const values = { history: historyTable(globals), changes: changesTable(globals), blogId }
  const most = Math.max(...positions.map(Number))
  const [row] = positions.includes(null)
    ? await readRows<{ last: number }>(tx, `SELECT ${LAST} AS last`, values)
    : []
  const pruned = row === undefined ? most : Math.max(most, Number(row.last)) + 1
  tx.later(
    `INSERT INTO :changes: (blog_id, pruned) VALUES (:blogId, :pruned)
      ON DUPLICATE KEY UPDATE pruned = GREATEST(pruned, VALUES(pruned))`,
    { ...values, pruned },
  )
}

/** @returns the number of rows that were numbered */
async function numberSome(tx: Tx, globals: HistorySite['globals']): Promise<number> {
  const tables = { history: historyTable(globals), changes: changesTable(globals) }
  lockNumbers(tx, globals)
  const rows = await readRows<UnnumberedRow>(
    tx,
    `SELECT id, kind, action, ${CHANGE_COLUMNS} FROM :history: WHERE position IS NULL ORDER BY id LIMIT ${ROWS_AT_ONCE}`,
    tables,
  )
  if (rows.length === 0) return 0
  if (rows.length === ROWS_AT_ONCE) rows.push(...(await readRest(tx, tables, rows)))
  const [row] = await readRows<{ last: number }>(tx, `SELECT ${LAST} AS last`, tables)
  let last = Number(row?.last ?? 0)
  const positions = new Map<number, number>()
  for (const [change, entries] of groupBy(rows, changeOf)) {
    if (change !== CONTENT_KIND) last += 1
    for (const { id } of entries) positions.set(id, change === CONTENT_KIND ? 0 : last)
  }
  storePositions(tx, tables, positions)
  return rows.length
}

/** Rows of one statement. It compares each row with the ids before it. */
const ROWS_PER_STATEMENT = 200

function storePositions(
  tx: Tx,
  tables: { readonly history: string },
  positions: ReadonlyMap<number, number>,
): void {
  for (const batch of inBatches(positions, ROWS_PER_STATEMENT)) {
    const ids = batch.map(([id]) => id)
    const numbers = batch.map(([, position]) => position)
    tx.later('UPDATE :history: SET position = ELT(FIELD(id, :ids), :numbers) WHERE id IN (:ids)', {
      ...tables,
      ids,
      numbers,
    })
  }
}

/** The other entries of the changes of these rows: the ids of transactions that ran at the same time are mixed. */
function readRest(
  tx: Tx,
  tables: { readonly history: string },
  rows: readonly UnnumberedRow[],
): Promise<UnnumberedRow[]> {
  const sites = groupBy(rows, ({ blog_id }) => blog_id)
  const values: Record<string, string[]> = {}
  const ofSites = Array.from(sites, ([blogId, ofSite]) => {
    values[`times${blogId}`] = [...new Set(ofSite.map(({ created_at }) => created_at))]
    return `(blog_id = ${Number(blogId)} AND created_at IN (:times${blogId}))`
  })
  return readRows(
    tx,
    `SELECT id, kind, action, ${CHANGE_COLUMNS} FROM :history: FORCE INDEX (age)
      WHERE (${ofSites.join(' OR ')}) AND position IS NULL AND id > :newest AND kind <> :content ORDER BY id`,
    { ...tables, ...values, newest: rows.at(-1)?.id ?? 0, content: CONTENT_KIND },
  )
}

/** Programs that do not know the numbers store contents without one. */
const changeOf = ({ id: _id, kind, action, ...change }: UnnumberedRow): string =>
  kind === CONTENT_KIND
    ? CONTENT_KIND
    : JSON.stringify([action === 'published', ...Object.values(change)])
