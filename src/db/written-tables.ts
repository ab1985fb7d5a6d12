import { AppError } from '../host/errors.ts'

/** Values by column. */
export type InsertedRow = Readonly<Record<string, string | number | Buffer | null>>

/** The tables of a site, by what they are. */
export type SiteTableNames = {
  readonly blogId: number
  readonly tables: Readonly<Record<string, string>>
}

/** Values for columns that an INSERT must name, although the service does not know them, by table. */
export type ImplicitValues = ReadonlyMap<string, InsertedRow>

export const NO_IMPLICIT_VALUES: ImplicitValues = new Map()

/** Knows whether the tables of sites can be written. */
export type WrittenTables = {
  /** Before a transaction that writes these tables. @throws AppError if they must not be written */
  check(site: SiteTableNames): Promise<ImplicitValues>
  /**
   * After a transaction failed.
   * @returns `retry` if it failed for what was known of the tables before; the error for the caller; undefined if the tables are not the reason
   */
  explain(site: SiteTableNames, error: unknown): Promise<'retry' | Error | undefined>
}

/**
 * The row with the implicit values of its table. Columns of WordPress come first.
 * @param implicit those of the transaction
 */
export function completeRow(
  implicit: ImplicitValues,
  table: string,
  row: InsertedRow,
): InsertedRow {
  const more = implicit.get(table)
  return more === undefined ? row : { ...row, ...more, ...row }
}

/**
 * Checks that the server has assigned an id to a new row. `check` finds such tables before; one may have been replaced since.
 * @throws AppError `table_unsupported`
 */
export function assertAssigned(table: string, id: number): void {
  if (id > 0) return
  throw new AppError(
    'table_unsupported',
    `The server assigned no id to a new row of "${table}": its id column has no AUTO_INCREMENT. Nothing was written. Ask the operator of the network to run "wp-frames doctor".`,
    { table },
  )
}

/** Runs a transaction if the tables of its site can be written, once more if they have changed meanwhile. */
export async function writeChecked<T>(
  known: WrittenTables | undefined,
  site: (Omit<SiteTableNames, 'tables'> & Partial<SiteTableNames>) | undefined,
  run: (implicit: ImplicitValues) => Promise<T>,
): Promise<T> {
  if (!known || !site?.tables) return run(NO_IMPLICIT_VALUES)
  const { blogId, tables } = site
  const written = { blogId, tables }
  for (let attempt = 1; ; attempt += 1) {
    const implicit = await known.check(written)
    try {
      return await run(implicit)
    } catch (error) {
      const reason = await known.explain(written, error).catch(() => undefined)
      if (reason !== 'retry') throw reason ?? error
      if (attempt > 1) throw error
    }
  }
}
