import type { Database } from '#wp-frames/db/database'
import { migrate } from '#wp-frames/db/migrate'
import { defineTables, readRow, storeRows, streamRows } from '#wp-frames/db/sql'
import { readEngines } from '#wp-frames/db/table-engines'
import { blogPrefix, type GlobalTables } from '#wp-frames/wordpress/network/site'
import { type ComparedDatabases, listTables, MARKER, markScratch } from './scratch-databases.ts'

/** Rows that are read before they are written to both copies, and their texts, in characters. */
const ROWS_AT_ONCE = 500
const CHARACTERS_AT_ONCE = 4 * 1024 * 1024

type CopyProgress = { expect(steps: number): void; tick(): void }

/**
 * Fills both scratch databases: with the tables that all sites share, those of the main site, which WordPress needs to start, and those of the
 * chosen sites, as they are at one moment. The service's own tables are created empty, in its copy only.
 * @returns the tables that are left out, because their rows are elsewhere
 * @throws errors of the databases
 */
export async function copyNetwork(
  { source, old, ours }: ComparedDatabases,
  { basePrefix }: GlobalTables,
  sites: readonly number[],
  progress: CopyProgress,
): Promise<LeftOutTable[]> {
  const copies = [old, ours]
  const all = await listTables(source)
  const wanted = all.filter((table) => isCopied(table, basePrefix, sites))
  for (const copy of copies) {
    await markScratch(copy, source.address)
    await dropTables(copy, basePrefix)
  }
  await migrate(ours, basePrefix)
  const own = new Set(await listTables(ours))
  const named = wanted.filter((table) => !own.has(table))
  const engines = await readEngines(source, named)
  const leftOut = engines.filter(({ engine }) => !ENGINES_WITH_ROWS.has(engine))
  const tables = named.filter((table) => !leftOut.some(({ name }) => name === table))
  progress.expect(tables.length)
  await source.snapshot(async (db) => {
    for (const table of tables) {
      const created = await readRow<{ 'Create Table': string }>(db, 'SHOW CREATE TABLE :table:', {
        table,
      })
      const definition = withoutForeignKeys(created?.['Create Table'] ?? '')
      for (const copy of copies) await defineTables(copy, definition)
      const rows = streamRows<CopiedRow>(db, 'SELECT * FROM :table:', { table })
      for await (const batch of batchesOf(rows))
        for (const copy of copies)
          await copy.write({}, async (tx) => void (await storeRows(tx, [{ table, rows: batch }])))
      progress.tick()
    }
  })
  return leftOut
}

/** A table and its engine. */
export type LeftOutTable = { readonly name: string; readonly engine: string }

/**
 * The engines that keep the rows of a table in the table. A copy of a table of another engine may lead to the same rows as the table itself
 * (MRG_MyISAM, FEDERATED, SPIDER, CONNECT): to fill it would write to live data.
 */
const ENGINES_WITH_ROWS = new Set(['InnoDB', 'MyISAM', 'Aria', 'MEMORY', 'ARCHIVE', 'ROCKSDB'])

/** Whether a table is of the whole network, of the main site, or of a chosen one. */
function isCopied(table: string, basePrefix: string, sites: readonly number[]): boolean {
  if (!table.startsWith(basePrefix) || table === MARKER) return false
  const [, blogId] = /^(\d+)_/.exec(table.slice(basePrefix.length)) ?? []
  if (blogId === undefined) return true
  return sites.includes(Number(blogId)) && table.startsWith(blogPrefix(basePrefix, Number(blogId)))
}

/** What an earlier comparison has put there. */
async function dropTables(copy: Database, basePrefix: string): Promise<void> {
  for (const table of await listTables(copy))
    if (table.startsWith(basePrefix) && table !== MARKER)
      await defineTables(copy, 'DROP TABLE :table:', { table })
}

/**
 * A table of a plugin may name a table that is created later, or not at all. The copies need no such constraints.
 * @param definition as `SHOW CREATE TABLE` prints it: one line for each
 */
export const withoutForeignKeys = (definition: string): string =>
  definition.replace(/,\n\s*CONSTRAINT `(?:[^`]|``)*` FOREIGN KEY [^\n]*?(?=,?\n)/g, '')

type CopiedRow = Readonly<Record<string, string | number | Buffer | null>>

const lengthOf = (value: CopiedRow[string]): number =>
  typeof value === 'string' || Buffer.isBuffer(value) ? value.length : 0

async function* batchesOf(rows: AsyncIterable<CopiedRow>): AsyncGenerator<CopiedRow[]> {
  let batch: CopiedRow[] = []
  let characters = 0
  for await (const row of rows) {
    batch.push(row)
    for (const value of Object.values(row)) characters += lengthOf(value)
    if (batch.length < ROWS_AT_ONCE && characters < CHARACTERS_AT_ONCE) continue
    yield batch
    batch = []
    characters = 0
  }
  if (batch.length > 0) yield batch
}
