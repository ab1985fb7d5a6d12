import { DUE_NOW, inMs, RELEASED } from '../db/lease.ts'
import { inBatches } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { type Claim, claimEnd, MAX_ERROR_LENGTH, NEXT_TRY, pausesOf } from './claims.ts'
import type { Work } from './work.ts'
import { sitesTable, workTable } from './work-tables.ts'

/** Work that failed, and why: a message for clients. */
export type FailedWork = Work & {
  readonly message: string
  /** Nothing is wrong with it: it is tried again soon, however often it has failed [false] */
  readonly isTemporary?: boolean
}

/** `pages`: the rows of pages; `others`: all other rows. */
export type WorkKinds = 'pages' | 'others'

const isOfKinds = (kinds: WorkKinds): string => `kind ${kinds === 'pages' ? '=' : '<>'} 'page'`

/**
 * Lets the transaction fail if a claim has no rows besides those of pages any more, because its lease ended. The rows that it has stay with it until
 * the commit.
 * @param error why the transaction fails
 */
export function assertOwned(tx: Tx, { site, id }: Claim, error: () => Error): void {
  const select = `SELECT 1 FROM :work: WHERE owner = :id AND ${isOfKinds('others')} FOR UPDATE`
  tx.assertFound(select, { work: workTable(site.globals), id }, error)
}

/** Lets the transaction fail if one of these pages is not in the claim any more; see `assertOwned`. */
export function assertOwnedPages(
  tx: Tx,
  { site: { blogId, globals }, id }: Claim,
  pages: readonly number[],
  error: () => Error,
): void {
  if (pages.length === 0) return
  const names = [...new Set(pages)].map(String)
  const values = { work: workTable(globals), blogId, names, id }
  tx.assertFound(
    `SELECT 1 FROM :work: WHERE ${OWNED_PAGES} FOR UPDATE`,
    values,
    error,
    names.length,
  )
}

const OWNED_PAGES = "blog_id = :blogId AND kind = 'page' AND name IN (:names) AND owner = :id"

/**
 * Like `assertOwnedPages`, and renews the lease of these rows. In a cluster a lock does not keep another node from taking them, but a write that comes
 * later fails.
 */
export function keepOwnedPages(
  tx: Tx,
  claim: Claim,
  pages: readonly number[],
  error: () => Error,
): void {
  if (pages.length === 0) return
  assertOwnedPages(tx, claim, pages, error)
  const { site, id } = claim
  tx.later(`UPDATE :work: SET due_at = :end WHERE ${OWNED_PAGES}`, {
    work: workTable(site.globals),
    end: claimEnd(tx),
    blogId: site.blogId,
    names: pages.map(String),
    id,
  })
}

/**
 * Releases pages of a claim for later, without counting a try.
 * @param waits by page, in milliseconds; all are due after the longest one
 */
export function deferPages(
  tx: Tx,
  { site: { blogId, globals }, id }: Claim,
  waits: ReadonlyMap<number, number>,
): void {
  if (waits.size === 0) return
  const due = inMs(Math.max(...waits.values()))
  tx.later(`UPDATE :work: SET owner = NULL, due_at = :due WHERE ${OWNED_PAGES}`, {
    work: workTable(globals),
    blogId,
    names: [...waits.keys()].map(String),
    id,
    due,
  })
}

/**
 * Ends work on rows of a claim: failed rows wait for their next try, the other rows of these kinds up to the version are deleted.
 * @param version that of the snapshot from which the rows were built: rows that were touched later stay, and are released
 */
export function completeWork(
  tx: Tx,
  claim: Claim,
  version: number,
  kinds: WorkKinds,
  failed: readonly FailedWork[] = [],
): void {
  const { site, id } = claim
  const values = { work: workTable(site.globals), id, version }
  const [temporary, others] = [true, false].map((one) =>
    failed.filter(({ isTemporary = false }) => isTemporary === one),
  ) as [FailedWork[], FailedWork[]]
  if (others.length > 0) storeFailures(tx, claim, version, others)
  if (temporary.length > 0)
    storeFailures(tx, claim, version, temporary, tx.timings.work.temporaryPauseMs)
  const owned = `owner = :id AND ${isOfKinds(kinds)}`
  tx.later(`DELETE FROM :work: WHERE ${owned} AND version <= :version`, values)
  tx.later(`UPDATE :work: SET owner = NULL, due_at = :due WHERE ${owned}`, {
    ...values,
    due: RELEASED.due_at,
  })
}

function storeFailures(
  tx: Tx,
  { site: { blogId, globals }, id }: Claim,
  version: number,
  failed: readonly FailedWork[],
  maxPauseMs?: number,
): void {
  const firstTry = inMs(tx.timings.work.backoffMs)
  const rows = failed.map(({ kind, name, message }) => [
    blogId,
    kind,
    name,
    version,
    NOW,
    1,
    message.slice(0, MAX_ERROR_LENGTH),
    firstTry,
  ])
  // A row that was touched later is due at once. A row that another worker has taken over stays with it.
  const isOwn = 'IFNULL(owner, :id) = :id'
  tx.later(
    `INSERT INTO :work: (blog_id, kind, name, version, since, tries, error, due_at) VALUES :rows
      ON DUPLICATE KEY UPDATE tries = IF(${isOwn}, tries + 1, tries), error = IF(${isOwn}, VALUES(error), error),
        due_at = IF(${isOwn}, IF(version > VALUES(version), '${DUE_NOW}', ${NEXT_TRY}), due_at),
        owner = IF(${isOwn}, NULL, owner)`,
    { work: workTable(globals), id, rows, ...pausesOf(tx, maxPauseMs) },
  )
}

const sqlOf = (text: string) => ({ toSqlString: () => text })
const NOW = sqlOf('NOW(6)')

/** Pages in one statement. */
const PAGES_PER_STATEMENT = 2000

/**
 * Notes in the session whether the site was written or edited since a version. Who recorded that did not see the pages that this claim adds next, so
 * they are built from a later snapshot. Locks the site's version until the transaction ends, so call it before anything else: no work is recorded
 * meanwhile.
 */
export function noteLateness(tx: Tx, { site: { blogId, globals } }: Claim, version: number): void {
  tx.later(
    'SET @is_late = IFNULL((SELECT version FROM :sites: WHERE blog_id = :blogId FOR UPDATE), 0) > :version',
    { sites: sitesTable(globals), blogId, version },
  )
}

/** The pages that a claim has, and whether the site was written or edited since the version. */
export type AddedPages = { readonly pages: readonly number[]; readonly isLate: boolean }

/**
 * Adds pages to the work of a site: the first ones to the claim itself, the others for any worker. A page that another worker is working on
 * stays there, and gets the version, so that it is built again. A page whose late claim is not fenced yet waits for a claim of its own.
 * After `noteLateness` said so, all pages are left to any worker.
 * @param room number of pages for the claim
 * @param onAdded is called at the end of the transaction
 */
export function addPages(
  tx: Tx,
  { site: { blogId, globals }, id }: Claim,
  version: number,
  { pages, room }: { readonly pages: readonly number[]; readonly room: number },
  onAdded: (added: AddedPages) => void,
): void {
  const work = workTable(globals)
  const ownDue = sqlOf(`IF(@is_late, '${DUE_NOW}', ${claimEnd(tx).toSqlString()})`)
  const rowOf = (page: number, index: number) =>
    index < room
      ? [
          blogId,
          'page',
          String(page),
          version,
          1,
          NOW,
          ownDue,
          sqlOf(`IF(@is_late, NULL, '${id}')`),
        ]
      : [blogId, 'page', String(page), version, 1, NOW, DUE_NOW, null]
  for (const rows of inBatches(pages.map(rowOf), PAGES_PER_STATEMENT))
    tx.later(
      `INSERT INTO :work: (blog_id, kind, name, version, is_bulk, since, due_at, owner) VALUES :rows
        ON DUPLICATE KEY UPDATE version = GREATEST(version, VALUES(version)),
          due_at = IF(owner IS NULL, IF(previous_owner IS NULL, VALUES(due_at), '${DUE_NOW}'), due_at),
          owner = IF(owner IS NULL AND previous_owner IS NULL, VALUES(owner), owner)`,
      { work, rows },
    )
  tx.later<{ late: number; name: string | null }[]>(
    `SELECT @is_late AS late, w.name FROM (SELECT 1) one
      LEFT JOIN :work: w ON w.owner = :id AND w.kind = 'page'`,
    { work, id },
    {
      onResult: (rows) =>
        onAdded({
          isLate: Number(rows[0]?.late) === 1,
          pages: rows.flatMap(({ name }) => (name === null ? [] : Number(name))),
        }),
    },
  )
}
