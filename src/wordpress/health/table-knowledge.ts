import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/database.ts'
import {
  columnIn,
  isCharsetMismatch,
  isColumnsError,
  isTableError,
  isValueTooLong,
  serverMessageOf,
} from '../../db/database-error.ts'
import { readRows } from '../../db/sql.ts'
import type {
  ImplicitValues,
  InsertedRow,
  SiteTableNames,
  WrittenTables,
} from '../../db/written-tables.ts'
import { AppError } from '../../host/errors.ts'
import type { GlobalTables, SiteTables } from '../network/site.ts'
import { describeDifference } from './describe-difference.ts'
import { type ColumnState, readTables, type TableState } from './read-tables.ts'
import {
  compareTable,
  implicitValues,
  suspectColumns,
  type TableDifference,
  type TableUses,
} from './table-differences.ts'
import { lengthOf, NETWORK_TABLES, SITE_TABLES, type TableDescription } from './wordpress-tables.ts'

/** Of the tables of sites. The service only reads the shared ones. */
const USES: Readonly<Record<string, TableUses>> = {
  options: { isInserted: true, isIdNeeded: true },
  posts: { isInserted: true, isIdNeeded: true },
  postmeta: { isInserted: true, isIdNeeded: false },
  terms: { isInserted: true, isIdNeeded: true },
  termmeta: { isInserted: false, isIdNeeded: false },
  termTaxonomy: { isInserted: true, isIdNeeded: true },
  termRelationships: { isInserted: true, isIdNeeded: false },
}

const KINDS = Object.keys(SITE_TABLES) as (keyof SiteTables)[]

type TableNames = Readonly<Record<string, string>>

const MAX_SITES = 10_000

/** Of a site that can be written. */
type Known = { readonly readAt: number; readonly implicit: ImplicitValues }

/** The differences of a site's tables from those of WordPress. Missing tables are left out. */
export const findDifferences = (
  db: Db,
  tables: TableNames,
  states: ReadonlyMap<string, TableState>,
  findTexts?: typeof findMisread,
): Promise<TableDifference[]> => compareTables(db, SITE_TABLES, tables, states, findTexts)

/** The differences of the shared tables. The service only reads them, so they refuse no write. */
export async function findNetworkDifferences(
  db: Db,
  { basePrefix: _, ...tables }: GlobalTables,
): Promise<TableDifference[]> {
  const states = await readTables(db, Object.values(tables))
  const differences = await compareTables(db, NETWORK_TABLES, tables, states)
  return differences.map((difference) => ({ ...difference, refusesWrites: false }))
}

async function compareTables(
  db: Db,
  descriptions: Readonly<Record<string, TableDescription>>,
  tables: TableNames,
  states: ReadonlyMap<string, TableState>,
  findTexts: typeof findMisread = findMisread,
): Promise<TableDifference[]> {
  const differences: TableDifference[] = []
  for (const [kind, description] of Object.entries(descriptions)) {
    const state = states.get(tables[kind] ?? '')
    if (!state) continue
    const misread = await findTexts(db, state.name, suspectColumns(state))
    differences.push(...compareTable(state, description, USES[kind] ?? READ_ONLY, misread))
  }
  return differences
}

const READ_ONLY: TableUses = { isInserted: false, isIdNeeded: false }

/** What this process knows of the tables of sites. It looks again after a moment, because an import may replace them at any time. */
export class TableKnowledge implements WrittenTables {
  readonly #db: Db
  readonly #known = new LRUCache<number, Known>({ max: MAX_SITES })
  readonly #texts: LRUCache<string, readonly ColumnState[]>

  constructor(db: Db) {
    this.#db = db
    this.#texts = new LRUCache({ max: MAX_SITES, ttl: db.timings.db.textsKnownMs })
  }

  async check(site: SiteTableNames): Promise<ImplicitValues> {
    const known = this.#known.get(site.blogId)
    if (known && performance.now() - known.readAt < this.#db.timings.db.tablesKnownMs)
      return known.implicit
    const { refusal, implicit } = await this.#read(site)
    if (refusal) throw refusal
    return implicit
  }

  async explain(site: SiteTableNames, error: unknown): Promise<'retry' | AppError | undefined> {
    if (!isTableError(error) && !isCharsetMismatch(error)) return undefined
    const before = this.#known.get(site.blogId)
    const { refusal, implicit, states } = await this.#read(site)
    if (refusal) return refusal
    if (isColumnsError(error) && !isEqual(before?.implicit, implicit)) return 'retry'
    return (
      errorOfColumn(error, site.tables, states) ??
      (isCharsetMismatch(error) ? errorOfCharset(states) : tableErrorOf(error))
    )
  }

  async #read({ blogId, tables }: SiteTableNames): Promise<{
    readonly refusal: AppError | undefined
    readonly implicit: ImplicitValues
    readonly states: ReadonlyMap<string, TableState>
  }> {
    const readAt = performance.now()
    const states = await readTables(this.#db, Object.values(tables))
    const differences = await findDifferences(this.#db, tables, states, this.#findTexts)
    const refusing = differences.find(({ refusesWrites }) => refusesWrites)
    const implicit = new Map<string, InsertedRow>()
    for (const kind of KINDS) {
      const state = states.get(tables[kind] ?? '')
      const values = state ? implicitValues(state, SITE_TABLES[kind]) : {}
      if (state && USES[kind]?.isInserted && Object.keys(values).length > 0)
        implicit.set(state.name, values)
    }
    // A repair counts at once.
    if (refusing) this.#known.delete(blogId)
    else this.#known.set(blogId, { readAt, implicit })
    return { refusal: refusing && refusalOf(refusing), implicit, states }
  }

  readonly #findTexts: typeof findMisread = async (db, table, columns) => {
    if (columns.length === 0) return []
    const key = [table, ...columns.map(({ name, charset }) => `${name} ${charset}`)].join('\n')
    const seen = this.#texts.get(key)
    if (seen) return [...seen]
    const found = await findMisread(db, table, columns)
    // A repair counts at once.
    if (found.length === 0) this.#texts.set(key, found)
    return found
  }
}

function refusalOf(difference: TableDifference): AppError {
  const { message, fixHint } = describeDifference(difference)
  return new AppError(
    'table_unsupported',
    `${message} Nothing was written, because what is stored would be a guess. Ask the operator of the network to run "wp-frames doctor", and to do what it says: ${fixHint}`,
    { table: difference.table, columns: columnsOf(difference) },
  )
}

function columnsOf(difference: TableDifference): readonly string[] {
  if ('column' in difference) return [difference.column]
  if (!('columns' in difference)) return []
  return difference.columns.map((column) => (typeof column === 'string' ? column : column.name))
}

/** What the API calls the columns whose texts clients send. */
const FIELDS: Readonly<Record<string, string>> = {
  name: 'name',
  slug: 'slug',
  post_title: 'title',
  post_excerpt: 'attr_title',
  post_content: 'description',
}

/** The error for a text that its column cannot store. */
function errorOfColumn(
  error: unknown,
  tables: TableNames,
  states: ReadonlyMap<string, TableState>,
): AppError | undefined {
  const column = columnIn(error)
  const kind = KINDS.find((one) => column !== undefined && column in SITE_TABLES[one].columns)
  const state = kind && states.get(tables[kind] ?? '')
  const actual = state?.columns.find(({ name }) => name === column)
  if (column === undefined || !state || !actual) return undefined
  const location = `the column "${column}" of "${state.name}"`
  const isLong = isValueTooLong(error)
  if (!isLong && !isCharsetMismatch(error)) return undefined
  const unit = actual.type.endsWith('text') ? 'bytes' : 'characters'
  const rule = isLong
    ? `must have at most ${lengthOf(actual.definition)} ${unit}, which ${location} takes`
    : `must have only characters of ${actual.charset}, the character set of ${location}`
  const field = FIELDS[column]
  if (field !== undefined)
    return new AppError('rest_invalid_param', `Invalid parameter(s): ${field}. It ${rule}.`, {
      params: { [field]: rule },
    })
  return new AppError(
    'table_unsupported',
    `A value ${rule}. Nothing was written. Ask the operator of the network to run "wp-frames doctor".`,
    { table: state.name, columns: [column] },
  )
}

/** MySQL compares no text with a column that cannot store it, and does not say with which one. */
function errorOfCharset(states: ReadonlyMap<string, TableState>): AppError | undefined {
  for (const state of states.values()) {
    const columns = suspectColumns(state).map(({ name }) => name)
    if (columns.length > 0)
      return new AppError(
        'table_unsupported',
        `A text has characters that columns of "${state.name}" cannot store (${columns.join(', ')}). Nothing was written. Leave them out, or ask the operator of the network to run "wp-frames doctor", which says how the table is converted.`,
        { table: state.name, columns },
      )
  }
  return undefined
}

/** The error for a statement that the tables of the network do not take; undefined for any other error. */
export function tableErrorOf(error: unknown): AppError | undefined {
  if (!isTableError(error)) return undefined
  const column = columnIn(error)
  return new AppError(
    'table_unsupported',
    `The tables of the site are not as WordPress makes them: ${serverMessageOf(error)}. Ask the operator of the network to run "wp-frames doctor", which compares them.`,
    column === undefined ? {} : { columns: [column] },
  )
}

const isEqual = (a: ImplicitValues | undefined, b: ImplicitValues): boolean =>
  JSON.stringify([...(a ?? [])]) === JSON.stringify([...b])

/** Values of each column that are looked at. */
const VALUES = 20

/**
 * The columns that contain UTF-8 in another character set. A WordPress with `DB_CHARSET` latin1 stores it so, and reads it back; every other
 * program reads `Ã¼` in place of `ü`. Text in the character set of its column hardly ever is valid UTF-8.
 */
export async function findMisread(
  db: Db,
  table: string,
  columns: readonly ColumnState[],
): Promise<ColumnState[]> {
  const found: ColumnState[] = []
  for (const column of columns) {
    // What a server makes of bytes that are no UTF-8 is no shorter than the bytes.
    const rows = await readRows<{ bytes: Buffer }>(
      db,
      `SELECT CAST(:column: AS BINARY) AS bytes FROM :table:
        WHERE CHAR_LENGTH(CONVERT(CAST(:column: AS BINARY) USING utf8mb4)) < LENGTH(:column:) LIMIT ${VALUES}`,
      { table, column: column.name },
    )
    if (rows.some(({ bytes }) => isUtf8(bytes))) found.push(column)
  }
  return found
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
