import type { Db } from '../../db/database.ts'
import { isDenied, isMissingTable } from '../../db/database-error.ts'
import { inBatches } from '../../db/sql.ts'
import type { Site } from './site.ts'

/** Sites per statement. The server opens a table for each: its table cache has room for 2000 by default. */
export const SITES_PER_STATEMENT = 200

/** A SELECT on the tables of one site, with its values. The text columns of all sites need the same collation, see `commonText`. */
export type SiteSelect = {
  readonly statement: string
  readonly values: readonly (string | number)[]
}

/**
 * Runs a SELECT on each of these sites, with one statement for 200 sites.
 * @param selectFrom the SELECT for a site; each row has the blog id as its first column `blog_id`
 * @returns the rows by blog id, for each site that could be read. A site is left out if its table is missing, or if the database user has no
 * rights on it: its statement is divided until the others can be read
 */
export async function selectFromSites<Row extends { readonly blog_id: number }>(
  db: Db,
  sites: readonly Site[],
  selectFrom: (site: Site) => SiteSelect,
): Promise<Map<number, Row[]>> {
  const found = new Map<number, Row[]>()
  for (const batch of inBatches(sites, SITES_PER_STATEMENT)) {
    await selectFromBatch(db, batch, selectFrom, found)
  }
  return found
}

async function selectFromBatch<Row extends { readonly blog_id: number }>(
  db: Db,
  sites: readonly Site[],
  selectFrom: (site: Site) => SiteSelect,
  found: Map<number, Row[]>,
): Promise<void> {
  const selects = sites.map(selectFrom)
  try {
    const [rows]: Row[][] = await db.sql.raw(
      selects.map(({ statement }) => `(${statement})`).join(' UNION ALL '),
      selects.flatMap(({ values }) => values),
    )
    for (const { blogId } of sites) found.set(blogId, [])
    for (const row of rows ?? []) found.get(row.blog_id)?.push(row)
  } catch (error) {
    if (!isMissingTable(error) && !isDenied(error)) throw error
    if (sites.length === 1) return
    const middle = Math.ceil(sites.length / 2)
    await selectFromBatch(db, sites.slice(0, middle), selectFrom, found)
    await selectFromBatch(db, sites.slice(middle), selectFrom, found)
  }
}

/** A text column in a collation that the tables of all sites can have: a union of columns with different collations is an error. */
export const commonText = (column: string): string =>
  `CONVERT(${column} USING utf8mb4) COLLATE utf8mb4_bin`
