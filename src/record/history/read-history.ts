import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import { decompressContent } from './content.ts'
import {
  CONTENT_KIND,
  type EntryRow,
  EVENT_KIND,
  type HistoryAction,
  type HistoryKind,
  type HistorySite,
  historyTable,
  type Thing,
  thingKey,
} from './history-row.ts'

/** Which entries to read; absent fields match all. */
export type HistoryFilter = {
  readonly kind?: HistoryKind | undefined
  /** The thing's id, or its name at the time. */
  readonly ref?: string | undefined
  readonly action?: HistoryAction | undefined
  readonly userId?: number | undefined
  readonly tokenId?: number | undefined
  readonly requestId?: string | undefined
  /** GMT, `YYYY-MM-DD HH:MM:SS`, with milliseconds or without; inclusive. */
  readonly since?: string | undefined
  readonly until?: string | undefined
  /** Only entries with a smaller id, or in ascending order with a larger one. */
  readonly after?: number | undefined
  readonly order?: 'newest' | 'oldest' | undefined
  readonly limit: number
}

/** The columns of an `EntryRow`. */
export const ENTRY_COLUMNS = `id, blog_id, kind, ref, name, action, state, LOWER(HEX(content)) AS content,
  LOWER(HEX(version)) AS version, LOWER(HEX(previous)) AS previous, user_id, token_id, label, request_id, created_at`

/** Values for the placeholders of a condition. */
export type ConditionValues = Parameters<typeof readRows>[2]

/**
 * Reads the entries that meet a condition, without the rows of contents and of events.
 * @param rest `ORDER BY` and `LIMIT`
 */
export function readEntries(
  db: Db,
  globals: HistorySite['globals'],
  condition: string,
  values: ConditionValues,
  rest = 'ORDER BY id',
): Promise<EntryRow[]> {
  return readRows<EntryRow>(
    db,
    `SELECT ${ENTRY_COLUMNS} FROM :history: WHERE kind NOT IN (:hidden) AND ${condition} ${rest}`,
    { ...values, history: historyTable(globals), hidden: [CONTENT_KIND, EVENT_KIND] },
  )
}

/** The condition of each field of a filter. */
const CONDITIONS: { readonly [Field in keyof HistoryFilter]?: string } = {
  kind: 'kind = :kind',
  ref: '(ref = :ref OR name = :ref)',
  action: 'action = :action',
  userId: 'user_id = :userId',
  tokenId: 'token_id = :tokenId',
  // An ASCII column cannot be compared with other characters. Converted, they are question marks, which no id has.
  requestId: 'request_id = CONVERT(:requestId USING ascii)',
  since: 'created_at >= :since',
  until: 'created_at <= :until',
}

/**
 * Reads entries, newest first unless the filter has another order.
 * @param blogId undefined for the entries of all sites, and of tokens
 */
export function listEntries(
  db: Db,
  globals: HistorySite['globals'],
  blogId: number | undefined,
  { after, order = 'newest', limit, ...filter }: HistoryFilter,
): Promise<EntryRow[]> {
  const isAscending = order === 'oldest'
  const sent = Object.entries(filter).filter(([, value]) => value !== undefined)
  const conditions = [
    blogId === undefined ? 'TRUE' : 'blog_id = :blogId',
    ...sent.map(([field]) => CONDITIONS[field as keyof HistoryFilter] ?? 'FALSE'),
    ...(after === undefined ? [] : [`id ${isAscending ? '>' : '<'} :after`]),
  ]
  const values = { ...Object.fromEntries(sent), blogId: blogId ?? 0, after: after ?? 0, limit }
  const rest = `ORDER BY id ${isAscending ? 'ASC' : 'DESC'} LIMIT :limit`
  return readEntries(db, globals, conditions.join(' AND '), values, rest)
}

/** When something was written to each of these sites last, by id; read from the key `age`. A site without a history is left out. */
export async function readChangeTimes(
  db: Db,
  globals: HistorySite['globals'],
  blogIds: readonly number[],
): Promise<Map<number, string>> {
  if (blogIds.length === 0) return new Map()
  const rows = await readRows<{ blog_id: number; changed_at: string }>(
    db,
    `SELECT blog_id, MAX(created_at) AS changed_at FROM :history:
      WHERE blog_id IN (:blogIds) GROUP BY blog_id`,
    { history: historyTable(globals), blogIds: [...blogIds] },
  )
  return new Map(rows.map(({ blog_id, changed_at }) => [blog_id, changed_at]))
}

/** The entry with this id on the site; undefined if there is none. */
export async function findEntry(
  db: Db,
  { blogId, globals }: HistorySite,
  id: number,
): Promise<EntryRow | undefined> {
  const [entry] = await readEntries(db, globals, 'id = :id AND blog_id = :blogId', { id, blogId })
  return entry
}

const THING = 'blog_id = :blogId AND kind = :kind AND ref = :ref'

/** The entry before this one of the same thing; undefined for the first, and if it was pruned. */
export async function findPreviousEntry(
  db: Db,
  site: HistorySite,
  entry: EntryRow,
): Promise<EntryRow | undefined> {
  const [previous] = await listPreviousEntries(db, site, [entry])
  return previous
}

/**
 * Of these things of the same kind, those that were written since a thing has its present name: after it got the name, or by the same request.
 * @returns undefined if the history does not have how it got the name
 */
export async function findWrittenSinceNamed(
  db: Db,
  site: HistorySite,
  { kind, ref, name }: Thing & { readonly name: string },
  refs: readonly string[],
): Promise<Set<string> | undefined> {
  const { blogId, globals } = site
  const history = historyTable(globals)
  const values = { blogId, kind, ref, name, history }
  const isNamed = `id > (SELECT COALESCE(MAX(id), 0) FROM :history: WHERE ${THING} AND NOT name = :name)`
  const [named] = await readEntries(
    db,
    globals,
    `${THING} AND ${isNamed}`,
    values,
    'ORDER BY id LIMIT 1',
  )
  if (!named) return undefined
  if (refs.length === 0) return new Set()
  const rows = await readRows<{ ref: string }>(
    db,
    `SELECT DISTINCT ref FROM :history: WHERE blog_id = :blogId AND kind = :kind AND ref IN (:refs)
      AND (id > :named OR request_id = :requestId)`,
    { ...values, refs: [...refs], named: named.id, requestId: named.request_id },
  )
  return new Set(rows.map((row) => row.ref))
}

/** The entries before these of different things, each of the same thing. Those that do not exist or were pruned are left out. */
export async function listPreviousEntries(
  db: Db,
  { globals }: HistorySite,
  entries: readonly EntryRow[],
): Promise<EntryRow[]> {
  if (entries.length === 0) return []
  const previous = `SELECT MAX(p.id) FROM :history: e
    JOIN :history: p ON p.blog_id = e.blog_id AND p.kind = e.kind AND p.ref = e.ref AND p.id < e.id
    WHERE e.id IN (:ids) GROUP BY e.id`
  return readEntries(db, globals, `id IN (${previous})`, {
    history: historyTable(globals),
    ids: entries.map(({ id }) => id),
  })
}

/** The things of a kind that have entries on a site. */
export async function listThingsInHistory(
  db: Db,
  { blogId, globals }: HistorySite,
  kind: HistoryKind,
): Promise<string[]> {
  const rows = await readRows<{ ref: string }>(
    db,
    'SELECT DISTINCT ref FROM :history: WHERE blog_id = :blogId AND kind = :kind',
    { history: historyTable(globals), blogId, kind },
  )
  return rows.map(({ ref }) => ref)
}

/** The contents with these hashes, by hash. Missing ones are left out. */
export async function readContents(
  db: Db,
  { blogId, globals }: HistorySite,
  hashes: Iterable<string>,
): Promise<Map<string, string>> {
  const wanted = [...new Set(hashes)].map((hash) => Buffer.from(hash, 'hex'))
  if (wanted.length === 0) return new Map()
  const rows = await readRows<{ hash: Buffer; data: Buffer }>(
    db,
    'SELECT hash, data FROM :history: WHERE blog_id = :blogId AND kind = :kind AND hash IN (:wanted)',
    { history: historyTable(globals), blogId, kind: CONTENT_KIND, wanted },
  )
  const texts = await Promise.all(rows.map(({ data }) => decompressContent(data)))
  return new Map(rows.map(({ hash }, index) => [hash.toString('hex'), texts[index] ?? '']))
}

/** The content of an entry; undefined if the entry has none. */
export async function readContent(
  db: Db,
  site: HistorySite,
  { content }: Pick<EntryRow, 'content'>,
): Promise<string | undefined> {
  return content === null ? undefined : (await readContents(db, site, [content])).get(content)
}

/** A moment of the history: after the entry with this id, or after all entries up to a time (GMT, as in `HistoryFilter`). */
export type Moment = { readonly entry: number } | { readonly time: string }

/** The condition of the entries up to a moment. */
const UP_TO = '(id <= :entry OR created_at <= :time)'

const momentValues = (moment: Moment) =>
  'entry' in moment ? { entry: moment.entry, time: '1970-01-01' } : { entry: 0, time: moment.time }

/**
 * The entry with the state of a thing at a moment. A thing that has only later entries was at that moment as it was `found`.
 * @returns undefined if the thing did not exist, or if nothing is known about it
 */
export async function findEntryAt(
  db: Db,
  { blogId, globals }: HistorySite,
  { kind, ref }: Thing,
  moment: Moment,
): Promise<EntryRow | undefined> {
  const values = { blogId, kind, ref, ...momentValues(moment) }
  const newest = 'ORDER BY id DESC LIMIT 1'
  const [entry] = await readEntries(db, globals, `${THING} AND ${UP_TO}`, values, newest)
  if (entry) return entry
  const [first] = await readEntries(db, globals, THING, values, 'ORDER BY id LIMIT 1')
  return first?.action === 'found' ? first : undefined
}

/** The states of things at a moment: `at` is null for a thing that did not exist, undefined for one of which that is not known. */
export type StateAt = { readonly thing: Thing; readonly at: EntryRow | null | undefined }

/**
 * The states at a moment of all things of a site that were written after it. Things that were not written since are left out.
 * @param options.everything also those that were not written since
 */
export async function listChangedSince(
  db: Db,
  site: HistorySite,
  moment: Moment,
  { everything = false }: { readonly everything?: boolean } = {},
): Promise<StateAt[]> {
  const { blogId, globals } = site
  const values = { blogId, ...momentValues(moment) }
  const isRestorable = "kind IN ('frame', 'menu', 'location', 'assignment', 'dataset')"
  const isLater = `blog_id = :blogId AND NOT ${UP_TO} AND ${isRestorable}`
  // Of each thing the last entry before the moment and the first one after it.
  const bounds = `id IN (SELECT MIN(id) FROM :history: WHERE ${isLater} GROUP BY kind, ref)`
  const first = await readEntries(db, globals, bounds, {
    ...values,
    history: historyTable(globals),
  })
  const changed = everything
    ? isRestorable
    : `EXISTS (SELECT 1 FROM :history: later WHERE later.blog_id = :blogId AND later.kind = b.kind
    AND later.ref = b.ref AND NOT (later.id <= :entry OR later.created_at <= :time))`
  const last = await readEntries(
    db,
    globals,
    `id IN (SELECT MAX(id) FROM :history: b WHERE blog_id = :blogId AND ${UP_TO} AND ${changed} GROUP BY kind, ref)`,
    { ...values, history: historyTable(globals) },
  )
  const before = new Map(last.map((entry) => [thingKey(entry), entry]))
  const written = first.map((entry): StateAt => {
    const { kind, ref, action, previous } = entry
    const known = action === 'found' ? entry : previous === null ? null : undefined
    return { thing: { kind, ref }, at: before.get(thingKey(entry)) ?? known }
  })
  for (const { thing } of written) before.delete(thingKey(thing))
  return [...written, ...[...before.values()].map((at) => ({ thing: at, at }))]
}
