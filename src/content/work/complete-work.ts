import { DUE_NOW, inMs } from '../../db/lease.ts'
import { inBatches } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { RecordedThing, WorkSite } from './due-work.ts'
import type { Work } from './work.ts'
import { IS_EMPTY, MAX_ERROR_LENGTH, NEXT_TRY, NOW, pausesOf, workTables } from './work-tables.ts'

/**
 * Why a page was not published. `exposed`: visitors see what they must not. `unwritable`: its files. `purge`: a page cache refused. `outage`: nothing is wrong
 * with the page.
 */
export const PAGE_FAILURES = ['exposed', 'unwritable', 'purge', 'outage', 'failed'] as const

export type PageFailureCode = (typeof PAGE_FAILURES)[number]

/** Why a page or a frame failed. */
export type Failure = {
  /** For clients. */
  readonly message: string
  readonly code: PageFailureCode
  /** Nothing is wrong with it: it is tried again soon, however often it has failed [false] */
  readonly isTemporary?: boolean
}

/** Rows in one statement. */
const ROWS_PER_STATEMENT = 2000

/**
 * Ends the work on things: those up to the version are deleted.
 * @param version that of the snapshot from which they were built: what was touched later stays
 */
export function completeThings(
  tx: Tx,
  { blogId, globals }: WorkSite,
  version: number,
  things: readonly Work[],
): void {
  for (const batch of inBatches(things, ROWS_PER_STATEMENT))
    tx.later(
      'DELETE FROM :work: WHERE blog_id = :blogId AND (kind, name) IN (:things) AND version <= :version',
      {
        ...workTables(globals),
        blogId,
        things: batch.map(({ kind, name }) => [kind, name]),
        version,
      },
    )
}

/** Adds things that are what is left of others. */
export function addThings(
  tx: Tx,
  { blogId, globals }: WorkSite,
  version: number,
  things: readonly Work[],
): void {
  for (const batch of inBatches(things, ROWS_PER_STATEMENT))
    tx.later(
      `INSERT INTO :work: (blog_id, kind, name, version, since, due_at) VALUES :rows
        ON DUPLICATE KEY UPDATE version = GREATEST(version, VALUES(version)), due_at = VALUES(due_at)`,
      {
        ...workTables(globals),
        rows: batch.map(({ kind, name }) => [blogId, kind, name, version, NOW, DUE_NOW]),
      },
    )
}

/** Frames that could not be baked wait for their next try; one that was touched since the version is due at once. */
export function failFrames(
  tx: Tx,
  { blogId, globals }: WorkSite,
  version: number,
  messages: ReadonlyMap<string, string>,
): void {
  if (messages.size === 0) return
  const firstTry = inMs(tx.timings.work.backoffMs)
  tx.later(
    `INSERT INTO :work: (blog_id, kind, name, version, since, tries, error, due_at) VALUES :rows
      ON DUPLICATE KEY UPDATE tries = tries + 1, error = VALUES(error),
        due_at = IF(version > VALUES(version), '${DUE_NOW}', ${NEXT_TRY})`,
    {
      ...workTables(globals),
      rows: [...messages].map(([id, message]) => [
        blogId,
        'frame',
        id,
        version,
        NOW,
        1,
        message.slice(0, MAX_ERROR_LENGTH),
        firstTry,
      ]),
      ...pausesOf(tx),
    },
  )
}

/** Adds pages that follow from things, up to any number. One that has failed is due again. */
export function addPages(
  tx: Tx,
  { blogId, globals }: WorkSite,
  version: number,
  pages: readonly number[],
): void {
  for (const batch of inBatches(pages, ROWS_PER_STATEMENT))
    tx.later(
      `INSERT INTO :pages: (blog_id, page_id, wanted, since, due_at) VALUES :rows
        ON DUPLICATE KEY UPDATE since = IF(wanted > 0, since, VALUES(since)), wanted = GREATEST(wanted, VALUES(wanted)),
          due_at = VALUES(due_at)`,
      { ...workTables(globals), rows: batch.map((page) => [blogId, page, version, NOW, DUE_NOW]) },
    )
}

/** What has become of the pages of one snapshot. */
export type CompletedPages = {
  /** All of them. */
  readonly pages: readonly number[]
  readonly failed: ReadonlyMap<number, Failure>
  /** Pages that may be published only so many milliseconds from now. */
  readonly deferred: ReadonlyMap<number, number>
}

/**
 * Ends the work on pages: what failed waits for its next try, the others are done up to the version. Call it after their records are stored: a row
 * without a copy that nothing is wanted of is deleted.
 * @param version that of the snapshot: a page that was touched later stays due
 */
export function completePages(
  tx: Tx,
  { blogId, globals }: WorkSite,
  version: number,
  { pages, failed, deferred }: CompletedPages,
): void {
  const values = { ...workTables(globals), blogId, version }
  const done = pages.filter((page) => !failed.has(page) && !deferred.has(page))
  for (const ids of inBatches(done, ROWS_PER_STATEMENT)) {
    tx.later(
      `UPDATE :pages: SET ${NOTHING_WANTED} WHERE blog_id = :blogId AND page_id IN (:ids) AND wanted <= :version`,
      { ...values, ids },
    )
    tx.later(`DELETE FROM :pages: WHERE blog_id = :blogId AND page_id IN (:ids) AND ${IS_EMPTY}`, {
      ...values,
      ids,
    })
  }
  for (const isTemporary of [true, false]) {
    const alike = [...failed].filter(
      ([, failure]) => (failure.isTemporary ?? false) === isTemporary,
    )
    failPages(tx, { blogId, globals }, version, new Map(alike), isTemporary)
  }
  // The longest one: pages that a store refuses for the moment.
  if (deferred.size > 0)
    tx.later('UPDATE :pages: SET due_at = :due WHERE blog_id = :blogId AND page_id IN (:ids)', {
      ...values,
      ids: [...deferred.keys()],
      due: inMs(Math.max(...deferred.values())),
    })
}

const NOTHING_WANTED =
  'wanted = 0, is_touched = 0, since = NULL, tries = 0, due_at = NULL, code = NULL, error = NULL'

function failPages(
  tx: Tx,
  { blogId, globals }: WorkSite,
  version: number,
  failed: ReadonlyMap<number, Failure>,
  isTemporary: boolean,
): void {
  if (failed.size === 0) return
  const firstTry = inMs(tx.timings.work.backoffMs)
  tx.later(
    `INSERT INTO :pages: (blog_id, page_id, wanted, since, tries, code, error, due_at) VALUES :rows
      ON DUPLICATE KEY UPDATE tries = tries + 1, code = VALUES(code), error = VALUES(error),
        due_at = IF(wanted > VALUES(wanted), '${DUE_NOW}', ${NEXT_TRY})`,
    {
      ...workTables(globals),
      rows: [...failed].map(([page, { code, message }]) => [
        blogId,
        page,
        version,
        NOW,
        1,
        code,
        message.slice(0, MAX_ERROR_LENGTH),
        firstTry,
      ]),
      ...pausesOf(tx, isTemporary ? tx.timings.work.temporaryPauseMs : undefined),
    },
  )
}

/** What of a site was tried in vain. */
export type TriedWork = {
  readonly things: readonly RecordedThing[]
  readonly pages: readonly number[]
}

/**
 * Nothing of this could be done.
 * @param isOutage nothing is wrong with it: it is due again after a short pause. Otherwise the pauses double with each try
 */
export function failAll(
  tx: Tx,
  { blogId, globals }: WorkSite,
  { things, pages }: TriedWork,
  message: string,
  isOutage: boolean,
): void {
  const values = {
    ...workTables(globals),
    blogId,
    error: message.slice(0, MAX_ERROR_LENGTH),
    paused: inMs(tx.timings.work.returnedPauseMs),
    ...pausesOf(tx),
  }
  const failure = isOutage
    ? 'tries = GREATEST(tries, 1), error = :error, due_at = :paused'
    : `tries = tries + 1, error = :error, due_at = ${NEXT_TRY}`
  for (const batch of inBatches(things, ROWS_PER_STATEMENT))
    tx.later(`UPDATE :work: SET ${failure} WHERE blog_id = :blogId AND (kind, name) IN (:things)`, {
      ...values,
      things: batch.map(({ kind, name }) => [kind, name]),
    })
  for (const ids of inBatches(pages, ROWS_PER_STATEMENT))
    tx.later(
      `UPDATE :pages: SET code = '${isOutage ? 'outage' : 'failed'}', ${failure}
        WHERE blog_id = :blogId AND page_id IN (:ids) AND wanted > 0`,
      { ...values, ids },
    )
}
