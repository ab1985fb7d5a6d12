import { describeDifference } from '../../../wordpress/health/describe-difference.ts'
import { readTables } from '../../../wordpress/health/read-tables.ts'
import type { TableDifference } from '../../../wordpress/health/table-differences.ts'
import { findDifferences } from '../../../wordpress/health/table-knowledge.ts'
import { findUnreadable, readCommonRights } from '../../../wordpress/health/tables-and-rights.ts'
import type { Problem } from '../finding.ts'
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

/** The kinds that are no errors where writes go on. */
const SEVERITIES: Partial<Record<TableDifference['kind'], Problem['severity']>> = {
  auto_increment_missing: 'warning',
  unique_key_missing: 'warning',
  key_missing: 'warning',
  column_required: 'info',
  column_short: 'warning',
  charset_narrow: 'warning',
}

/** The finding on a difference. */
export const problemOf = (difference: TableDifference): Problem => ({
  check: difference.kind,
  severity: difference.refusesWrites ? 'error' : (SEVERITIES[difference.kind] ?? 'error'),
  ...describeDifference(difference),
})

const missingTable = (table: string): Problem => ({
  check: 'table_missing',
  severity: 'error',
  message: `The table "${table}" does not exist, or the database user has no rights on it.`,
  impact: 'WordPress and this service fail when they need it.',
  fixHint: 'Restore the table from a backup, or grant the user in DATABASE_URL the rights on it.',
  isFatal: true,
})

/** Checks the rights of the database user on the site's tables. */
export async function checkRights({ db, site, services }: SiteSnapshot): Promise<Problem[]> {
  const common = services.commonRights ?? (await readCommonRights(db))
  return findMissingRights(db, common, rightsOnSite(site.tables))
}
