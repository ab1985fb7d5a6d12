import type { Database } from '../db/database.ts'
import { DUE_NOW } from '../db/lease.ts'
import type { Tx } from '../db/transaction.ts'
import type { Site } from '../wordpress/network/site.ts'
import { type Change, workOf } from './change.ts'
import { type Work, workOn } from './work.ts'
import { sitesTable, workTable } from './work-tables.ts'

/** A change whose work is recorded in the transaction of its write. `version`: that of the site; 0 if nothing is recorded. */
export type RecordedChange = Change & { readonly version: number }

/** Number of things that one write records. A write that touches more records `all`. */
export const MAX_WORK_PER_WRITE = 1000
/** Number of rows of a site, besides those of pages, from which on they are replaced by `all`. */
export const MAX_WORK_PER_SITE = 2000
/** The rows of a site are counted once in so many of its versions. */
const COUNT_EVERY = 64

/** Length of the column `name`, in characters. */
const MAX_NAME = 255

export type ChangeWriteOptions = { readonly site: Site; readonly dryRun?: boolean | undefined }

/**
 * Runs a write that returns a `Change` in one transaction, and records its work as the last step. A dry run records it too, and rolls
 * everything back.
 */
export function writeChange<T extends { readonly change: Change }>(
  db: Database,
  { site, dryRun }: ChangeWriteOptions,
  write: (tx: Tx) => Promise<T>,
): Promise<T & { readonly change: RecordedChange }> {
  return db.write({ site, dryRun }, async (tx) => {
    const written = await write(tx)
    return { ...written, change: await recordChange(tx, site, written.change) }
  })
}

/**
 * Records the work of a change. Locks the site's version until the transaction ends, so call it last. The order of a site's versions is the
 * order in which its writes are committed.
 */
export async function recordChange(tx: Tx, site: Site, change: Change): Promise<RecordedChange> {
  const collected = tx.local.get(COLLECTED)
  if (Array.isArray(collected)) {
    collected.push(change)
    return { ...change, version: 0 }
  }
  const work = rowsOf(workOf(change))
  if (work.length === 0) return { ...change, version: 0 }
  const version = await nextVersion(tx, site)
  await storeWork(tx, site, version, work.length > MAX_WORK_PER_WRITE ? workOn('all') : work)
  if (version % COUNT_EVERY === 0) await collapseWork(tx, site, version)
  return { ...change, version }
}

const COLLECTED = 'collected changes'

/**
 * Runs writes within a transaction without recording their changes. The caller merges and records them.
 * @returns the result of `work`, and the changes in the order of the writes
 */
export async function collectChanges<T>(
  tx: Tx,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly changes: readonly Change[] }> {
  const changes: Change[] = []
  tx.local.set(COLLECTED, changes)
  try {
    return { result: await work(), changes }
  } finally {
    tx.local.delete(COLLECTED)
  }
}

/** Each thing once. A thing whose name does not fit into its column is recorded as `all`. */
function rowsOf(work: readonly Work[]): Work[] {
  const rows = work.flatMap((one) => (one.name.length > MAX_NAME ? workOn('all') : one))
  return [...new Map(rows.map((one) => [`${one.kind} ${one.name}`, one])).values()]
}

async function nextVersion(tx: Tx, { blogId, globals }: Site): Promise<number> {
  const [{ insertId }] = await tx.sql.raw(
    `INSERT INTO ?? (blog_id, version) VALUES (?, LAST_INSERT_ID(1))
      ON DUPLICATE KEY UPDATE version = LAST_INSERT_ID(version + 1)`,
    [sitesTable(globals), blogId],
  )
  return insertId
}

/** Stores rows, or gives existing rows the new version. A row that waits for its next try becomes due; a claimed row stays claimed. */
async function storeWork(
  tx: Tx,
  { blogId, globals }: Site,
  version: number,
  work: readonly Work[],
): Promise<void> {
  const rows = work.map(() => '(?, ?, ?, ?, NOW(6), ?)').join()
  const values = work.flatMap(({ kind, name }) => [blogId, kind, name, version, DUE_NOW])
  await tx.sql.raw(
    `INSERT INTO ?? (blog_id, kind, name, version, since, due_at) VALUES ${rows}
      ON DUPLICATE KEY UPDATE version = VALUES(version), is_bulk = 0,
        due_at = IF(owner IS NULL, VALUES(due_at), due_at)`,
    [workTable(globals), ...values],
  )
}

/** Replaces a site's rows, except those of pages, by `all` if there are too many: nothing has been built for long. */
async function collapseWork(tx: Tx, site: Site, version: number): Promise<void> {
  const { blogId, globals } = site
  const rows = () => tx.sql(workTable(globals)).where({ blog_id: blogId }).whereNot('kind', 'page')
  const [{ count = 0 } = {}] = await rows().count<{ count: number }[]>({ count: '*' })
  if (count <= MAX_WORK_PER_SITE) return
  await rows().delete()
  await storeWork(tx, site, version, workOn('all'))
}
