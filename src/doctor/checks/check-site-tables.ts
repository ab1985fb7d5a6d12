import type { Db } from '../../db/database.ts'
import {
  probeRights,
  type Right,
  readTableStates,
  type TableState,
  type TableUse,
} from '../../wordpress/health/tables-and-rights.ts'
import type { SiteTables } from '../../wordpress/network/site.ts'
import { formatList, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Are the site's tables there, can they take back a write that fails, and hold every character? */
export async function checkTables({ db, site }: SiteSnapshot): Promise<Problem[]> {
  const tables = Object.values(site.tables)
  const states = await readTableStates(db, tables)
  const found = new Set(states.map(({ name }) => name))
  const missing = tables.filter((table) => !found.has(table))
  return [...missing.map(missingTable), ...states.flatMap(tableProblems)]
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
  message: `There is no table "${table}", or the database user has no right on it.`,
  impact: 'WordPress and this service both fail where they need it.',
  fixHint: 'Restore the table from a backup, or give the user in DATABASE_URL its rights.',
})

const wrongEngine = ({ name, engine }: TableState): Problem => ({
  check: 'engine_not_transactional',
  severity: 'error',
  message: `The table "${name}" is kept by ${engine} and not by InnoDB.`,
  impact: 'A write that fails half-way stays half-done there, and two writers can undo each other.',
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
      ? 'It has no characters of four bytes, emoji among them: markup with one is refused, and menu titles hold an entity for it.'
      : 'It lacks most of the characters of the world: markup with one of them is refused.',
    fixHint: `ALTER TABLE ${name} CONVERT TO CHARACTER SET utf8mb4; after a backup, as WordPress itself does it.`,
  }
}

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
