import type { Db } from '../../db/database.ts'
import { IS_DUE, inMs } from '../../db/lease.ts'
import { readRows } from '../../db/sql.ts'
import { BLOG_COLUMNS, type BlogRow, type GlobalTables } from '../../wordpress/network/site.ts'
import { WORK_KINDS, type Work, type WorkKind } from './work.ts'
import { workTables } from './work-tables.ts'

/** Number of things that are read together. */
export const MAX_THINGS = 500
/** Number of pages that are published from one snapshot: a page that is edited meanwhile waits for so many. */
export const MAX_PAGES = 200

/** No work is due later, unless the clock of the database was set back (`IS_DUE`). */
export const latestWork = ({ timings }: Timed) => inMs(2 * timings.work.maxBackoffMs)
const KINDS_OF_THINGS = WORK_KINDS.filter((kind) => kind !== 'page')

type Timed = Pick<Db, 'timings'>

/** What identifies a site in the tables of the work. */
export type WorkSite = { readonly blogId: number; readonly globals: GlobalTables }

/** A thing that was touched, as it is recorded. */
export type RecordedThing = Work & {
  readonly version: number
  readonly tries: number
}

/** A page that is to be published. */
export type WantedPage = {
  readonly page: number
  readonly tries: number
  /** A write or an edit has touched the page itself. */
  readonly isTouched: boolean
}

/** The name of the task of building a site: who has it is the only one that builds the site. */
export const siteTask = (blogId: number): string => `${SITE_TASK}${blogId}`

export const SITE_TASK = 'site:'

/** The ids of all builders whose lease of a site has not ended. */
export async function listBuilders(db: Db, globals: GlobalTables): Promise<Set<string>> {
  const rows = await readRows<{ owner: string }>(
    db,
    `SELECT owner FROM :tasks: WHERE name LIKE '${SITE_TASK}%' AND owner IS NOT NULL AND due_at > NOW(6)`,
    workTables(globals),
  )
  return new Set(rows.map(({ owner }) => owner))
}

/** The blog ids of the sites with work that may start now: look-ups in two indexes. */
export async function listDueSites(db: Db, globals: GlobalTables): Promise<number[]> {
  const rows = await readRows<{ blog_id: number }>(
    db,
    `SELECT DISTINCT blog_id FROM :work: WHERE ${IS_DUE}
      UNION SELECT DISTINCT blog_id FROM :pages: WHERE ${IS_DUE}`,
    { ...workTables(globals), latest: latestWork(db) },
  )
  return rows.map(({ blog_id }) => blog_id)
}

/** What a snapshot shows of the work of a site. */
export type DueWork = {
  /** False: the snapshot is older than the lease. A node of a cluster may lag behind. */
  readonly isHeld: boolean
  /** The version of the site. */
  readonly version: number
  /** The site's row of `blogs`; undefined if the site was deleted. */
  readonly blog: BlogRow | undefined
  /** At most `MAX_THINGS`. */
  readonly things: readonly RecordedThing[]
  /** At most `MAX_PAGES`, those that were touched first. */
  readonly pages: readonly WantedPage[]
}

/**
 * Reads what of a site is due, the version of the site and its state, in one round trip. Things of kinds that this program does not know stay for
 * processes of the newer version that recorded them.
 * @param owner of the lease of the site
 */
export async function readDueWork(
  db: Db,
  { blogId, globals }: WorkSite,
  owner: string,
): Promise<DueWork> {
  const blogColumns = BLOG_COLUMNS.map((column) => `b.${column}`).join()
  const latest = latestWork(db)
  const [rows, pages] = await Promise.all([
    readRows<DueRow>(
      db,
      `SELECT s.version AS site_version, t.name IS NOT NULL AS is_held, w.kind, w.name, w.version, w.tries, ${blogColumns}
        FROM (SELECT 1) one
        LEFT JOIN :sites: s ON s.blog_id = :blogId
        LEFT JOIN :blogs: b ON b.blog_id = :blogId
        LEFT JOIN :tasks: t ON t.name = :name AND t.owner = :owner
        LEFT JOIN :work: w ON w.blog_id = :blogId AND w.kind IN (:kinds) AND (w.due_at <= NOW(6) OR w.due_at > :latest)
        ORDER BY w.version LIMIT ${MAX_THINGS}`,
      {
        ...workTables(globals),
        blogs: globals.blogs,
        kinds: KINDS_OF_THINGS,
        name: siteTask(blogId),
        owner,
        blogId,
        latest,
      },
    ),
    readRows<{ page_id: number; tries: number; is_touched: number }>(
      db,
      // An index leads to each part in its order, however many pages wait.
      [1, 0]
        .map(
          (isTouched) =>
            `(SELECT page_id, tries, is_touched FROM :pages: FORCE INDEX (next)
              WHERE blog_id = :blogId AND is_touched = ${isTouched} AND wanted > 0 AND ${IS_DUE}
              ORDER BY wanted, page_id LIMIT ${MAX_PAGES})`,
        )
        .join(' UNION ALL '),
      { ...workTables(globals), blogId, latest },
    ),
  ])
  const [first] = rows
  return {
    isHeld: first?.is_held === 1,
    version: first?.site_version ?? 0,
    blog: first?.blog_id == null ? undefined : (first as BlogRow),
    things: rows.flatMap(({ kind, name: thing, version, tries }) =>
      kind === null ? [] : { kind, name: thing, version, tries },
    ),
    pages: pages.slice(0, MAX_PAGES).map(({ page_id, tries, is_touched }) => ({
      page: page_id,
      tries,
      isTouched: is_touched === 1,
    })),
  }
}

type DueRow = {
  readonly site_version: number | null
  readonly is_held: number
  readonly kind: WorkKind | null
  readonly name: string
  readonly version: number
  readonly tries: number
} & { readonly [Column in keyof BlogRow]: BlogRow[Column] | null }

/** The number of a site's pages and of its other things, which become frames. */
export async function countWork(
  db: Db,
  { blogId, globals }: WorkSite,
): Promise<{ readonly pages: number; readonly frames: number }> {
  const [row] = await readRows<{ pages: number; frames: number }>(
    db,
    `SELECT (SELECT COUNT(*) FROM :pages: WHERE blog_id = :blogId AND is_touched IN (0, 1) AND wanted > 0) AS pages,
      (SELECT COUNT(*) FROM :work: WHERE blog_id = :blogId) AS frames`,
    { ...workTables(globals), blogId },
  )
  return { pages: row?.pages ?? 0, frames: row?.frames ?? 0 }
}

/** What is left of one thing. */
export type LeftThing = Work & {
  /** Whether it is being done or due; otherwise it has failed and waits for its next try. */
  readonly isWaiting: boolean
  /** Why its last try failed, for clients; null if none has. */
  readonly error: string | null
}

/** The things of a site that are left. */
export async function listLeftThings(db: Db, { blogId, globals }: WorkSite): Promise<LeftThing[]> {
  const rows = await readRows<Work & { waiting: number; error: string | null }>(
    db,
    `SELECT kind, name, error, (tries = 0 OR ${IS_DUE}) AS waiting FROM :work: WHERE blog_id = :blogId`,
    { ...workTables(globals), blogId, latest: latestWork(db) },
  )
  return rows.map(({ waiting, ...row }) => ({ ...row, isWaiting: waiting === 1 }))
}

/** True if a site has work that is being done or due; false if none is left, or what is left has failed and waits for its next try. */
export async function isWorking(db: Db, { blogId, globals }: WorkSite): Promise<boolean> {
  const isWaiting = `(tries = 0 OR ${IS_DUE})`
  const rows = await readRows(
    db,
    `(SELECT 1 FROM :work: WHERE blog_id = :blogId AND ${isWaiting} LIMIT 1)
      UNION (SELECT 1 FROM :pages: WHERE blog_id = :blogId AND is_touched IN (0, 1) AND wanted > 0 AND ${isWaiting} LIMIT 1)`,
    { ...workTables(globals), blogId, latest: latestWork(db) },
  )
  return rows.length > 0
}
