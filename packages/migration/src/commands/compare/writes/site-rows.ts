import { PhpObject, type PhpValue } from '#php-serialized'
import { REGISTRY_OPTION } from '#wp-frames/content/frames/option-names'
import type { Db } from '#wp-frames/db/database'
import { readRow, readRows } from '#wp-frames/db/sql'
import type { Site, SiteTables } from '#wp-frames/wordpress/network/site'
import { storedArray, storedValue } from '#wp-frames/wordpress/stored-value'
import type { IdBindings, IdsBefore } from '../../../compare/id-bindings.ts'

type TableName = keyof SiteTables

/** The key of each table, and what identifies a row to a reader. */
const TABLES: Readonly<Record<TableName, { readonly key: string; readonly name: string }>> = {
  posts: { key: 'ID', name: 'ID' },
  postmeta: { key: 'meta_id', name: "CONCAT(post_id, ' ', meta_key)" },
  terms: { key: 'term_id', name: 'term_id' },
  termmeta: { key: 'meta_id', name: "CONCAT(term_id, ' ', meta_key)" },
  termTaxonomy: { key: 'term_taxonomy_id', name: 'term_taxonomy_id' },
  termRelationships: {
    key: "CONCAT(object_id, ' ', term_taxonomy_id)",
    name: "CONCAT(object_id, ' ', term_taxonomy_id)",
  },
  options: { key: 'option_name', name: 'option_name' },
}

/** Options that come and go: caches and schedules of WordPress, and baked copies. */
const VOLATILE =
  /^(?:_site)?_transient_|^_site_transient_|_baked$|^(?:cron|rewrite_rules|recently_edited)$/

/** Rows that both programs must write alike. Others are kept by one of them. */
const OF_CONTRACT: Partial<Record<TableName, (row: ComparedRow) => boolean>> = {
  options: ({ option_name: name }) =>
    /^(?:svc_frames|svc_frame_[0-9a-f]{16}|theme_mods_.*|polylang)$/.test(String(name)),
  postmeta: ({ meta_key: key }) => /^(?:_menu_item_|_svc_frame$)/.test(String(key)),
  termmeta: () => false,
}

type ComparedRow = Readonly<Record<string, unknown>>
type Digests = ReadonlyMap<string, { readonly digest: string; readonly name: string }>
type TableColumns = Readonly<Record<TableName, readonly string[]>>

/** What the writes have changed in the rows of a site. */
export type RowsSinceCopy = {
  /** Rows that both programs must write alike, by table. */
  readonly rows: Readonly<Record<string, readonly ComparedRow[]>>
  /** Rows that one of them keeps. */
  readonly own_rows: Readonly<Record<string, readonly ComparedRow[]>>
  /** Ids of rows that exist now. */
  readonly ids: Readonly<Record<keyof IdsBefore, readonly number[]>>
}

/** The rows of a site in one of the copies, compared with what they were before the writes. */
export class SiteRows {
  readonly #db: Db
  readonly #site: Site
  readonly #columns: TableColumns
  readonly #before: Readonly<Partial<Record<TableName, Digests>>>

  private constructor(
    db: Db,
    site: Site,
    columns: TableColumns,
    before: Partial<Record<TableName, Digests>>,
  ) {
    this.#db = db
    this.#site = site
    this.#columns = columns
    this.#before = before
  }

  static async open(db: Db, site: Site): Promise<SiteRows> {
    const columns: Partial<Record<TableName, readonly string[]>> = {}
    const before: Partial<Record<TableName, Digests>> = {}
    for (const table of tableNames) {
      columns[table] = await readColumns(db, site.tables[table])
      before[table] = await readDigests(db, site, table, columns[table])
    }
    return new SiteRows(db, site, columns as TableColumns, before)
  }

  /** The largest ids before the writes, and the ids of frames. */
  async readIdsBefore(): Promise<{ readonly ids: IdsBefore; readonly frames: string[] }> {
    const { tables } = this.#site
    const largest = async (table: string, column: string): Promise<number> => {
      const row = await readRow<{ id: number | null }>(
        this.#db,
        'SELECT MAX(:column:) AS id FROM :table:',
        { table, column },
      )
      return Number(row?.id ?? 0)
    }
    const registry = await readRow<{ option_value: string }>(
      this.#db,
      'SELECT option_value FROM :options: WHERE option_name = :name',
      { options: tables.options, name: REGISTRY_OPTION },
    )
    return {
      ids: {
        post: await largest(tables.posts, 'ID'),
        term: await largest(tables.terms, 'term_id'),
        taxonomy: await largest(tables.termTaxonomy, 'term_taxonomy_id'),
      },
      frames: [...storedArray(registry?.option_value).keys()].map(String),
    }
  }

  /** Rows that are new, changed or gone. */
  async readChanges(): Promise<RowsSinceCopy> {
    const rows: Record<string, ComparedRow[]> = {}
    const own: Record<string, ComparedRow[]> = {}
    const ids: Record<keyof IdsBefore, number[]> = { post: [], term: [], taxonomy: [] }
    for (const table of tableNames) {
      const now = await readDigests(this.#db, this.#site, table, this.#columns[table])
      const before = this.#before[table] ?? new Map()
      const changed = [...now].filter(([key, { digest }]) => before.get(key)?.digest !== digest)
      const gone = [...before].filter(([key]) => !now.has(key))
      const found = await readRowsOf(
        this.#db,
        this.#site,
        table,
        changed.map(([key]) => key),
      )
      const isOfContract = OF_CONTRACT[table] ?? (() => true)
      rows[table] = found.filter(isOfContract)
      own[table] = found.filter((row) => !isOfContract(row))
      for (const [, { name }] of gone) {
        const [post_id, meta_key] = name.split(' ')
        const row = { id: name, gone: true, option_name: name, post_id, meta_key }
        const of = isOfContract(row) ? rows : own
        of[table]?.push({ id: name, gone: true })
      }
      const space = SPACES[table]
      if (space !== undefined) ids[space] = [...now.keys()].map(Number).sort((a, b) => a - b)
    }
    return { rows, own_rows: own, ids }
  }
}

/** Which ids a table has. */
const SPACES: Partial<Record<TableName, keyof IdsBefore>> = {
  posts: 'post',
  terms: 'term',
  termTaxonomy: 'taxonomy',
}

const tableNames = Object.keys(TABLES) as TableName[]

async function readColumns(db: Db, table: string): Promise<readonly string[]> {
  const columns = await readRows<{ Field: string }>(db, 'SHOW COLUMNS FROM :table:', { table })
  return columns.map((column) => column.Field)
}

/** A digest of each row, computed by the database. */
async function readDigests(
  db: Db,
  { tables }: Site,
  table: TableName,
  names: readonly string[],
): Promise<Digests> {
  const { key, name } = TABLES[table]
  const parts = names.map((_, index) => `IFNULL(:column${index}:, '\\\\N')`).join(", '\\0', ")
  const columns = Object.fromEntries(names.map((column, index) => [`column${index}`, column]))
  const rows = await readRows<ComparedRow>(
    db,
    `SELECT ${key} AS row_key, ${name} AS row_name, SHA2(CONCAT(${parts}), 256) AS digest FROM :table:`,
    { table: tables[table], ...columns },
  )
  return new Map(
    rows
      .filter((row) => table !== 'options' || !VOLATILE.test(String(row.row_key)))
      .map((row) => [
        String(row.row_key),
        { digest: String(row.digest), name: String(row.row_name) },
      ]),
  )
}

async function readRowsOf(
  db: Db,
  { tables }: Site,
  table: TableName,
  keys: readonly string[],
): Promise<ComparedRow[]> {
  if (keys.length === 0) return []
  return readRows(db, `SELECT * FROM :table: WHERE ${TABLES[table].key} IN (:keys)`, {
    table: tables[table],
    keys: [...keys],
  })
}

/** Rows in a form that can be compared: without the ids of rows themselves, with values decoded. */
export function presentRows(
  { rows, own_rows }: RowsSinceCopy,
  bindings: IdBindings | undefined,
): object {
  const present = (tables: RowsSinceCopy['rows']) =>
    Object.fromEntries(
      Object.entries(tables).map(([table, found]) => [
        snakeCase(table),
        numbered(found.map((row) => presentRow(table as TableName, row, bindings))).sort((a, b) =>
          String(a.id) < String(b.id) ? -1 : 1,
        ),
      ]),
    )
  return { rows: present(rows), own_rows: present(own_rows) }
}

const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (c) => `_${c.toLowerCase()}`)

/** Rows with the same name get a number: a post may have a meta key more than once. */
function numbered(rows: readonly ComparedRow[]): ComparedRow[] {
  const seen = new Map<unknown, number>()
  return rows.map((row) => {
    const count = (seen.get(row.id) ?? 0) + 1
    seen.set(row.id, count)
    return count === 1 ? row : { ...row, id: `${row.id} (${count})` }
  })
}

function presentRow(
  table: TableName,
  row: ComparedRow,
  bindings: IdBindings | undefined,
): ComparedRow {
  const text = (value: unknown): unknown =>
    typeof value === 'string' ? (bindings?.translateText(value) ?? value) : value
  const id = (space: keyof IdsBefore, value: unknown): number =>
    bindings?.translate(space, Number(value)) ?? Number(value)
  if (row.gone === true) return { ...row, id: goneName(table, String(row.id), id, text) }
  switch (table) {
    case 'posts': {
      const { ID, post_name: name, guid, post_parent: parent, ...rest } = row
      return {
        id: id('post', ID),
        ...rest,
        post_parent: id('post', parent),
        post_name: name === String(ID) ? String(id('post', ID)) : name,
        guid: String(guid).replace(new RegExp(`([?&]p=)${ID}$`), `$1${id('post', ID)}`),
      }
    }
    case 'postmeta': {
      const { meta_id: _, post_id: post, meta_key: key, meta_value: value } = row
      const isItem = /^_menu_item_(?:menu_item_parent|object_id)$/.test(String(key))
      const stored = isItem ? String(id('post', value)) : decode(value)
      return { id: `${id('post', post)} ${key}`, value: translateDeep(stored, text) }
    }
    case 'terms': {
      const { term_id: term, ...rest } = row
      return { id: id('term', term), ...rest }
    }
    case 'termmeta': {
      const { meta_id: _, term_id: term, meta_key: key, meta_value: value } = row
      return { id: `${id('term', term)} ${key}`, value: decode(value) }
    }
    case 'termTaxonomy': {
      const { term_taxonomy_id: taxonomy, term_id: term, ...rest } = row
      return { id: id('taxonomy', taxonomy), term_id: id('term', term), ...rest }
    }
    case 'termRelationships': {
      const { object_id: post, term_taxonomy_id: taxonomy, ...rest } = row
      return { id: `${id('post', post)} ${id('taxonomy', taxonomy)}`, ...rest }
    }
    case 'options': {
      const { option_name: name, option_value: value, autoload } = row
      const isMap = /^theme_mods_|^polylang$/.test(String(name))
      const decoded = translateDeep(decode(value), text)
      return {
        id: text(name),
        value: isMap ? translateTerms(decoded, id) : decoded,
        // WordPress 6.6 has more spellings.
        autoload: ['no', 'off', 'auto-off'].includes(String(autoload)) ? 'no' : 'yes',
      }
    }
  }
}

type TranslateId = (space: keyof IdsBefore, value: unknown) => number

function goneName(
  table: TableName,
  name: string,
  id: TranslateId,
  text: (value: unknown) => unknown,
): unknown {
  const [first = '', ...rest] = name.split(' ')
  switch (table) {
    case 'posts':
      return id('post', first)
    case 'terms':
      return id('term', first)
    case 'termTaxonomy':
      return id('taxonomy', first)
    case 'termRelationships':
      return `${id('post', first)} ${id('taxonomy', rest[0])}`
    case 'postmeta':
      return [id('post', first), ...rest].join(' ')
    default:
      return text(name)
  }
}

/** Menus are named by their term ids in the locations of themes, as numbers or texts. */
function translateTerms(value: unknown, id: TranslateId): unknown {
  if (typeof value === 'number') return id('term', value)
  if (Array.isArray(value)) return value.map((one) => translateTerms(one, id))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, translateTerms(one, id)]),
  )
}

function translateDeep(value: unknown, text: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => translateDeep(one, text))
  if (typeof value !== 'object' || value === null) return text(value)
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [text(key), translateDeep(one, text)]),
  )
}

/** A stored value as JSON; a damaged one as the text that it is. */
function decode(stored: unknown): unknown {
  if (typeof stored !== 'string') return stored
  const value = storedValue(stored)
  return value === undefined ? stored : jsonOf(value)
}

function jsonOf(value: PhpValue): unknown {
  if (value instanceof PhpObject) return '<object>'
  if (typeof value === 'bigint') return String(value)
  if (!(value instanceof Map)) return value
  const isList = [...value.keys()].every((key, index) => key === index)
  return isList && value.size > 0
    ? [...value.values()].map(jsonOf)
    : Object.fromEntries([...value].map(([key, one]) => [String(key), jsonOf(one)]))
}
