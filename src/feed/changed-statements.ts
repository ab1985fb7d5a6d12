import { addRows, addTable, NETWORK_OPTIONS } from './changed-rows.ts'
import type { ChangedSites } from './changed-sites.ts'
import type { FindTable, NetworkTable } from './network-tables.ts'
import {
  type QualifiedName,
  readNames,
  SINGLE_TARGET_VERBS,
  type StatementNames,
} from './statement-tables.ts'

/** The network whose tables are followed. */
export type FollowedNetwork = {
  /** The name of its database. */
  readonly database: string
  readonly findTable: FindTable
}

/**
 * Adds what a statement may have changed, by the names of tables in its text. Statements of other databases that name no table of the
 * network add nothing. One of the network's own database that cannot be read adds everything.
 * @param schema the default database of the statement
 * @returns whether it added anything
 */
export function addStatement(
  changes: ChangedSites,
  { sql, schema }: { readonly sql: string; readonly schema: string },
  network: FollowedNetwork,
): boolean {
  const statement = readNames(sql)
  const tables = tablesOf(statement, schema, network)
  if (tables.length === 0) {
    const mayChangeEverything = isOpaque(statement, schema, network)
    if (mayChangeEverything) changes.addEverything()
    return mayChangeEverything
  }
  const conditions = tables.length === 1 ? findConditions(sql) : undefined
  for (const table of tables) {
    const row = conditions && ROW_KEYS[table.kind]?.(conditions)
    if (row) addRows(changes, table, [{ after: row }])
    else if (table.kind !== 'sitemeta' || mayChangeNetwork(statement, sql)) addTable(changes, table)
  }
  return true
}

/** The tables of the network that a statement names. */
function tablesOf(
  { names }: StatementNames,
  schema: string,
  { database, findTable }: FollowedNetwork,
): NetworkTable[] {
  const isOwn = (name: string): boolean => name.toLowerCase() === database.toLowerCase()
  const found = new Map<string, NetworkTable>()
  for (const { qualifier, name } of names) {
    if (!isOwn(qualifier ?? schema)) continue
    const table = findTable(name)
    if (table) found.set(name.toLowerCase(), table)
  }
  return [...found.values()]
}

/** Whether a statement may change tables that it does not name: functions, a dropped database, a text that was not read to its end. */
function isOpaque(
  { head, names, isComplete }: StatementNames,
  schema: string,
  { database }: FollowedNetwork,
): boolean {
  const isOwn = (name: string | undefined): boolean =>
    name?.toLowerCase() === database.toLowerCase()
  const namesDatabase = ({ qualifier, name }: QualifiedName) => isOwn(qualifier) || isOwn(name)
  if (!isOwn(schema) && !names.some(namesDatabase)) return false
  const [verb = '', object = ''] = head
  if (verb === 'drop') return DATABASE.has(object) && names.some(({ name }) => isOwn(name))
  return FUNCTION_CALLS.has(verb) || !(isComplete || SINGLE_TARGET_VERBS.has(verb))
}

const DATABASE = new Set(['database', 'schema'])
const FUNCTION_CALLS = new Set(['select', 'do', 'call'])
const ROW_VERBS = new Set(['insert', 'replace', 'update', 'delete'])

/** WordPress stores transients of the network in `sitemeta` too: only statements that name one of the options that matter count. */
function mayChangeNetwork({ head: [verb = ''] }: StatementNames, sql: string): boolean {
  return !ROW_VERBS.has(verb) || [...NETWORK_OPTIONS].some((name) => sql.includes(name))
}

type Conditions = ReadonlyMap<string, string>

/** The columns of a row that the conditions of a statement determine; undefined if they do not identify the row. */
const ROW_KEYS: Partial<
  Record<NetworkTable['kind'], (conditions: Conditions) => Record<string, string> | undefined>
> = {
  options: (conditions) => pick(conditions, 'option_name'),
  posts: (conditions) => pick(conditions, 'ID'),
  postmeta: (conditions) => pick(conditions, 'post_id', 'meta_key'),
  blogs: (conditions) => pick(conditions, 'blog_id'),
}

function pick(
  conditions: Conditions,
  key: string,
  ...others: string[]
): Record<string, string> | undefined {
  if (!conditions.has(key)) return undefined
  const known = [key, ...others].filter((column) => conditions.has(column))
  return Object.fromEntries(known.map((column) => [column, conditions.get(column) ?? '']))
}

/** The form of add_metadata (meta.php): a new meta value of a post. */
const META_INSERT =
  /^INSERT INTO `\w+` \(`post_id`, `meta_key`, `meta_value`\) VALUES \((\d+), '([^'\\]*)', '(?:[^'\\]|\\.)*'\)$/s
/** In characters. Longer statements count as a change of the whole table. */
const MAX_INSERT_LENGTH = 100_000

const WORDPRESS_WRITE = /^(?:UPDATE|DELETE FROM) `\w+` /
const CONDITION = "`(\\w+)` = (?:'([^'\\\\]*)'|(\\d+))"
const CONDITIONS_AT_END = new RegExp(` WHERE ${CONDITION}(?: AND ${CONDITION})*$`)
/** The conditions of WordPress's own statements are shorter. */
const MAX_CONDITIONS_LENGTH = 1000

/**
 * The conditions of a statement in the form of wpdb::update and wpdb::delete: columns of one table that equal a value, at the end of the
 * text; of an inserted meta value, its columns. With `binlog_format=MIXED`, they tell which option WordPress wrote: most of its writes are transients.
 */
function findConditions(sql: string): Conditions | undefined {
  const [, post, key] = (sql.length <= MAX_INSERT_LENGTH && META_INSERT.exec(sql)) || []
  if (post !== undefined && key !== undefined)
    return new Map([
      ['post_id', post],
      ['meta_key', key],
    ])
  if (!WORDPRESS_WRITE.test(sql)) return undefined
  const [end] = CONDITIONS_AT_END.exec(sql.slice(-MAX_CONDITIONS_LENGTH)) ?? []
  if (end === undefined) return undefined
  const begin = sql.length - end.length
  const matches = [...end.matchAll(new RegExp(CONDITION, 'g'))]
  return new Map(
    matches
      // Not if the statement also sets the column: that row has another key afterwards.
      .filter(([, column]) => sql.indexOf(`\`${column}\``) >= begin)
      .map(([, column = '', text, digits]) => [column, text ?? digits ?? '']),
  )
}
