import { randomBytes } from 'node:crypto'
import type { Db } from '../../db/database.ts'
import { isDatabaseUnavailable, isDenied, isMissingTable } from '../../db/database-error.ts'
import { readRows } from '../../db/sql.ts'
import { listBlogs } from '../network/find-sites.ts'
import type { BlogRow, GlobalTables } from '../network/site.ts'

/** The rows of `blogs` without an options table that the database user may see. */
export async function findSitesWithoutTables(db: Db, globals: GlobalTables): Promise<BlogRow[]> {
  const blogs = await listBlogs(db, globals)
  return blogs.filter(({ isInstalled }) => !isInstalled).map(({ row }) => row)
}

/** Which of these tables the database user may not read. A server hides a table from users without any right on it, as if it did not exist. */
export async function findUnreadable(
  db: Db,
  tables: readonly string[],
): Promise<ReadonlySet<string>> {
  const unreadable = new Set<string>()
  for (const table of tables) {
    try {
      await readRows(db, 'SELECT 1 FROM :table: WHERE FALSE', { table })
    } catch (error) {
      if (isDenied(error)) unreadable.add(table)
      else if (!isMissingTable(error)) throw error
    }
  }
  return unreadable
}

export type Right = 'SELECT' | 'INSERT' | 'UPDATE' | 'DELETE'

/** A table, one of its columns, and the rights that the service needs on it. */
export type TableUse = {
  readonly table: string
  readonly column: string
  readonly rights: readonly Right[]
}

/**
 * Finds missing rights of the database user by running each kind of statement on no row. A user's grants come from roles, patterns and
 * several levels, which only the server itself can combine. Nothing is written, and no row is locked. One statement tests a right on all
 * tables; if it fails, each table is tested.
 * @param common rights that need no test, see `readCommonRights`
 */
export async function probeRights(
  db: Db,
  uses: readonly TableUse[],
  common: ReadonlySet<Right>,
): Promise<{ readonly table: string; readonly right: Right }[]> {
  const missing: { table: string; right: Right }[] = []
  for (const right of RIGHTS) {
    if (common.has(right)) continue
    const tables = uses.filter(({ rights }) => rights.includes(right))
    if (tables.length > 1 && (await isAllowedOnAll(db, right, tables))) continue
    for (const { table, column } of tables)
      if (!(await isAllowed(db, right, table, column))) missing.push({ table, right })
  }
  return missing
}

/**
 * The rights that the database user has on all tables of the database. Only to users with such a right the server says that a table does not
 * exist; to others, that they lack the right. Testing each table of a site would take a third of the statements of the doctor.
 */
export async function readCommonRights(db: Db): Promise<ReadonlySet<Right>> {
  const table = `no_table_${randomBytes(8).toString('hex')}`
  const common = new Set<Right>()
  for (const right of RIGHTS) if (await isAllowed(db, right, table, 'id')) common.add(right)
  return common
}

const RIGHTS: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']

/** `IGNORE`, because strict sessions reject an INSERT without values for some columns before they find that there is no row. */
const STATEMENTS: Readonly<Record<Right, string>> = {
  SELECT: 'SELECT :column: FROM :table: WHERE FALSE',
  INSERT: 'INSERT IGNORE INTO :table: (:column:) SELECT 1 FROM DUAL WHERE FALSE',
  UPDATE: 'UPDATE :table: SET :column: = 1 WHERE FALSE',
  DELETE: 'DELETE FROM :table: WHERE FALSE',
}

async function isAllowed(db: Db, right: Right, table: string, column: string): Promise<boolean> {
  try {
    await readRows(db, STATEMENTS[right], { table, column })
    return true
  } catch (error) {
    if (isDenied(error)) return false
    // A missing table has no missing rights.
    if (isMissingTable(error)) return true
    throw error
  }
}

/**
 * Whether a statement on all of these tables is allowed. `EXPLAIN` needs the same rights, and a server that logs statements for its replicas
 * does not log it. False also if such a statement needs more than a statement on one table. An INSERT has only one table.
 */
async function isAllowedOnAll(db: Db, right: Right, uses: readonly TableUse[]): Promise<boolean> {
  if (right === 'INSERT') return false
  const tables = uses.map(({ table }) => table)
  const columns = uses.map(({ table, column }) => `${table}.${column}`)
  const columnAt = (_: string, index: number): string => `:column${index}: = 1`
  const statements = {
    SELECT: 'SELECT :columns: FROM :tables:',
    UPDATE: `UPDATE :tables: SET ${columns.map(columnAt).join()}`,
    DELETE: 'DELETE :tables: FROM :tables:',
  }
  const byIndex = Object.fromEntries(columns.map((column, index) => [`column${index}`, column]))
  try {
    await readRows(db, `EXPLAIN ${statements[right]} WHERE FALSE`, { tables, columns, ...byIndex })
    return true
  } catch (error) {
    if (isDatabaseUnavailable(error)) throw error
    return false
  }
}
