import type { Tx } from '../db/transaction.ts'
import { type HistorySite, historyTable, type Thing, thingKey } from './history-row.ts'

/** The last entry of a thing; hashes are hexadecimal. */
export type LastEntry = {
  readonly content: string | null
  readonly version: string | null
}

/** A column that contains things as they are stored now, so that their digests are read in the statement that reads the last entries. */
export type StoredTexts = {
  readonly table: string
  readonly nameColumn: string
  readonly textColumn: string
  readonly names: readonly string[]
}

export type LastEntries = {
  /** By `thingKey`; null for a thing without entries. */
  readonly entries: ReadonlyMap<string, LastEntry | null>
  /** SHA-256 of the stored texts, by name. */
  readonly stored: ReadonlyMap<string, string>
}

type LastEntryRow = {
  readonly kind: Thing['kind'] | ''
  readonly ref: string
  readonly content: string | null
  readonly version: string | null
}

/** Reads the last entries of these things, in one statement. */
export async function readLastEntries(
  tx: Tx,
  { blogId, globals }: HistorySite,
  things: readonly Thing[],
  texts?: StoredTexts,
): Promise<LastEntries> {
  const kinds = [...new Set(things.map(({ kind }) => kind))]
  const selects = kinds.map(() => SELECT_LAST)
  const values = kinds.flatMap((kind) => [
    historyTable(globals),
    blogId,
    kind,
    [...new Set(things.filter((thing) => thing.kind === kind).map(({ ref }) => ref))],
    historyTable(globals),
  ])
  const { table = '', nameColumn = '', textColumn = '', names = [] } = texts ?? {}
  const [rows]: LastEntryRow[][] = await tx.sql.raw(
    [...selects, ...(texts ? [SELECT_STORED] : [])].join(' UNION ALL '),
    [...values, ...(texts ? [nameColumn, textColumn, table, nameColumn, names] : [])] as never,
  )
  const entries = new Map<string, LastEntry | null>(things.map((thing) => [thingKey(thing), null]))
  const stored = new Map<string, string>()
  for (const { kind, ref, content, version } of rows ?? []) {
    if (kind === '') stored.set(ref, version ?? '')
    else entries.set(thingKey({ kind, ref }), { content, version })
  }
  return { entries, stored }
}

const SELECT_LAST = `SELECT h.kind, h.ref, LOWER(HEX(h.content)) AS content, LOWER(HEX(h.version)) AS version
  FROM (SELECT MAX(id) AS id FROM ?? WHERE blog_id = ? AND kind = ? AND ref IN (?) GROUP BY ref) last
  JOIN ?? h ON h.id = last.id`

const SELECT_STORED = `SELECT '' AS kind, CONVERT(?? USING utf8mb4) COLLATE utf8mb4_bin AS ref, NULL AS content,
    SHA2(??, 256) AS version
  FROM ?? WHERE ?? IN (?)`
