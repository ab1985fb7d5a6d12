import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import { sha256Hex } from '../hash.ts'
import { decompressContent } from './content.ts'
import { hashOfEntry } from './entry-hash.ts'
import { CONTENT_KIND, type HistorySite, historyTable, thingKey } from './history-row.ts'
import type { PruningFields } from './prune-history.ts'
import { readEntries } from './read-history.ts'

/** What is wrong with the history of a site: ids of entries. */
export type HistoryFaults = {
  /** Their hash does not match their fields. */
  readonly changed: readonly number[]
  /** The entry before is missing, although it was not pruned. */
  readonly orphaned: readonly number[]
  /** Their content is missing or does not match its hash. */
  readonly withoutContent: readonly number[]
}

const BATCH_SIZE = 2000
const CONTENT_BATCH_SIZE = 100

/** Verifies the chains of hashes of all things of a site, and the contents. */
export async function verifyHistory(db: Db, site: HistorySite): Promise<HistoryFaults> {
  const { blogId, globals } = site
  const prunedUntil = await readPrunedUntil(db, site)
  const sound = await findSoundContents(db, site)
  const last = new Map<string, string>()
  const [changed, orphaned, withoutContent]: number[][] = [[], [], []]
  for (let after = 0; ; ) {
    const entries = await readEntries(
      db,
      globals,
      'blog_id = :blogId AND id > :after',
      { blogId, after },
      `ORDER BY id LIMIT ${BATCH_SIZE}`,
    )
    for (const entry of entries) {
      const key = thingKey(entry)
      const previous = last.get(key)
      if (hashOfEntry(entry) !== entry.hash) changed?.push(entry.id)
      // The first entry of a thing that is left may follow one that was pruned.
      const isBase = previous === undefined && entry.created_at < prunedUntil
      if (entry.previous !== (previous ?? null) && !isBase) orphaned?.push(entry.id)
      if (entry.content !== null && !sound.has(entry.content)) withoutContent?.push(entry.id)
      last.set(key, entry.hash)
    }
    after = entries.at(-1)?.id ?? 0
    if (entries.length < BATCH_SIZE) break
  }
  return {
    changed: changed ?? [],
    orphaned: orphaned ?? [],
    withoutContent: withoutContent ?? [],
  }
}

async function readPrunedUntil(db: Db, { blogId, globals }: HistorySite): Promise<string> {
  const condition = "blog_id = :blogId AND kind = 'pruning'"
  const prunings = await readEntries(db, globals, condition, { blogId })
  return prunings
    .map(({ state }) => (JSON.parse(state ?? '{}') as Partial<PruningFields>).until ?? '')
    .reduce((latest, until) => (until > latest ? until : latest), '')
}

/** The hashes of the contents that are intact. */
async function findSoundContents(db: Db, { blogId, globals }: HistorySite): Promise<Set<string>> {
  const sound = new Set<string>()
  for (let after = 0; ; ) {
    const rows = await readRows<{ id: number; hash: Buffer; data: Buffer }>(
      db,
      `SELECT id, hash, data FROM :history: WHERE blog_id = :blogId AND kind = :contentKind AND id > :after
        ORDER BY id LIMIT ${CONTENT_BATCH_SIZE}`,
      { history: historyTable(globals), blogId, contentKind: CONTENT_KIND, after },
    )
    for (const { hash, data } of rows) {
      const text = await decompressContent(data).catch(() => undefined)
      const name = hash.toString('hex')
      if (text !== undefined && sha256Hex(text) === name) sound.add(name)
    }
    after = rows.at(-1)?.id ?? 0
    if (rows.length < CONTENT_BATCH_SIZE) return sound
  }
}
