import type { Db } from '../../db/database.ts'
import { type Right, type TableUse, probeRights } from '../../wordpress/health/tables-and-rights.ts'
import type { SiteTables } from '../../wordpress/network/site.ts'
import type { Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

const ALL_RIGHTS: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']

/** A column of each of a site's tables, and what the service does there. */
const TABLE_USES: Readonly<Record<keyof SiteTables, Omit<TableUse, 'table'>>> = {
  options: { column: 'option_id', rights: ALL_RIGHTS },
  posts: { column: 'ID', rights: ALL_RIGHTS },
  postmeta: { column: 'meta_id', rights: ALL_RIGHTS },
  terms: { column: 'term_id', rights: ALL_RIGHTS },
  termmeta: { column: 'meta_id', rights: ['SELECT', 'DELETE'] },
  termTaxonomy: { column: 'term_taxonomy_id', rights: ALL_RIGHTS },
  termRelationships: { column: 'object_id', rights: ALL_RIGHTS },
}

/** May the database user do to the site's tables what the service does? */
export function checkRights({ db, site }: SiteSnapshot): Promise<Problem[]> {
  return findMissingRights(
    db,
    Object.entries(TABLE_USES).map(([key, use]) => ({
      table: site.tables[key as keyof SiteTables],
      ...use,
    })),
  )
}

/** A symptom for each table on which the database user lacks a right. */
export async function findMissingRights(db: Db, uses: readonly TableUse[]): Promise<Problem[]> {
  const missing = await probeRights(db, uses)
  return [...new Set(missing.map(({ table }) => table))].map((table) => {
    const rights = missing.filter((lack) => lack.table === table).map(({ right }) => right)
    return {
      check: 'rights_missing',
      severity: 'error',
      what: `The database user may not ${rights.join(', ')} on "${table}".`,
      why: 'Requests that need it fail.',
      mend: `GRANT ${rights.join(', ')} ON ${table} TO the user in DATABASE_URL.`,
    }
  })
}
