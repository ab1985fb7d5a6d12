import { describeDifference } from '../../../wordpress/health/describe-difference.ts'
import { readTables } from '../../../wordpress/health/read-tables.ts'
import type { TableDifference } from '../../../wordpress/health/table-differences.ts'
import { findDifferences } from '../../../wordpress/health/table-knowledge.ts'
import { findUnreadable, readCommonRights } from '../../../wordpress/health/tables-and-rights.ts'
import { found, type Problem } from '../finding.ts'
import { rightsOnSite } from '../needed-rights.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'
import { findMissingRights } from './missing-rights.ts'

/** Compares the site's tables with those that WordPress makes. */
export async function checkTables({ db, site, services }: SiteSnapshot): Promise<Problem[]> {
  const tables = Object.values(site.tables)
  const states = services.tableStates ?? (await readTables(db, tables))
  // Those that the user may not read are findings of `checkRights`.
  const unreadable = await findUnreadable(
    db,
    tables.filter((table) => !states.has(table)),
  )
  const missing = tables.filter((table) => !states.has(table) && !unreadable.has(table))
  const differences = await findDifferences(db, site.tables, states)
  return [...missing.map(missingTable), ...differences.map(problemOf)]
}

/** The finding on a difference. It is an error where writes are refused. */
export function problemOf(difference: TableDifference): Problem {
  const { message, ...sentences } = describeDifference(difference)
  const severity = difference.refusesWrites ? ({ severity: 'error' } as const) : {}
  return found(difference.kind, message, { ...sentences, ...severity })
}

const missingTable = (table: string): Problem =>
  found(
    'table_missing',
    `The table "${table}" does not exist, or the database user has no rights on it.`,
    { isFatal: true },
  )

/** Checks the rights of the database user on the site's tables. */
export async function checkRights({ db, site, services }: SiteSnapshot): Promise<Problem[]> {
  const common = services.commonRights ?? (await readCommonRights(db))
  return findMissingRights(db, common, rightsOnSite(site.tables))
}
