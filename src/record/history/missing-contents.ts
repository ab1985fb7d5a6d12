import type { Db } from '../../db/database.ts'
import { inBatches, readRows } from '../../db/sql.ts'
import { sha256Hex } from '../../host/hash.ts'
import { decompressContent } from './content.ts'
import { CONTENT_KIND, type HistorySite, historyTable } from './history-row.ts'

/** Contents whose sizes are read at a time. */
const SIZES_AT_ONCE = 5000
/** Bytes of compressed contents that are read at a time. A larger content is read alone. */
const BATCH_BYTES = 4 * 1024 * 1024

/** The ids of the entries of a site whose content is missing or does not match its hash. */
export async function findEntriesWithoutContent(db: Db, site: HistorySite): Promise<number[]> {
  const [missing, damaged] = await Promise.all([
    findEntries(db, site, 'c.id IS NULL'),
    findDamagedContents(db, site),
  ])
  if (damaged.length === 0) return missing
  const others = await findEntries(db, site, 'c.id IN (:damaged)', damaged)
  return [...missing, ...others].sort((a, b) => a - b)
}

/** The ids of the entries with a content whose row `c` meets this condition. */
async function findEntries(
  db: Db,
  { blogId, globals }: HistorySite,
  condition: string,
  damaged: readonly number[] = [],
): Promise<number[]> {
  const rows = await readRows<{ id: number }>(
    db,
    `SELECT e.id FROM :history: e
      LEFT JOIN :history: c ON c.blog_id = e.blog_id AND c.kind = :contentKind AND c.hash = e.content
      WHERE e.blog_id = :blogId AND e.content IS NOT NULL AND ${condition} ORDER BY e.id`,
    { history: historyTable(globals), blogId, contentKind: CONTENT_KIND, damaged: [...damaged] },
  )
  return rows.map(({ id }) => id)
}

/** The ids of the rows of contents that do not match their hashes. */
async function findDamagedContents(db: Db, { blogId, globals }: HistorySite): Promise<number[]> {
  const damaged: number[] = []
  const values = { history: historyTable(globals), blogId, contentKind: CONTENT_KIND }
  const isContent = 'blog_id = :blogId AND kind = :contentKind'
  for (let after = 0; ; ) {
    const sizes = await readRows<{ id: number; bytes: number }>(
      db,
      `SELECT id, bytes FROM :history: WHERE ${isContent} AND id > :after ORDER BY id LIMIT ${SIZES_AT_ONCE}`,
      { ...values, after },
    )
    for (const batch of inBatches(sizes, BATCH_BYTES, ({ bytes }) => bytes)) {
      const rows = await readRows<{ id: number; hash: Buffer; data: Buffer }>(
        db,
        `SELECT id, hash, data FROM :history: WHERE ${isContent} AND id BETWEEN :first AND :last`,
        { ...values, first: batch[0]?.id ?? 0, last: batch.at(-1)?.id ?? 0 },
      )
      for (const { id, hash, data } of rows) {
        const text = await decompressContent(data).catch(() => undefined)
        if (text === undefined || sha256Hex(text) !== hash.toString('hex')) damaged.push(id)
      }
    }
    after = sizes.at(-1)?.id ?? 0
    if (sizes.length < SIZES_AT_ONCE) return damaged
  }
}
