import { readEvents } from '../../../src/changes/events/read-events.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { numberChanges } from '../../../src/record/history/number-changes.ts'
import type { GlobalTables } from '../../../src/wordpress/network/site.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { statementsOf } from '../../support/statements.ts'

/** The indexes that only the list of events needs. */
const INDEXES = ['position', 'site_position']
/** The bytes of the column `position`. */
const COLUMN_BYTES = 8

/**
 * Describes what the list of events costs: what writes store for it, and what the first reader does after them.
 * @param write performs one write
 */
export async function describeFeedCost(
  db: SqlDatabase,
  globals: GlobalTables,
  writes: number,
  write: (number: number) => Promise<unknown>,
): Promise<string> {
  await numberChanges(db, globals)
  const { cursor } = await readEvents({ db, globals, blogId: undefined }, 'now')
  const statements = await statementsOf(
    db,
    async () => {
      for (let at = 0; at < writes; at += 1) await write(at)
    },
    ({ sql, text = sql }) => text,
  )
  const ofFeed = statements.filter((text) => text.includes('svc_changes')).length
  const begun = performance.now()
  await numberChanges(db, globals)
  const numbered = performance.now()
  let read = 0
  for (let [since, more] = [cursor, true]; more; ) {
    const page = await readEvents({ db, globals, blogId: undefined }, since)
    read += page.events.length
    since = page.cursor
    more = page.more
  }
  const ended = performance.now()
  const bytes = await bytesOfIndexes(db, globals)
  const each = (ms: number): string => `${(ms / writes).toFixed(3)} ms each`
  return [
    `the list of events: ${ofFeed / writes} of the ${statements.length / writes} statements of a write`,
    `${COLUMN_BYTES} bytes in each row, and ${Math.round(bytes)} for it in the indexes`,
    `the first reader numbers ${writes} changes in ${each(numbered - begun)}`,
    `every reader reads ${read} in ${each(ended - numbered)}`,
  ].join('; ')
}

/** The bytes for a row of the history in the indexes of the feed. */
async function bytesOfIndexes(db: SqlDatabase, globals: GlobalTables): Promise<number> {
  const table = historyTable(globals)
  await db.sql.raw(`ANALYZE TABLE ${table}`)
  const [sizes] = await db.sql.raw(
    `SELECT SUM(stat_value) * @@innodb_page_size AS bytes FROM mysql.innodb_index_stats
      WHERE database_name = DATABASE() AND table_name = ? AND stat_name = 'size' AND index_name IN (?)`,
    [table, INDEXES],
  )
  const [rows] = await db.sql(table).count({ count: '*' })
  return Number(sizes[0].bytes) / Number(rows?.count)
}
