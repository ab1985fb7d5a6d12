import type { Db } from '../../db/database.ts'
import { isDatabaseUnavailable, isStatementTimeout } from '../../db/database-error.ts'
import { inBatches, readRows, type Select, unionOf } from '../../db/sql.ts'
import { forEachBounded } from '../../host/concurrency/for-each.ts'
import type { Site } from './site.ts'

/** Sites per statement. The server opens a table for each: its table cache has room for 2000 by default. */
export const SITES_PER_STATEMENT = 200

/** After a statement that took too long, its sites are read one by one, so many at the same time. */
const SITES_AT_ONCE = 2

export type SelectFromSitesOptions = {
  /** Called for each site that is left out, with the reason. */
  readonly onUnreadable?: ((site: Site, error: unknown) => void) | undefined
  /** How long a statement on one site runs, in seconds [`sites.siteSeconds`]. */
  readonly secondsOfSite?: number
}

/**
 * Runs a SELECT on each of these sites, with one statement for 200 sites.
 * @param selectFrom the SELECT for a site, which begins with `SELECT`; each row has the blog id as its first column `blog_id`. The text columns of all sites
 * need the same collation, see `commonText`
 * @returns the rows by blog id, for each site that could be read. A site is left out if its SELECT fails, for example because a table is
 * missing, damaged or locked: its statement is divided until the others can be read
 * @throws if the database is unavailable
 */
export async function selectFromSites<Row extends { readonly blog_id: number }>(
  db: Db,
  sites: readonly Site[],
  selectFrom: (site: Site) => Select,
  { onUnreadable, secondsOfSite = db.timings.sites.siteSeconds }: SelectFromSitesOptions = {},
): Promise<Map<number, Row[]>> {
  const found = new Map<number, Row[]>()
  const select = async (batch: readonly Site[]): Promise<void> => {
    try {
      const rows: Row[] = await selectFromBatch(
        db,
        batch.map(selectFrom),
        batch.length === 1 ? secondsOfSite : db.timings.sites.manySeconds,
      )
      for (const { blogId } of batch) found.set(blogId, [])
      for (const row of rows) found.get(row.blog_id)?.push(row)
    } catch (error) {
      const isTimeout = isStatementTimeout(error)
      if (!isTimeout && isDatabaseUnavailable(error)) throw error
      const [site] = batch
      if (site && batch.length === 1) return onUnreadable?.(site, error)
      // Each half would wait again for the site that is locked.
      const size = isTimeout ? 1 : Math.ceil(batch.length / 2)
      await forEachBounded(inBatches(batch, size), isTimeout ? SITES_AT_ONCE : 1, select)
    }
  }
  for (const batch of inBatches(sites, SITES_PER_STATEMENT)) await select(batch)
  return found
}

/**
 * For a statement on a thousand small tables, statistics of their columns would take MariaDB's optimizer a third of the time of the statement.
 */
const WITHOUT_STATISTICS = "optimizer_use_condition_selectivity = 1, use_stat_tables = 'never'"

/** The limit of time is a prefix on MariaDB, and on MySQL a hint in the first SELECT. */
async function selectFromBatch<Row>(
  db: Db,
  [first, ...others]: readonly Select[],
  seconds: number,
): Promise<Row[]> {
  if (!first) return []
  const hint = `SELECT /*+ MAX_EXECUTION_TIME(${seconds * 1000}) */`
  const limited = { ...first, statement: first.statement.replace('SELECT', hint) }
  return readRows(
    db,
    `/*M!100100 SET STATEMENT max_statement_time = ${seconds}, ${WITHOUT_STATISTICS} FOR */ :selects`,
    { selects: unionOf([limited, ...others]) },
  )
}

/** A text column in a collation that the tables of all sites can have: a union of columns with different collations is an error. */
export const commonText = (column: string): string =>
  `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin`
