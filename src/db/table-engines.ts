import { AppError } from '../host/errors.ts'
import { readRows, unionOf } from './read-rows.ts'
import type { Sender } from './sender.ts'

/** The engine of a table, such as `InnoDB`; `view` for a view. */
type TableEngine = { readonly name: string; readonly engine: string }

/** The engines of these tables, without missing ones, in one statement. */
export async function readEngines(
  from: { readonly sender: Sender },
  tables: readonly string[],
): Promise<TableEngine[]> {
  const rows = await readTablesSchema<{ name: string; engine: string | null }>(
    from,
    tables,
    'SELECT table_name AS name, engine AS engine FROM information_schema.tables',
  )
  return rows.map(({ name, engine }) => ({ name, engine: engine ?? 'view' }))
}

/**
 * Reads a view of the information schema for each of these tables, in one statement. With one condition for all of them, MariaDB would go
 * through all tables of the network.
 */
export async function readTablesSchema<Row>(
  from: { readonly sender: Sender },
  tables: readonly string[],
  select: string,
  condition = '',
): Promise<Row[]> {
  const statement = `${select} WHERE table_schema = DATABASE() AND table_name = :table ${condition}`
  const selects = unionOf(tables.map((table) => ({ statement, values: { table } })))
  return readRows(from, ':selects', { selects })
}

/**
 * Checks that a rollback undoes what is written to these tables.
 * @throws AppError `engine_not_transactional`
 */
export async function assertTransactional(
  from: { readonly sender: Sender },
  tables: readonly string[],
): Promise<void> {
  const wrong = (await readEngines(from, tables)).find(({ engine }) => engine !== 'InnoDB')
  if (!wrong) return
  throw new AppError(
    'engine_not_transactional',
    `The table "${wrong.name}" uses the engine ${wrong.engine} instead of InnoDB, so it would keep what a dry run or preview writes. Nothing was written. Ask the operator of the network to run: ALTER TABLE ${wrong.name} ENGINE=InnoDB`,
  )
}
