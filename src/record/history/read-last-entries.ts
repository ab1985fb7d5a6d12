import { readRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import {
  type EntryRow,
  type HistorySite,
  historyTable,
  type Thing,
  thingKey,
} from './history-row.ts'

/** The last entry of a thing; hashes are hexadecimal. */
export type LastEntry = Pick<EntryRow, 'content' | 'version'>

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

type LastEntryRow = LastEntry & { readonly kind: Thing['kind'] | ''; readonly ref: string }

/** Reads the last entries of these things, in one statement. */
export async function readLastEntries(
  tx: Tx,
  { blogId, globals }: HistorySite,
  things: readonly Thing[],
  texts?: StoredTexts,
): Promise<LastEntries> {
  const kinds = [...new Set(things.map(({ kind }) => kind))]
  const values: Record<string, string | readonly string[]> = {}
  const selects = kinds.map((kind, index) => {
    const refs = [...new Set(things.filter((thing) => thing.kind === kind).map(({ ref }) => ref))]
    values[`kind${index}`] = kind
    if (refs.length > MAX_SINGLE) {
      values[`refs${index}`] = refs
      return selectEntries(`${selectLastId(index)} IN (:refs${index}) GROUP BY ref`)
    }
    const ids = refs.map((ref, at) => {
      values[`ref${index}_${at}`] = ref
      return `${selectLastId(index)} = :ref${index}_${at}`
    })
    return selectEntries(ids.join(' UNION ALL '))
  })
  const rows = await readRows<LastEntryRow>(
    tx,
    [...selects, ...(texts ? [SELECT_STORED] : [])].join(' UNION ALL '),
    { ...values, ...texts, history: historyTable(globals), blogId },
  )
  const entries = new Map<string, LastEntry | null>(things.map((thing) => [thingKey(thing), null]))
  const stored = new Map<string, string>()
  for (const { kind, ref, content, version } of rows) {
    if (kind === '') stored.set(ref, version ?? '')
    else entries.set(thingKey({ kind, ref }), { content, version })
  }
  return { entries, stored }
}

/** Of a single thing, the server reads only the last entry in its index; in groups it may read all of them. */
const MAX_SINGLE = 20

const selectLastId = (index: number): string =>
  `SELECT MAX(id) AS id FROM :history: WHERE blog_id = :blogId AND kind = :kind${index} AND ref`

const selectEntries = (
  ids: string,
): string => `SELECT h.kind, h.ref, LOWER(HEX(h.content)) AS content, LOWER(HEX(h.version)) AS version
  FROM (${ids}) last JOIN :history: h ON h.id = last.id`

const SELECT_STORED = `SELECT '' AS kind, CONVERT(:nameColumn: USING utf8mb4) COLLATE utf8mb4_bin AS ref, NULL AS content,
    SHA2(:textColumn:, 256) AS version
  FROM :table: WHERE :nameColumn: IN (:names)`
