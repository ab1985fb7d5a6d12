import type { Db } from '../../db/database.ts'
import {
  probeRights,
  type Right,
  readCommonRights,
  readTableStates,
  type TableState,
  type TableUse,
} from '../../wordpress/health/tables-and-rights.ts'
import type { SiteTables } from '../../wordpress/network/site.ts'
import { formatList, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that the site's tables exist, are transactional and can store all characters. */
export async function checkTables({ db, site, services }: SiteSnapshot): Promise<Problem[]> {
  const tables = Object.values(site.tables)
  const states = services.tableStates ?? (await readTableStates(db, tables))
  return tables.flatMap((table) => {
    const state = states.get(table)
    return state ? tableProblems(state) : [missingTable(table)]
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

const ALL_RIGHTS: readonly Right[] = ['SELECT', 'INSERT', 'UPDATE', 'DELETE']

/** A column of each table of a site, and the rights that the service needs on the table. */
const TABLE_USES: Readonly<Record<keyof SiteTables, Omit<TableUse, 'table'>>> = {
  options: { column: 'option_id', rights: ALL_RIGHTS },
  posts: { column: 'ID', rights: ALL_RIGHTS },
  postmeta: { column: 'meta_id', rights: ALL_RIGHTS },
  terms: { column: 'term_id', rights: ALL_RIGHTS },
  termmeta: { column: 'meta_id', rights: ['SELECT', 'DELETE'] },
  termTaxonomy: { column: 'term_taxonomy_id', rights: ALL_RIGHTS },
  termRelationships: { column: 'object_id', rights: ALL_RIGHTS },
}

/** Checks the rights of the database user on the site's tables. */
export async function checkRights({ db, site, services }: SiteSnapshot): Promise<Problem[]> {
  return findMissingRights(
    db,
    services.commonRights ?? (await readCommonRights(db)),
    Object.entries(TABLE_USES).map(([key, use]) => ({
      table: site.tables[key as keyof SiteTables],
      ...use,
    })),
  )
}

/** Reports each table on which the database user lacks rights. */
export async function findMissingRights(
  db: Db,
  common: ReadonlySet<Right>,
  uses: readonly TableUse[],
): Promise<Problem[]> {
  const missing = await probeRights(db, uses, common)
  return uses.flatMap(({ table }): Problem[] => {
    const rights = missing.filter((one) => one.table === table).map(({ right }) => right)
    return rights.length === 0 ? [] : [missingRights(table, rights)]
  })
}

const missingRights = (table: string, rights: readonly Right[]): Problem => ({
  check: 'rights_missing',
  severity: 'error',
  message: `The database user has no right to ${rights.join(', ')} on "${table}".`,
  impact: 'Requests that need it fail.',
  fixHint: `GRANT ${rights.join(', ')} ON ${table} TO the user in DATABASE_URL.`,
  isFatal: rights.includes('SELECT'),
})
