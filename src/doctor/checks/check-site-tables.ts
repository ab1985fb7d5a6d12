import {
  findUnreadable,
  readCommonRights,
  readTableStates,
  type TableState,
} from '../../wordpress/health/tables-and-rights.ts'
import { formatList, type Problem } from '../finding.ts'
import { rightsOnSite } from '../needed-rights.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'
import { findMissingRights } from './missing-rights.ts'

/** Checks that the site's tables exist, are transactional and can store all characters. */
export async function checkTables({ db, site, services }: SiteSnapshot): Promise<Problem[]> {
  const tables = Object.values(site.tables)
  const states = services.tableStates ?? (await readTableStates(db, tables))
  // Those that the user may not read are findings of `checkRights`.
  const unreadable = await findUnreadable(
    db,
    tables.filter((table) => !states.has(table)),
  )
  return tables.flatMap((table) => {
    const state = states.get(table)
    if (state) return tableProblems(state)
    return unreadable.has(table) ? [] : [missingTable(table)]
  })
}

function tableProblems(state: TableState): Problem[] {
  return [
    ...(state.engine === 'InnoDB' ? [] : [wrongEngine(state)]),
    ...(state.narrowColumns.length === 0 ? [] : [narrowCharset(state)]),
  ]
}

const missingTable = (table: string): Problem => ({
  check: 'table_missing',
  severity: 'error',
  message: `The table "${table}" does not exist, or the database user has no rights on it.`,
  impact: 'WordPress and this service fail when they need it.',
  fixHint: 'Restore the table from a backup, or grant the user in DATABASE_URL the rights on it.',
  isFatal: true,
})

const wrongEngine = ({ name, engine }: TableState): Problem => ({
  check: 'engine_not_transactional',
  severity: 'error',
  message: `The table "${name}" uses the engine ${engine} instead of InnoDB.`,
  impact: 'Failed writes are not rolled back, and concurrent writes can overwrite each other.',
  fixHint: `ALTER TABLE ${name} ENGINE=InnoDB;`,
})

const narrowCharset = ({ name, narrowColumns }: TableState): Problem => {
  const sets = [...new Set(narrowColumns.map(({ charset }) => charset))]
  const columns = formatList(narrowColumns.map(({ column }) => column))
  return {
    check: 'charset_narrow',
    severity: 'warning',
    message: `The character set of "${name}" is ${sets.join(', ')} (${columns}).`,
    impact: sets.every((set) => /^utf8(mb3)?$/.test(set))
      ? 'It cannot store 4-byte characters such as emoji: markup with one is rejected, and menu titles contain an entity instead.'
      : 'It cannot store most Unicode characters: markup with one is rejected.',
    fixHint: `ALTER TABLE ${name} CONVERT TO CHARACTER SET utf8mb4; make a backup first. WordPress converts its tables in the same way.`,
  }
}

/** Checks the rights of the database user on the site's tables. */
export async function checkRights({ db, site, services }: SiteSnapshot): Promise<Problem[]> {
  const common = services.commonRights ?? (await readCommonRights(db))
  return findMissingRights(db, common, rightsOnSite(site.tables))
}
