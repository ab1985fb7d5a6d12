import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { GlobalTables, Site } from '../../wordpress/network/site.ts'
import type { PageFailureCode } from './complete-work.ts'
import { hasWork, type WorkCounts } from './describe-work.ts'
import { latestWork } from './due-work.ts'
import { PURGE_TASK } from './purges.ts'
import type { WorkKind } from './work.ts'
import { workTables } from './work-tables.ts'

/** A row whose last attempt failed. The fields have the names that the API and `--json` use. */
export type FailingWork = {
  readonly kind: WorkKind | 'purge'
  /** Id of the page or frame, name of the dataset; empty for kinds of which a site has only one. */
  readonly name: string
  /** How many attempts have failed. */
  readonly tries: number
  /** Why the last one failed, as a sentence. */
  readonly error: string | null
  readonly code: PageFailureCode | null
  /** When it was touched, GMT. */
  readonly since: string
  /** Seconds until the next attempt; 0 if it is due. */
  readonly next_try_in_s: number
}

/** What is still to be built on one site. */
export type WorkStatus = {
  /** Everything that is not finished, including what is running and what is failing. */
  readonly pending: WorkCounts
  /** What a builder has. */
  readonly running: WorkCounts
  /** What has failed and is tried again. */
  readonly failing: WorkCounts
  /** The row that has waited longest: when it was touched (GMT), and its age in seconds. Null if nothing is pending. */
  readonly oldest: { readonly since: string; readonly age_s: number } | null
  /** How long the row that has been due longest has been due, in seconds; 0 if none is. */
  readonly due_for_s: number
}

/** The work of one site, with what is failing. */
export type SiteWorkStatus = WorkStatus & {
  /** Those that have failed longest; at most `MAX_LISTED_FAILURES`. */
  readonly failures: readonly FailingWork[]
}

/** The work of a site in a list of sites. Domain and path are null if the site is not in the list of sites any more. */
type ListedSiteWork = WorkStatus & {
  readonly blogId: number
  readonly domain: string | null
  readonly path: string | null
}

/** The work of all sites. */
export type NetworkWork = {
  readonly total: WorkStatus
  /** Number of sites with work. */
  readonly siteCount: number
  /** The sites that have waited longest; at most `MAX_LISTED_SITES`. */
  readonly sites: readonly ListedSiteWork[]
  /** Those that have failed longest; at most `MAX_LISTED_FAILURES`. */
  readonly failures: readonly (FailingWork & { readonly blogId: number })[]
}

/** Failing rows in a status. */
export const MAX_LISTED_FAILURES = 100
/** Sites in the status of a network. */
export const MAX_LISTED_SITES = 1000

/**
 * The rows of things, pages and purges with the same columns. Only the database's clock is used. A site that is being built has a builder, so that what is due
 * of it is running. A page that several page caches have to purge is one row, with the failures of the one that has failed most often.
 */
const ROWS = `(
  SELECT w.blog_id, w.kind, w.name, w.since, w.due_at, w.tries, NULL AS code, w.error, t.owner
  FROM :work: w LEFT JOIN :tasks: t ON t.name = CONCAT('site:', w.blog_id) AND t.due_at > NOW(6)
  UNION ALL
  SELECT p.blog_id, 'page', p.page_id, p.since, p.due_at, p.tries, p.code, p.error, t.owner
  FROM :pages: p LEFT JOIN :tasks: t ON t.name = CONCAT('site:', p.blog_id) AND t.due_at > NOW(6)
  WHERE p.due_at IS NOT NULL
  UNION ALL
  SELECT p.blog_id, 'purge', IF(p.page_id = 0, '', p.page_id), p.purge_since, IFNULL(t.due_at, p.purge_since), IFNULL(t.tries, 0), NULL, t.error,
    (SELECT MIN(owner) FROM :tasks: WHERE name LIKE '${PURGE_TASK}%' AND owner IS NOT NULL AND due_at > NOW(6))
  FROM :pages: p LEFT JOIN :tasks: t ON t.name = (
    SELECT name FROM :tasks:
    WHERE name LIKE '${PURGE_TASK}%' AND tries > 0 AND (p.purge_by = '*' OR FIND_IN_SET(SUBSTRING(name, ${PURGE_TASK.length + 1}), p.purge_by))
    ORDER BY tries DESC, name LIMIT 1)
  WHERE p.purge_by IS NOT NULL)`
/** A time further ahead than the longest delay was set before the clock was set back. */
const IS_AHEAD = 'w.due_at > NOW(6) AND w.due_at <= :latest'
const IS_RUNNING = `w.owner IS NOT NULL AND NOT (${IS_AHEAD})`
const DUE_SINCE = `CASE WHEN ${IS_AHEAD} THEN NULL WHEN w.due_at > NOW(6) THEN w.since ELSE GREATEST(w.since, w.due_at) END`
/** The rows of each figure of `WorkCounts`, and of each state. */
const COUNTED = {
  pages: "w.kind = 'page'",
  frames: "w.kind NOT IN ('page', 'purge')",
  purges: "w.kind = 'purge'",
}
const STATES = { pending: 'TRUE', running: IS_RUNNING, failing: 'w.tries > 0' }

type WorkState = keyof typeof STATES

const countColumns = Object.entries(STATES).flatMap(([state, isInState]) =>
  Object.entries(COUNTED).map(
    ([counted, isCounted]) =>
      `COALESCE(SUM(${isCounted} AND ${isInState}), 0) AS ${state}_${counted}`,
  ),
)
const STATUS_COLUMNS = `${countColumns},
  MIN(w.since) AS oldest,
  GREATEST(COALESCE(TIMESTAMPDIFF(SECOND, MIN(w.since), NOW(6)), 0), 0) AS age,
  GREATEST(COALESCE(TIMESTAMPDIFF(SECOND, MIN(${DUE_SINCE}), NOW(6)), 0), 0) AS due_for`

/** Sums are decimals, which the driver returns as text. */
type StatusRow = {
  readonly [Column in `${WorkState}_${keyof WorkCounts}`]: number | string
} & {
  readonly oldest: string | null
  readonly age: number
  readonly due_for: number
}

/** The work of one site. Two statements, or one if nothing is failing. */
export async function readSiteWork(db: Db, { blogId, globals }: Site): Promise<SiteWorkStatus> {
  const [row] = await readRows<StatusRow>(
    db,
    `SELECT ${STATUS_COLUMNS} FROM ${ROWS} AS w WHERE w.blog_id = :blogId`,
    { ...workTables(globals), blogId, latest: latestWork(db) },
  )
  const status = statusOf(row)
  const failures = hasWork(status.failing) ? await readFailures(db, globals, blogId) : []
  return { ...status, failures: failures.map(({ blogId: _, ...failure }) => failure) }
}

/** The work of these sites that have any, by blog id, in one statement. */
export async function readWorkOfSites(
  db: Db,
  globals: GlobalTables,
  blogIds: readonly number[],
): Promise<Map<number, WorkStatus>> {
  if (blogIds.length === 0) return new Map()
  const rows = await readRows<StatusRow & { blog_id: number }>(
    db,
    `SELECT w.blog_id, ${STATUS_COLUMNS} FROM ${ROWS} AS w WHERE w.blog_id IN (:blogIds) GROUP BY w.blog_id`,
    { ...workTables(globals), blogIds, latest: latestWork(db) },
  )
  return new Map(rows.map((row) => [row.blog_id, statusOf(row)]))
}

/** A status without work. */
export const NO_WORK: WorkStatus = statusOf(undefined)

/** The work of all sites, in at most three statements. */
export async function readNetworkWork(db: Db, globals: GlobalTables): Promise<NetworkWork> {
  const { siteCount, exposed: _, ...total } = await readTotal(db, globals)
  if (siteCount === 0) return { total, siteCount, sites: [], failures: [] }
  const rows = await readRows<
    StatusRow & { blog_id: number; domain: string | null; path: string | null }
  >(
    db,
    `SELECT w.blog_id, MIN(b.domain) AS domain, MIN(b.path) AS path, ${STATUS_COLUMNS}
      FROM ${ROWS} AS w LEFT JOIN :blogs: AS b ON b.blog_id = w.blog_id
      GROUP BY w.blog_id ORDER BY oldest, w.blog_id LIMIT :limit`,
    { ...workTables(globals), ...globals, limit: MAX_LISTED_SITES, latest: latestWork(db) },
  )
  return {
    total,
    siteCount,
    sites: rows.map((row) => ({
      blogId: row.blog_id,
      domain: row.domain,
      path: row.path,
      ...statusOf(row),
    })),
    failures: hasWork(total.failing) ? await readFailures(db, globals) : [],
  }
}

/** The figures of the metrics: rows of pages and frames, those of purges, and the age of the oldest one in seconds. */
export type WorkGauges = {
  readonly pending: number
  readonly failing: number
  readonly pendingPurges: number
  readonly failingPurges: number
  /** Pages that visitors see although they must not. */
  readonly exposed: number
  readonly oldestSeconds: number
}

/** Reads the figures of the metrics in one statement. */
export async function readWorkGauges(db: Db, globals: GlobalTables): Promise<WorkGauges> {
  const { pending, failing, oldest, exposed } = await readTotal(db, globals)
  return {
    pending: pending.pages + pending.frames,
    failing: failing.pages + failing.frames,
    pendingPurges: pending.purges,
    failingPurges: failing.purges,
    exposed,
    oldestSeconds: oldest?.age_s ?? 0,
  }
}

/** Why pages have failed with this code, of one of them: `exposed` if visitors see what they must not, `unwritable` for files. Null if none has. */
export async function readPageError(
  db: Db,
  globals: GlobalTables,
  code: PageFailureCode,
): Promise<string | null> {
  const [row] = await readRows<{ error: string | null }>(
    db,
    'SELECT MIN(error) AS error FROM :pages: WHERE due_at IS NOT NULL AND code = :code',
    { ...workTables(globals), code },
  )
  return row?.error ?? null
}

async function readTotal(
  db: Db,
  globals: GlobalTables,
): Promise<WorkStatus & { readonly siteCount: number; readonly exposed: number }> {
  const [row] = await readRows<StatusRow & { site_count: number; exposed: number | string }>(
    db,
    `SELECT COUNT(DISTINCT w.blog_id) AS site_count,
        COALESCE(SUM(w.code = 'exposed'), 0) AS exposed, ${STATUS_COLUMNS} FROM ${ROWS} AS w`,
    { ...workTables(globals), latest: latestWork(db) },
  )
  return {
    ...statusOf(row),
    siteCount: row?.site_count ?? 0,
    exposed: Number(row?.exposed ?? 0),
  }
}

function statusOf(row: StatusRow | undefined): WorkStatus {
  const counts = (state: WorkState): WorkCounts => ({
    pages: Number(row?.[`${state}_pages`] ?? 0),
    frames: Number(row?.[`${state}_frames`] ?? 0),
    purges: Number(row?.[`${state}_purges`] ?? 0),
  })
  return {
    pending: counts('pending'),
    running: counts('running'),
    failing: counts('failing'),
    oldest: row?.oldest ? { since: toGmt(row.oldest), age_s: row.age } : null,
    due_for_s: row?.due_for ?? 0,
  }
}

/** The failing rows of a site, or of all sites. */
async function readFailures(
  db: Db,
  globals: GlobalTables,
  blogId?: number,
): Promise<(FailingWork & { blogId: number })[]> {
  const rows = await readRows<FailingWork & { blogId: number }>(
    db,
    `SELECT w.blog_id AS blogId, w.kind, CAST(w.name AS CHAR) AS name, w.tries, w.code, w.error, w.since,
        CASE WHEN ${IS_AHEAD} THEN TIMESTAMPDIFF(SECOND, NOW(6), w.due_at) ELSE 0 END AS next_try_in_s
      FROM ${ROWS} AS w
      WHERE w.tries > 0 ${blogId === undefined ? '' : 'AND w.blog_id = :blogId'}
      ORDER BY w.since, w.blog_id, w.kind, w.name LIMIT :limit`,
    { ...workTables(globals), latest: latestWork(db), limit: MAX_LISTED_FAILURES, blogId },
  )
  return rows.map((row) => ({ ...row, tries: Number(row.tries), since: toGmt(row.since) }))
}

/** Dates are texts in UTC, with microseconds in these columns. */
const toGmt = (date: string): string => date.slice(0, 19)

/** The versions of these sites, by blog id: how many writes with effects each has had. A site without any has none. */
export async function readSiteVersions(
  db: Db,
  globals: GlobalTables,
  blogIds: readonly number[],
): Promise<Map<number, number>> {
  if (blogIds.length === 0) return new Map()
  const rows = await readRows<{ blog_id: number; version: number }>(
    db,
    'SELECT blog_id, version FROM :sites: WHERE blog_id IN (:blogIds)',
    { ...workTables(globals), blogIds },
  )
  return new Map(rows.map(({ blog_id, version }) => [blog_id, Number(version)]))
}
