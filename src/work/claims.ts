import type { Database, Db } from '../db/database.ts'
import { IS_DUE, inMs, newOwner, RELEASED } from '../db/lease.ts'
import { readRows, runStatement } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { BLOG_COLUMNS, type BlogRow, type GlobalTables } from '../wordpress/network/site.ts'
import { WORK_KINDS, type Work, type WorkKind } from './work.ts'
import { sitesTable, workTable } from './work-tables.ts'

/** Number of rows in one claim. */
export const MAX_CLAIMED_ROWS = 500
/** Length of the messages that are stored with failed work, in characters. */
export const MAX_ERROR_LENGTH = 500

/** No work is due later, unless the clock of the database was set back (`IS_DUE`). */
export const latestWork = ({ timings }: Timed) => inMs(2 * timings.work.maxBackoffMs)
/** The end of a claim that is renewed now. */
export const claimEnd = ({ timings }: Timed) => inMs(timings.work.leaseMs)
/** Purges have claims of their own (`purge-rows.ts`). */
const IS_BUILT = "kind <> 'purge'"
const BUILT_KINDS = WORK_KINDS.filter((kind) => kind !== 'purge')

type Timed = Pick<Db, 'timings'>

/** What identifies a site in the work table. */
export type WorkSite = { readonly blogId: number; readonly globals: GlobalTables }

/** The rows of a site that one worker works on. */
export type Claim = {
  readonly site: WorkSite
  /** The owner of the rows. */
  readonly id: string
}

/** A claimed row. */
export type ClaimedWork = Work & {
  readonly version: number
  readonly tries: number
}

export function newClaim(site: WorkSite): Claim {
  return { site, id: newOwner() }
}

/** The blog ids of the sites with work that may start now: one look-up in an index. */
export async function listDueSites(db: Db, globals: GlobalTables): Promise<number[]> {
  const rows = await readRows<{ blog_id: number }>(
    db,
    `SELECT DISTINCT blog_id FROM :work: WHERE ${IS_DUE} AND ${IS_BUILT}`,
    { work: workTable(globals), latest: latestWork(db) },
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

/** Ends the influence of late claims (`fenceClaim`), in the transaction of the next owner if there is one. */
export type Fence = (claimIds: readonly string[], tx?: Tx) => Promise<void>

export type ClaimOptions = {
  /** Undefined in a process that cannot write static copies: then `previous_owner` stays for the next claim that can. */
  readonly fence?: Fence | undefined
  /** Only rows that no other claim has had: one statement, for work that a client waits for. */
  readonly onlyFresh?: boolean
  /** Only what writes and edits have touched, not the many pages that follow from it. */
  readonly onlyTouched?: boolean
}

/**
 * Claims due rows of a site, what a client waits for first. Rows of kinds that this program does not know stay for processes of the newer version that
 * recorded them. The claims whose leases have ended are fenced before the transaction commits: if
 * this process is killed in between, the next one finds them in the rows.
 * @returns how many
 */
export function claimWork(
  db: Database,
  { site, id }: Claim,
  { fence, onlyFresh = false, onlyTouched = false }: ClaimOptions = {},
): Promise<number> {
  const table = workTable(site.globals)
  const claim = async (tx: Tx): Promise<number> => {
    const { affectedRows } = await runStatement(
      tx,
      `UPDATE :work: FORCE INDEX (claim) SET previous_owner = IFNULL(previous_owner, owner), owner = :id, due_at = :end
        WHERE blog_id = :blogId AND kind IN (:kinds) AND ${IS_DUE} ${onlyFresh ? 'AND owner IS NULL AND previous_owner IS NULL' : ''}
          ${onlyTouched ? 'AND is_bulk = 0' : ''}
        ORDER BY is_bulk, version LIMIT ${MAX_CLAIMED_ROWS}`,
      {
        work: table,
        id,
        end: claimEnd(db),
        blogId: site.blogId,
        kinds: BUILT_KINDS,
        latest: latestWork(db),
      },
    )
    return affectedRows
  }
  if (onlyFresh) return db.write({ site, isWork: true, isStatement: true }, claim)
  return writeWork(db, site, async (tx) => {
    const affectedRows = await claim(tx)
    if (affectedRows === 0 || fence === undefined) return affectedRows
    const owned = () => tx.sql(table).where({ owner: id }).whereNotNull('previous_owner')
    const late: { previous_owner: string }[] = await owned().distinct('previous_owner')
    if (late.length > 0) {
      await fence(
        late.map(({ previous_owner }) => previous_owner),
        tx,
      )
      await owned().update({ previous_owner: null })
    }
    return affectedRows
  })
}

/** What a snapshot shows of a claim. */
export type ClaimSnapshot = {
  readonly work: readonly ClaimedWork[]
  /** The version of the site. */
  readonly version: number
  /** The site's row of `blogs`; undefined if the site was deleted. */
  readonly blog: BlogRow | undefined
}

/** Reads the rows of a claim, the version of the site and its state in one statement. */
export async function readClaim(
  db: Db,
  { site: { blogId, globals }, id }: Claim,
): Promise<ClaimSnapshot> {
  const blogColumns = BLOG_COLUMNS.map((column) => `b.${column}`).join()
  const rows = await readRows<ClaimRow>(
    db,
    `SELECT s.version AS site_version, w.kind, w.name, w.version, w.tries, ${blogColumns}
      FROM :sites: s
      LEFT JOIN :blogs: b ON b.blog_id = s.blog_id
      LEFT JOIN :work: w ON w.blog_id = s.blog_id AND w.owner = :id
      WHERE s.blog_id = :blogId`,
    { sites: sitesTable(globals), blogs: globals.blogs, work: workTable(globals), id, blogId },
  )
  const [first] = rows
  return {
    work: rows.flatMap(({ kind, name, version, tries }) =>
      kind === null ? [] : { kind, name, version, tries },
    ),
    version: first?.site_version ?? 0,
    blog: first?.blog_id == null ? undefined : (first as BlogRow),
  }
}

type ClaimRow = {
  readonly site_version: number
  readonly kind: WorkKind | null
  readonly name: string
  readonly version: number
  readonly tries: number
} & { readonly [Column in keyof BlogRow]: BlogRow[Column] | null }

/**
 * Renews the leases of the rows of a claim. It may have no rows at the moment, so its completion finds whether it has lost them.
 * @returns true
 */
export async function renewClaim(db: Database, { site, id }: Claim): Promise<true> {
  await db.write({ site, isWork: true, isStatement: true }, async (tx) => {
    await runStatement(tx, 'UPDATE :work: SET due_at = :end WHERE owner = :id', {
      work: workTable(site.globals),
      end: claimEnd(db),
      id,
    })
  })
  return true
}

/**
 * Returns all rows of a claim, to be claimed again after a pause: the database, the folder of the static copies or a snapshot was not
 * usable.
 * @param message why, for clients
 */
export function returnClaim(db: Database, { site, id }: Claim, message: string): Promise<void> {
  return db.write({ site, isWork: true, isStatement: true }, async (tx) => {
    await tx
      .sql(workTable(site.globals))
      .where({ owner: id })
      .update({
        owner: null,
        tries: tx.sql.raw('GREATEST(tries, 1)'),
        error: message.slice(0, MAX_ERROR_LENGTH),
        due_at: tx.sql.raw(inMs(db.timings.work.returnedPauseMs).toSqlString()),
      })
  })
}

/** Releases the rows that a claim still has, so that they are due at once. */
export function releaseClaim(db: Database, { site, id }: Claim): Promise<void> {
  return db.write({ site, isWork: true, isStatement: true }, async (tx) => {
    await tx.sql(workTable(site.globals)).where({ owner: id }).update(RELEASED)
  })
}

/** All rows of a claim failed: their pauses double with each try. */
export function failClaim(db: Database, claim: Claim, message: string): Promise<void> {
  return db.write({ site: claim.site, isWork: true, isStatement: true }, async (tx) => {
    await runStatement(
      tx,
      `UPDATE :work: SET tries = tries + 1, error = :error, owner = NULL, due_at = ${NEXT_TRY}
        WHERE owner = :id`,
      {
        work: workTable(claim.site.globals),
        error: message.slice(0, MAX_ERROR_LENGTH),
        id: claim.id,
        ...pausesOf(db),
      },
    )
  })
}

/** When work that has failed `tries` times is due again, in SQL with the values of `pausesOf`. */
export const NEXT_TRY =
  'NOW(6) + INTERVAL LEAST(:maxPauseMs, :pauseMs * POW(2, LEAST(tries, 20)) / 2) * 1000 MICROSECOND'

/** @param maxPauseMs the longest pause [`work.maxBackoffMs`] */
export const pausesOf = ({ timings: { work } }: Timed, maxPauseMs = work.maxBackoffMs) => ({
  pauseMs: work.backoffMs,
  maxPauseMs,
})

/** The number of a site's rows: pages, and other things, which become frames. */
export async function countWork(
  db: Db,
  { blogId, globals }: WorkSite,
): Promise<{ readonly pages: number; readonly frames: number }> {
  const [row] = await readRows<{ pages: number | null; total: number }>(
    db,
    `SELECT CAST(SUM(kind = 'page') AS SIGNED) AS pages, COUNT(*) AS total FROM :work: WHERE blog_id = :blogId AND ${IS_BUILT}`,
    { work: workTable(globals), blogId },
  )
  const pages = Number(row?.pages ?? 0)
  return { pages, frames: (row?.total ?? 0) - pages }
}

/** What is left of one thing. */
export type LeftWork = Work & {
  /** Whether it is being done or due; otherwise it has failed and waits for its next try. */
  readonly isWaiting: boolean
  /** Why its last try failed, for clients; null if none has. */
  readonly error: string | null
}

/** The rows of a site that are left, besides purges: those of these pages, and of everything else. */
export async function listLeftWork(
  db: Db,
  { blogId, globals }: WorkSite,
  pages: readonly number[],
): Promise<LeftWork[]> {
  const rows = await readRows<Work & { waiting: number; error: string | null }>(
    db,
    `SELECT kind, name, error, (tries = 0 OR owner IS NOT NULL OR ${IS_DUE}) AS waiting FROM :work:
      WHERE blog_id = :blogId AND ${IS_BUILT} AND (kind <> 'page' OR name IN (:names))`,
    { work: workTable(globals), blogId, latest: latestWork(db), names: ['', ...pages.map(String)] },
  )
  return rows.map(({ waiting, ...row }) => ({ ...row, isWaiting: waiting === 1 }))
}

/** True if a site has work that is being done or due; false if none is left, or what is left has failed and waits for its next try. */
export async function isWorking(db: Db, { blogId, globals }: WorkSite): Promise<boolean> {
  const rows = await readRows(
    db,
    `SELECT 1 FROM :work: WHERE blog_id = :blogId AND ${IS_BUILT} AND (tries = 0 OR owner IS NOT NULL OR ${IS_DUE}) LIMIT 1`,
    { work: workTable(globals), blogId, latest: latestWork(db) },
  )
  return rows.length > 0
}

/** The pages that other claims of the site publish at present. */
export async function listPagesOfOtherClaims(
  db: Db,
  { site: { blogId, globals }, id }: Claim,
): Promise<number[]> {
  const rows = await readRows<Work>(
    db,
    "SELECT name FROM :work: WHERE blog_id = :blogId AND kind = 'page' AND owner IS NOT NULL AND owner <> :id",
    { work: workTable(globals), blogId, id },
  )
  return rows.map(({ name }) => Number(name))
}

/** Runs a transaction of a worker, in a queue of its own: it does not wait behind the writes of clients. */
export function writeWork<T>(
  db: Database,
  site: WorkSite,
  work: (tx: Tx) => T | Promise<T>,
): Promise<T> {
  return db.write({ site, isWork: true }, work)
}
