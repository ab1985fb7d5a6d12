import type { Db } from '../../../db/database.ts'
import {
  probeRights,
  type Right,
  type TableUse,
} from '../../../wordpress/health/tables-and-rights.ts'
import { found, type Problem } from '../finding.ts'
import { grantOnTable, readConnected } from '../grant-statements.ts'

/**
 * Reports each table on which the database user lacks rights.
 * @param common see `readCommonRights`
 * @param essential table without which nothing else can be checked [none]
 */
export async function findMissingRights(
  db: Db,
  common: ReadonlySet<Right>,
  uses: readonly TableUse[],
  essential?: string,
): Promise<Problem[]> {
  const missing = await probeRights(db, uses, common)
  if (missing.length === 0) return []
  const connected = await readConnected(db)
  return uses.flatMap(({ table }): Problem[] => {
    const rights = missing.filter((one) => one.table === table).map(({ right }) => right)
    if (rights.length === 0) return []
    const message = `The database user has no right to ${rights.join(', ')} on "${table}".`
    const fixHint = grantOnTable(table, rights, connected)
    const isFatal = table === essential && rights.includes('SELECT')
    return [found('rights_missing', message, { fixHint, isFatal })]
  })
}
