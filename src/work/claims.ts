import { randomBytes } from 'node:crypto'
import type { Database, Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { DUE_NOW } from './record-work.ts'
import { sitesTable, type Work, type WorkKind, workTable } from './work-tables.ts'

/** How long a claim lasts without renewal, in seconds. After a crash the work of the process continues elsewhere after this time. */
export const LEASE_SECONDS = 3
/** Number of rows in one claim. */
export const MAX_CLAIMED_ROWS = 500
/** Maximum pause before the next try of failed work, in seconds. */
export const MAX_BACKOFF_SECONDS = 300
/** No row is delayed for as long as this, in seconds. A later due time shows that the clock of the database was set back: it counts as due. */
const MAX_DELAY_SECONDS = 2 * MAX_BACKOFF_SECONDS
/** Length of the messages that are stored with failed work, in characters. */
const MAX_ERROR_LENGTH = 500

const IS_DUE = `(due_at <= NOW(6) OR due_at > NOW(6) + INTERVAL ${MAX_DELAY_SECONDS} SECOND)`
const LEASE_END = `NOW(6) + INTERVAL ${LEASE_SECONDS} SECOND`

/** What identifies a site in the work table. */
export type WorkSite = { readonly blogId: number; readonly globals: GlobalTables }

/** The rows of a site that one worker works on. */
export type Claim = {
  readonly site: WorkSite
  /** 16 hexadecimal digits. */
  readonly id: string
}

/** A claimed row. */
export type ClaimedWork = Work & {
  readonly version: number
  readonly tries: number
  /** The claim that had the row when its lease ended; null if none. */
  readonly previousOwner: string | null
}

export function newClaim(site: WorkSite): Claim {
  return { site, id: randomBytes(8).toString('hex') }
}

/** The blog ids of the sites with work that may start now: one look-up in an index. */
export async function listDueSites(db: Db, globals: GlobalTables): Promise<number[]> {
  const rows = await readRows<{ blog_id: number }>(
    db,
    `SELECT DISTINCT blog_id FROM :work: WHERE ${IS_DUE}`,
    { work: workTable(globals) },
  )
  return rows.map(({ blog_id }) => blog_id)
}

/** The ids of all claims in progress, of workers that run or were killed. */
export async function listOwners(db: Db, globals: GlobalTables): Promise<Set<string>> {
  const rows = await readRows<{ owner: string }>(
    db,
    'SELECT DISTINCT owner FROM :work: WHERE owner IS NOT NULL',
    { work: workTable(globals) },
  )
  return new Set(rows.map(({ owner }) => owner))
}

/** Claims due rows of a site, what a client waits for first. @returns how many */
export function claimWork(db: Database, { site, id }: Claim): Promise<number> {
  return writeWork(db, site, async (tx) => {
    const [{ affectedRows }] = await tx.sql.raw(
      `UPDATE ?? FORCE INDEX (claim) SET previous_owner = owner, owner = ?, due_at = ${LEASE_END}
        WHERE blog_id = ? AND ${IS_DUE} ORDER BY is_bulk, version LIMIT ${MAX_CLAIMED_ROWS}`,
      [workTable(site.globals), id, site.blogId],
    )
    return affectedRows
  })
}

/** The rows of a claim and the version of the site, as a snapshot shows them. */
export async function readClaim(
  db: Db,
  { site: { blogId, globals }, id }: Claim,
): Promise<{ readonly work: ClaimedWork[]; readonly version: number }> {
  const [site] = await readRows<{ version: number }>(
    db,
    'SELECT version FROM :sites: WHERE blog_id = :blogId',
    { sites: sitesTable(globals), blogId },
  )
  const rows = await readRows<{
    kind: WorkKind
    name: string
    version: number
    tries: number
    previous_owner: string | null
  }>(
    db,
    'SELECT kind, name, version, tries, previous_owner FROM :work: WHERE owner = :id AND blog_id = :blogId',
    { work: workTable(globals), id, blogId },
  )
  const work = rows.map(({ previous_owner: previousOwner, ...row }) => ({ ...row, previousOwner }))
  return { work, version: site?.version ?? 0 }
}

/** Renews the lease of a claim. */
export function renewClaim(db: Database, { site, id }: Claim): Promise<void> {
  return writeWork(db, site, async (tx) => {
    await tx.sql.raw(`UPDATE ?? SET due_at = ${LEASE_END} WHERE owner = ?`, [
      workTable(site.globals),
      id,
    ])
  })
}

/** Work that failed, and why: a message for clients. */
export type FailedWork = Work & { readonly message: string }

/**
 * Ends work on rows of a claim: failed rows wait for their next try, the other rows of these kinds up to the version are deleted.
 * @param version that of the snapshot from which the rows were built: rows that were touched later stay
 * @param kinds `pages`: the rows of pages; `others`: all other rows
 * @returns false if the claim has no rows any more, because its lease ended
 */
export async function completeWork(
  tx: Tx,
  claim: Claim,
  version: number,
  kinds: 'pages' | 'others',
  failed: readonly FailedWork[],
): Promise<boolean> {
  const { site, id } = claim
  const owned = () =>
    tx
      .sql(workTable(site.globals))
      .where({ owner: id })
      .where('kind', kinds === 'pages' ? '=' : '<>', 'page')
  const [{ count = 0 } = {}] = await owned().count<{ count: number }[]>({ count: '*' }).forUpdate()
  if (count === 0) return false
  if (failed.length > 0) await storeFailures(tx, site, version, failed)
  const deleted = await owned().where('version', '<=', version).delete()
  if (deleted < count) await owned().update(RELEASED)
  return true
}

/**
 * Returns all rows of a claim, to be claimed again after a second: the database, the folder of the static copies or a snapshot was not
 * usable.
 * @param message why, for clients
 */
export function returnClaim(db: Database, { site, id }: Claim, message: string): Promise<void> {
  return writeWork(db, site, async (tx) => {
    await tx
      .sql(workTable(site.globals))
      .where({ owner: id })
      .update({
        owner: null,
        previous_owner: null,
        tries: tx.sql.raw('GREATEST(tries, 1)'),
        error: message.slice(0, MAX_ERROR_LENGTH),
        due_at: tx.sql.raw('NOW(6) + INTERVAL 1 SECOND'),
      })
  })
}

/** Releases the rows that a claim still has, so that they are due at once. */
export function releaseClaim(db: Database, { site, id }: Claim): Promise<void> {
  return writeWork(db, site, async (tx) => {
    await tx.sql(workTable(site.globals)).where({ owner: id }).update(RELEASED)
  })
}

const RELEASED = { owner: null, previous_owner: null, due_at: DUE_NOW }

/** All rows of a claim failed: their pauses double with each try. */
export function failClaim(db: Database, claim: Claim, message: string): Promise<void> {
  return writeWork(db, claim.site, async (tx) => {
    const table = workTable(claim.site.globals)
    await tx.sql.raw(
      `UPDATE ?? SET tries = tries + 1, error = ?, owner = NULL, previous_owner = NULL, due_at = ${NEXT_TRY}
        WHERE owner = ?`,
      [table, message.slice(0, MAX_ERROR_LENGTH), claim.id],
    )
  })
}

/** After `tries` was increased. */
const NEXT_TRY = `NOW(6) + INTERVAL LEAST(${MAX_BACKOFF_SECONDS}, POW(2, LEAST(tries, 20))) SECOND`

async function storeFailures(
  tx: Tx,
  { blogId, globals }: WorkSite,
  version: number,
  failed: readonly FailedWork[],
): Promise<void> {
  const rows = failed.map(() => '(?, ?, ?, ?, NOW(6), 1, ?, NOW(6) + INTERVAL 2 SECOND)').join()
  const values = failed.flatMap(({ kind, name, message }) => [
    ...[blogId, kind, name, version],
    message.slice(0, MAX_ERROR_LENGTH),
  ])
  // A row that was touched later is due at once.
  await tx.sql.raw(
    `INSERT INTO ?? (blog_id, kind, name, version, since, tries, error, due_at) VALUES ${rows}
      ON DUPLICATE KEY UPDATE tries = tries + 1, error = VALUES(error), owner = NULL, previous_owner = NULL,
        due_at = IF(version > VALUES(version), '${DUE_NOW}', ${NEXT_TRY})`,
    [workTable(globals), ...values],
  )
}

/** Pages in one statement. */
const PAGES_PER_STATEMENT = 2000

/**
 * Adds pages to the work of a site: the first ones to the claim itself, the others for any worker. A page that another worker is working on
 * stays there, and gets the version, so that it is built again.
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
            due_at = IF(owner IS NULL, VALUES(due_at), due_at), owner = IFNULL(owner, VALUES(owner))`,
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

/** The number of a site's rows: pages, and other things, which become frames. */
export async function countWork(
  db: Db,
  { blogId, globals }: WorkSite,
): Promise<{ readonly pages: number; readonly frames: number }> {
  const [row] = await readRows<{ pages: number | null; total: number }>(
    db,
    "SELECT CAST(SUM(kind = 'page') AS SIGNED) AS pages, COUNT(*) AS total FROM :work: WHERE blog_id = :blogId",
    { work: workTable(globals), blogId },
  )
  const pages = Number(row?.pages ?? 0)
  return { pages, frames: (row?.total ?? 0) - pages }
}

/** Runs a transaction of a worker, in a queue of its own: it does not wait behind the writes of clients. */
export function writeWork<T>(
  db: Database,
  site: WorkSite,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  return db.write({ site, isWork: true }, work)
}
