import { DUE_NOW, RELEASED } from '../db/lease.ts'
import type { Tx } from '../db/transaction.ts'
import { type Claim, LEASE_END, MAX_ERROR_LENGTH, NEXT_TRY } from './claims.ts'
import type { Work } from './work.ts'
import { sitesTable, workTable } from './work-tables.ts'

/** Work that failed, and why: a message for clients. */
export type FailedWork = Work & { readonly message: string }

/**
 * Ends work on rows of a claim: failed rows wait for their next try, the other rows of these kinds up to the version are deleted.
 * @param version that of the snapshot from which the rows were built: rows that were touched later stay
 * @param kinds `pages`: the rows of pages; `others`: all other rows
 * @param expected number of these rows in the claim
 * @returns false if the claim has no rows any more, because its lease ended
 */
export async function completeWork(
  tx: Tx,
  claim: Claim,
  version: number,
  kinds: 'pages' | 'others',
  expected: number,
  failed: readonly FailedWork[] = [],
): Promise<boolean> {
  const { site, id } = claim
  const owned = () =>
    tx
      .sql(workTable(site.globals))
      .where({ owner: id })
      .where('kind', kinds === 'pages' ? '=' : '<>', 'page')
  if (failed.length > 0) {
    const [{ count = 0 } = {}] = await owned()
      .count<{ count: number }[]>({ count: '*' })
      .forUpdate()
    if (count === 0) return false
    await storeFailures(tx, claim, version, failed)
  }
  const deleted = await owned().where('version', '<=', version).delete()
  const released = deleted === expected ? 0 : await owned().update(RELEASED)
  return deleted + released + failed.length > 0
}

async function storeFailures(
  tx: Tx,
  { site: { blogId, globals }, id }: Claim,
  version: number,
  failed: readonly FailedWork[],
): Promise<void> {
  const rows = failed.map(() => '(?, ?, ?, ?, NOW(6), 1, ?, NOW(6) + INTERVAL 2 SECOND)').join()
  const values = failed.flatMap(({ kind, name, message }) => [
    blogId,
    kind,
    name,
    version,
    message.slice(0, MAX_ERROR_LENGTH),
  ])
  // A row that was touched later is due at once. A row that another worker has taken over stays with it.
  const isOwn = 'IFNULL(owner, ?) = ?'
  const own = [id, id]
  await tx.sql.raw(
    `INSERT INTO ?? (blog_id, kind, name, version, since, tries, error, due_at) VALUES ${rows}
      ON DUPLICATE KEY UPDATE tries = IF(${isOwn}, tries + 1, tries), error = IF(${isOwn}, VALUES(error), error),
        due_at = IF(${isOwn}, IF(version > VALUES(version), '${DUE_NOW}', ${NEXT_TRY}), due_at),
        owner = IF(${isOwn}, NULL, owner)`,
    [workTable(globals), ...values, ...own, ...own, ...own, ...own],
  )
}

/**
 * Whether the site was written or edited since a version. Locks the version until the transaction ends, so call it before anything else: no
 * work is recorded meanwhile.
 */
export async function isOutdated(
  tx: Tx,
  { site: { blogId, globals } }: Claim,
  version: number,
): Promise<boolean> {
  const row = await tx
    .sql(sitesTable(globals))
    .where({ blog_id: blogId })
    .forUpdate()
    .first('version')
  return Number(row?.version ?? 0) > version
}

/** Pages in one statement. */
const PAGES_PER_STATEMENT = 2000

/**
 * Adds pages to the work of a site: the first ones to the claim itself, the others for any worker. A page that another worker is working on
 * stays there, and gets the version, so that it is built again. A page whose late claim is not fenced yet waits for a claim of its own.
 * @param room number of pages for the claim
 * @returns the pages that the claim has now
 */
export async function addPages(
  tx: Tx,
  { site: { blogId, globals }, id }: Claim,
  version: number,
  pages: readonly number[],
  room: number,
): Promise<number[]> {
  const table = workTable(globals)
  const own = pages.slice(0, room)
  for (const [list, owner] of [
    [own, id],
    [pages.slice(room), null],
  ] as const) {
    for (let from = 0; from < list.length; from += PAGES_PER_STATEMENT) {
      const batch = list.slice(from, from + PAGES_PER_STATEMENT)
      const dueAt = owner === null ? `'${DUE_NOW}'` : LEASE_END
      const row = `(?, 'page', ?, ?, 1, NOW(6), ${dueAt}, ?)`
      await tx.sql.raw(
        `INSERT INTO ?? (blog_id, kind, name, version, is_bulk, since, due_at, owner) VALUES ${batch.map(() => row).join()}
          ON DUPLICATE KEY UPDATE version = GREATEST(version, VALUES(version)),
            due_at = IF(owner IS NULL, IF(previous_owner IS NULL, VALUES(due_at), '${DUE_NOW}'), due_at),
            owner = IF(owner IS NULL AND previous_owner IS NULL, VALUES(owner), owner)`,
        [table, ...batch.flatMap((page) => [blogId, String(page), version, owner])],
      )
    }
  }
  const rows: { name: string }[] = await tx
    .sql(table)
    .where({ owner: id, kind: 'page' })
    .select('name')
  return rows.map(({ name }) => Number(name))
}
