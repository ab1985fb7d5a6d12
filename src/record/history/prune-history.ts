import type { Database, Db } from '../../db/database.ts'
import { DAY_MS, timeText } from '../../db/gmt.ts'
import { readRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { CONTENT_KIND, EVENT_KIND, type HistorySite, historyTable } from './history-row.ts'
import { lockNumbers, recordPruned } from './number-changes.ts'
import { type ConditionValues, readEntries } from './read-history.ts'
import { recordHistory } from './record-history.ts'

/** How long and how much history is kept. */
export type Retention = {
  /** Undefined for no limit. */
  readonly days: number | undefined
  /** Limit for the entries and contents of a site, in bytes; undefined for none. */
  readonly bytesPerSite: number | undefined
}

/** How long, and how many of each site, the rows stay that only the list of events shows. A reader that is further behind gets a `reset`. */
export const EVENTS_KEPT = { days: 7, perSite: 10_000 }

type PruneOptions = {
  readonly now: Date
  readonly signal?: AbortSignal
  /** The only site [all]. */
  readonly blogId?: number
  /** [`EVENTS_KEPT`] */
  readonly eventsKept?: typeof EVENTS_KEPT
}

/** Rows that one transaction deletes. */
const BATCH_SIZE = 500

/**
 * Deletes old entries and events of all sites, in transactions of at most 500 rows. Of the entries of each thing, the last state before the limit stays,
 * because it is the state at the oldest moment that can be restored; so does the last state of each thing that exists.
 * @returns the number of deleted entries and events
 */
export async function pruneHistory(
  db: Database,
  globals: HistorySite['globals'],
  retention: Retention,
  { now, signal, blogId: only, eventsKept = EVENTS_KEPT }: PruneOptions,
): Promise<number> {
  let deleted = 0
  const repeat = async (site: HistorySite, pruneSome: (tx: Tx) => Promise<number>) => {
    for (let step = BATCH_SIZE; step === BATCH_SIZE && !signal?.aborted; deleted += step)
      step = await db.write({ site }, pruneSome)
  }
  for (const { blogId, bytes } of await listHistories(db, globals, only)) {
    const site = { blogId, globals }
    const limit = await limitOf(db, site, bytes, retention, now)
    if (limit !== undefined) await repeat(site, (tx) => pruneEntries(tx, site, limit))
    const last = await lastOldEvent(db, site, eventsKept, now)
    if (last !== undefined) await repeat(site, (tx) => pruneEvents(tx, site, last))
  }
  return deleted
}

async function listHistories(
  db: Db,
  globals: HistorySite['globals'],
  blogId: number | undefined,
): Promise<{ blogId: number; bytes: number }[]> {
  const rows = await readRows<{ blog_id: number; bytes: number }>(
    db,
    `SELECT blog_id, SUM(bytes) AS bytes FROM :history:
      ${blogId === undefined ? '' : 'WHERE blog_id = :blogId'} GROUP BY blog_id ORDER BY blog_id`,
    { history: historyTable(globals), ...(blogId === undefined ? {} : { blogId }) },
  )
  return rows.map(({ blog_id, bytes }) => ({ blogId: blog_id, bytes: Number(bytes) }))
}

/** The time before which entries are deleted; undefined if none are. */
async function limitOf(
  db: Db,
  { blogId, globals }: HistorySite,
  bytes: number,
  { days, bytesPerSite }: Retention,
  now: Date,
): Promise<string | undefined> {
  const byAge = days === undefined ? undefined : timeText(new Date(now.getTime() - days * DAY_MS))
  if (bytesPerSite === undefined || bytes <= bytesPerSite) return byAge
  // The newest entry with which the limit is exceeded, counted from the end.
  const [row] = await readRows<{ created_at: string }>(
    db,
    `SELECT created_at FROM (
        SELECT created_at, SUM(bytes) OVER (ORDER BY created_at DESC, id DESC) AS total
        FROM :history: WHERE blog_id = :blogId
      ) sizes WHERE total > :bytesPerSite ORDER BY total LIMIT 1`,
    { history: historyTable(globals), blogId, bytesPerSite },
  )
  const bySize = row?.created_at
  if (byAge === undefined || bySize === undefined) return byAge ?? bySize
  return byAge > bySize ? byAge : bySize
}

/** @returns the number of deleted entries */
async function pruneEntries(tx: Tx, site: HistorySite, limit: string): Promise<number> {
  const { blogId, globals } = site
  const history = historyTable(globals)
  // This may take seconds, so nothing is locked yet. Each row is found by its thing.
  const found = await readRows<{ id: number }>(
    tx,
    `SELECT e.id FROM :history: e
      WHERE e.blog_id = :blogId AND e.kind NOT IN (:hidden) AND e.created_at < :limit AND (
        EXISTS (SELECT 1 FROM :history: n WHERE n.blog_id = e.blog_id AND n.kind = e.kind AND n.ref = e.ref
          AND n.id > e.id AND n.created_at < :limit)
        OR (e.version IS NULL AND NOT EXISTS (SELECT 1 FROM :history: n WHERE n.blog_id = e.blog_id
          AND n.kind = e.kind AND n.ref = e.ref AND n.id > e.id)))
      ORDER BY e.id LIMIT ${BATCH_SIZE}`,
    { history, blogId, hidden: [CONTENT_KIND, EVENT_KIND], limit },
  )
  if (found.length === 0) return 0
  const ids = found.map(({ id }) => id)
  const rows = await deleteRows(tx, site, 'id IN (:ids)', { ids })
  if (rows.length === 0) return 0
  await deleteUnusedContents(
    tx,
    site,
    rows.flatMap(({ content }) => content ?? []),
  )
  await recordPruning(tx, site, limit, rows.length)
  return rows.length
}

const OF_EVENTS = "blog_id = :blogId AND kind = :kind AND ref = ''"

type OldEvent = { readonly id: number; readonly limit: string }

/** The events to delete: those up to an id, and those before a time. Undefined if there are none. */
async function lastOldEvent(
  db: Db,
  { blogId, globals }: HistorySite,
  { days, perSite }: typeof EVENTS_KEPT,
  now: Date,
): Promise<OldEvent | undefined> {
  const limit = timeText(new Date(now.getTime() - days * DAY_MS))
  const of = `FROM :history: WHERE ${OF_EVENTS} ORDER BY id`
  const [row] = await readRows<{ oldest: string | null; id: number | null }>(
    db,
    `SELECT (SELECT created_at ${of} LIMIT 1) AS oldest, (SELECT id ${of} DESC LIMIT 1 OFFSET :perSite) AS id`,
    { history: historyTable(globals), blogId, kind: EVENT_KIND, perSite },
  )
  const { oldest = null, id = null } = row ?? {}
  return id !== null || (oldest !== null && oldest < limit) ? { id: id ?? 0, limit } : undefined
}

/** @returns the number of deleted events */
async function pruneEvents(tx: Tx, site: HistorySite, { id, limit }: OldEvent): Promise<number> {
  const isOld = `${OF_EVENTS} AND (id <= :id OR created_at < :limit)`
  const values = { blogId: site.blogId, kind: EVENT_KIND, id, limit }
  return (await deleteRows(tx, site, isOld, values)).length
}

/**
 * Deletes the first rows of a site that meet a condition, so that readers of the feed learn of it. One process at a time does so: what another one has deleted
 * before is not there any more.
 * @returns the deleted rows
 */
async function deleteRows(
  tx: Tx,
  site: HistorySite,
  condition: string,
  values: ConditionValues,
): Promise<{ readonly content: Buffer | null }[]> {
  const history = historyTable(site.globals)
  lockNumbers(tx, site.globals)
  const rows = await readRows<{ id: number; content: Buffer | null; position: number | null }>(
    tx,
    `SELECT id, content, position FROM :history: WHERE ${condition} ORDER BY id LIMIT ${BATCH_SIZE}`,
    { ...values, history },
  )
  if (rows.length === 0) return []
  tx.later('DELETE FROM :history: WHERE id IN (:ids)', { history, ids: rows.map(({ id }) => id) })
  await recordPruned(
    tx,
    site,
    rows.map(({ position }) => position),
  )
  return rows
}

/** A writer locks the contents that it uses (`recordHistory`), so a content without entries stays unused until the commit. */
async function deleteUnusedContents(
  tx: Tx,
  { blogId, globals }: HistorySite,
  hashes: Buffer[],
): Promise<void> {
  if (hashes.length === 0) return
  const values = { history: historyTable(globals), blogId, contentKind: CONTENT_KIND }
  const contents = await readRows<{ id: number; hash: Buffer }>(
    tx,
    'SELECT id, hash FROM :history: WHERE blog_id = :blogId AND kind = :contentKind AND hash IN (:hashes) FOR UPDATE',
    { ...values, hashes },
  )
  const used = await readRows<{ content: Buffer }>(
    tx,
    'SELECT DISTINCT content FROM :history: WHERE blog_id = :blogId AND content IN (:hashes)',
    { ...values, hashes },
  )
  const kept = new Set(used.map(({ content }) => content.toString('hex')))
  const unused = contents.filter(({ hash }) => !kept.has(hash.toString('hex')))
  if (unused.length === 0) return
  tx.later('DELETE FROM :history: WHERE id IN (:ids)', {
    ...values,
    ids: unused.map(({ id }) => id),
  })
}

/** A pruning is an entry itself, so that the history says that older entries were deleted. */
async function recordPruning(
  tx: Tx,
  site: HistorySite,
  until: string,
  entries: number,
): Promise<void> {
  const [last] = await readEntries(
    tx,
    site.globals,
    "blog_id = :blogId AND kind = 'pruning'",
    { blogId: site.blogId },
    'ORDER BY id DESC LIMIT 1',
  )
  const before = last?.state ? { name: '', fields: JSON.parse(last.state) } : undefined
  const total = entries + Number(before?.fields.entries ?? 0)
  const fields = { until, entries: total }
  recordHistory(tx, site, {
    kind: 'pruning',
    ref: '',
    action: 'pruned',
    before,
    after: { name: '', fields },
  })
}
