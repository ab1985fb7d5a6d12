import { readHome } from '../../src/wordpress/network/find-sites.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import type { SqlDatabase } from '../../test/support/open-database.ts'
import { ALLOWED_DIFFERENCES } from '../allowed-differences.ts'

type Row = Readonly<Record<string, unknown>>

/** All rows of a site that belong to menus, by table, in an order that does not depend on the order of the writes. */
export type MenuRows = Readonly<Record<string, readonly Row[]>>

/**
 * The rows of a site's menus in a form that can be compared with another site's: without the allowed differences, with ids numbered
 * from 1 in the order of the items, and addresses without the address of the site.
 */
export async function readMenuRows(db: SqlDatabase, site: Site): Promise<MenuRows> {
  const rows = await readRows(db, site)
  const count = counter(rows, await readHome(db, site))
  return Object.fromEntries(
    Object.entries(rows).map(([table, found]) => {
      const allowed = Object.keys(ALLOWED_DIFFERENCES[table] ?? {})
      const counted = found
        .filter(({ option_name: name }) => !allowed.includes(String(name)))
        .map((row) => without(count(row), allowed))
      return [table, counted.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))]
    }),
  )
}

async function readRows({ sql }: SqlDatabase, { tables }: Site): Promise<Record<string, Row[]>> {
  const items = sql(tables.posts).where({ post_type: 'nav_menu_item' })
  const menus = sql(tables.termTaxonomy).where({ taxonomy: 'nav_menu' })
  const ids = items.clone().select('ID')
  const options = ['theme_mods_four-places', 'nav_menu_options', 'svc_menu_names']
  return {
    posts: await items.clone().orderBy(['menu_order', 'ID']).select('*'),
    postmeta: await sql(tables.postmeta).whereIn('post_id', ids).select('*'),
    term_relationships: await sql(tables.termRelationships).whereIn('object_id', ids).select('*'),
    term_taxonomy: await menus.clone().orderBy('term_id').select('*'),
    terms: await sql(tables.terms).whereIn('term_id', menus.clone().select('term_id')).select('*'),
    options: await sql(tables.options)
      .whereIn('option_name', options)
      .select('option_name', 'option_value', 'autoload'),
  }
}

/** Replaces every id in a row by its number. */
function counter(rows: Record<string, readonly Row[]>, home: string): (row: Row) => Row {
  const numbers = (table: string, column: string): ReadonlyMap<number, number> =>
    new Map((rows[table] ?? []).map((row, index) => [Number(row[column]), index + 1]))
  const [items, menus] = [numbers('posts', 'ID'), numbers('term_taxonomy', 'term_id')]
  const taxonomies = numbers('term_taxonomy', 'term_taxonomy_id')
  const item = (id: unknown): string => `item ${items.get(Number(id)) ?? id}`
  const columns: Record<string, (value: unknown, row: Row) => unknown> = {
    ID: item,
    post_id: item,
    object_id: item,
    meta_id: () => 'any',
    term_id: (id) => menus.get(Number(id)),
    term_taxonomy_id: (id) => taxonomies.get(Number(id)),
    post_name: (name, { ID }) => (name === String(ID) ? item(ID) : name),
    guid: (address, { ID }) => String(address).replace(`${home}/?p=${ID}`, `<home>/?p=${item(ID)}`),
    meta_value: (value, { post_id, meta_key }) => {
      const isOwn = meta_key === '_menu_item_object_id' && value === String(post_id)
      const isParent = meta_key === '_menu_item_menu_item_parent' && value !== '0'
      return isOwn || isParent ? item(value) : String(value).replace(home, '<home>')
    },
    option_value: (text) =>
      String(text).replace(/(?<="nav_menu_locations".*i:)\d+/g, (id) =>
        String(menus.get(Number(id)) ?? id),
      ),
  }
  return (row) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => [name, columns[name]?.(value, row) ?? value]),
    )
}

function without(row: Row, columns: readonly string[]): Row {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)))
}
