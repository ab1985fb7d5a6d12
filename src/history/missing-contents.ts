import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import { sha256Hex } from '../hash.ts'
import { decompressContent } from './content.ts'
import { CONTENT_KIND, type HistorySite, historyTable } from './history-row.ts'

const BATCH_SIZE = 100

/** The ids of the entries of a site whose content is missing or does not match its hash. */
export async function findEntriesWithoutContent(db: Db, site: HistorySite): Promise<number[]> {
  const { blogId, globals } = site
  const damaged = await findDamagedContents(db, site)
  const rows = await readRows<{ id: number }>(
    db,
    `SELECT e.id FROM :history: e
      LEFT JOIN :history: c ON c.blog_id = e.blog_id AND c.kind = :contentKind AND c.hash = e.content
      WHERE e.blog_id = :blogId AND e.content IS NOT NULL AND (c.id IS NULL OR c.id IN (:damaged)) ORDER BY e.id`,
    // No row has the id 0.
    { history: historyTable(globals), blogId, contentKind: CONTENT_KIND, damaged: [0, ...damaged] },
  )
  return rows.map(({ id }) => id)
}

/** The ids of the rows of contents that do not match their hashes. */
async function findDamagedContents(db: Db, { blogId, globals }: HistorySite): Promise<number[]> {
  const damaged: number[] = []
  for (let after = 0; ; ) {
    const rows = await readRows<{ id: number; hash: Buffer; data: Buffer }>(
      db,
      `SELECT id, hash, data FROM :history: WHERE blog_id = :blogId AND kind = :contentKind AND id > :after
        ORDER BY id LIMIT ${BATCH_SIZE}`,
      { history: historyTable(globals), blogId, contentKind: CONTENT_KIND, after },
    )
    for (const { id, hash, data } of rows) {
      const text = await decompressContent(data).catch(() => undefined)
      if (text === undefined || sha256Hex(text) !== hash.toString('hex')) damaged.push(id)
    }
    after = rows.at(-1)?.id ?? 0
    if (rows.length < BATCH_SIZE) return damaged
  }
}
