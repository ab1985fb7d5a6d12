import type { Db } from '../../db/database.ts'
import {
  characterReference,
  insertRow,
  readRow,
  readRows,
  runStatement,
  storableTexts,
  storeRows,
} from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { assertAssigned, completeRow } from '../../db/written-tables.ts'
import { menuKeys } from '../cache-keys.ts'
import { MAX_NAME_LENGTH } from '../formatting/menu-texts.ts'
import { numberedSlug } from '../formatting/slugs.ts'
import type { Site } from '../network/site.ts'
import { noteMenu } from '../written-rows.ts'
import type { OtherMeta } from './menu-item.ts'
import { findMenuById, type Menu, type MenuIds } from './nav-menu.ts'
import { readWholeMenu, type StoredMenu } from './read-menu.ts'

/**
 * Locks a menu until the transaction ends. The row of its term is the write lock for the menu, its items and its assignments.
 * Lock order: names, menu, options by name, posts.
 * @returns undefined if the menu does not exist
 */
export function lockMenu(tx: Tx, site: Site, menuId: number): Promise<Menu | undefined> {
  lockMenuRow(tx, site, menuId)
  return findMenuById(tx, site, menuId, 'FOR UPDATE')
}

/**
 * Locks a menu like `lockMenu`, and reads it with its items and with what plugins keep with them. Reads that begin after this call follow the lock too.
 * @returns undefined if the menu does not exist
 */
export async function lockStoredMenu(
  tx: Tx,
  site: Site,
  menuId: number,
): Promise<StoredMenu | undefined> {
  lockMenuRow(tx, site, menuId)
  return readWholeMenu(tx, site, menuId)
}

/** Sends the lock with the next read, which shows whether the menu exists. */
function lockMenuRow(tx: Tx, { tables }: Site, menuId: number): void {
  // Written and restored: Galera detects conflicts at commit by comparing written rows, and does not replicate row locks.
  for (const step of ['+ 1', '- 1'])
    tx.later(
      `UPDATE :termTaxonomy: SET count = count ${step} WHERE term_id = :menuId AND taxonomy = 'nav_menu'`,
      { ...tables, menuId },
    )
}

/** A name that the table can store: characters outside its character set become references, as in titles (wp_encode_emoji, formatting.php). */
export async function storableMenuName(db: Db, site: Site, name: string): Promise<string> {
  const column = { table: site.tables.terms, column: 'name' }
  const [stored = name] = await storableTexts(db, column, [name], characterReference)
  return stored
}

/**
 * Makes a menu name unique on the site. WordPress allows no two menus whose names are equal in the column's collation; like its
 * customizer, this appends a number, `Main (2)` (wp_update_nav_menu_object, nav-menu.php; class-wp-customize-nav-menu-setting.php).
 * @param name as stored
 * @param self id of the menu that gets the name, if it exists already
 */
export async function uniqueMenuName(
  db: Db,
  site: Site,
  name: string,
  self?: number,
): Promise<string> {
  const isTaken = async (candidate: string): Promise<boolean> => {
    const rows = await readRows<{ term_id: number }>(
      db,
      `SELECT t.term_id FROM :terms: t JOIN :termTaxonomy: tt ON tt.term_id = t.term_id
        WHERE tt.taxonomy = 'nav_menu' AND t.name = :candidate`,
      { ...site.tables, candidate },
    )
    return rows.some(({ term_id }) => term_id !== self)
  }
  let unique = name
  for (let number = 2; await isTaken(unique); number += 1) {
    const suffix = ` (${number})`
    unique = `${[...name].slice(0, MAX_NAME_LENGTH - suffix.length).join('')}${suffix}`
  }
  return unique
}

/**
 * Makes a menu slug unique. A number is appended only if another menu has the slug, or if this menu's term is shared with another
 * taxonomy; the numbered slug must then be free among all terms (wp_unique_term_slug, taxonomy.php).
 * @param self id of the menu that gets the slug, if it exists already
 */
export async function uniqueMenuSlug(
  db: Db,
  site: Site,
  slug: string,
  self?: number,
): Promise<string> {
  const findTerms = (candidate: string) =>
    readRows<{ term_id: number; taxonomy: string | null }>(
      db,
      `SELECT t.term_id, tt.taxonomy FROM :terms: t LEFT JOIN :termTaxonomy: tt ON tt.term_id = t.term_id
        WHERE t.slug = :candidate`,
      { ...site.tables, candidate },
    )
  const isOther = ({ term_id }: { term_id: number }): boolean => term_id !== self
  const existing = await findTerms(slug)
  const isMenuSlug = existing.some(({ taxonomy }) => taxonomy === 'nav_menu')
  if (!isMenuSlug || !existing.some(isOther)) return slug
  for (let number = 2; ; number += 1) {
    const candidate = numberedSlug(slug, number)
    if (!(await findTerms(candidate)).some(isOther)) return candidate
  }
}

type MenuNames = {
  /** As stored, see `menuName` and `storableMenuName`. */
  readonly name: string
  /** '' makes the id the slug. */
  readonly slug: string
}

/** The row of a new menu in `term_taxonomy`, without its ids. */
const TAXONOMY_ROW = { taxonomy: 'nav_menu', description: '', parent: 0, count: 0 }

/** Inserts a menu without items (wp_insert_term, taxonomy.php). The caller has locked the names and checked that these are unique. */
export async function insertMenu(tx: Tx, site: Site, names: MenuNames): Promise<Menu> {
  const { terms, termTaxonomy } = site.tables
  const term = completeRow(tx.implicit, terms, { ...names, term_group: 0 })
  const taxonomy = completeRow(tx.implicit, termTaxonomy, TAXONOMY_ROW)
  const [id, { insertId: termTaxonomyId }] = await Promise.all([
    insertRow(tx, terms, term),
    runStatement(
      tx,
      'INSERT INTO :termTaxonomy: (term_id, :columns:) VALUES (LAST_INSERT_ID(), :values)',
      { termTaxonomy, columns: Object.keys(taxonomy), values: Object.values(taxonomy) },
    ),
  ])
  assertAssigned(terms, id)
  assertAssigned(termTaxonomy, termTaxonomyId)
  const slug = names.slug || String(id)
  if (slug !== names.slug)
    tx.later('UPDATE :terms: SET slug = :slug WHERE term_id = :id', { terms, slug, id })
  const menu = { id, termTaxonomyId, name: names.name, slug, count: 0 }
  noteMenu(tx, site, menu)
  return menu
}

/**
 * Inserts a menu that was deleted, with its former id. The id of its row in `term_taxonomy` is the former one too, if that is free.
 * @param others the meta values that it had
 * @returns undefined if the id belongs to another term meanwhile
 */
export async function insertFormerMenu(
  tx: Tx,
  site: Site,
  { id, termTaxonomyId, name, slug }: Omit<Menu, 'count'>,
  others: readonly OtherMeta[],
): Promise<Menu | undefined> {
  const { terms, termTaxonomy, termmeta } = site.tables
  const isTaken = await readRow(tx, 'SELECT term_id FROM :terms: WHERE term_id = :id', {
    terms,
    id,
  })
  if (isTaken) return undefined
  const taken = await readRow(
    tx,
    'SELECT term_id FROM :termTaxonomy: WHERE term_taxonomy_id = :termTaxonomyId',
    { termTaxonomy, termTaxonomyId },
  )
  const term = { term_id: id, name, slug, term_group: 0 }
  await insertRow(tx, terms, completeRow(tx.implicit, terms, term))
  const row = completeRow(tx.implicit, termTaxonomy, { term_id: id, ...TAXONOMY_ROW })
  const newId = await insertRow(
    tx,
    termTaxonomy,
    taken ? row : { ...row, term_taxonomy_id: termTaxonomyId },
  )
  if (taken) assertAssigned(termTaxonomy, newId)
  const rows = others.map(([key, value]) => ({ term_id: id, meta_key: key, meta_value: value }))
  await storeRows(tx, [{ table: termmeta, rows }])
  const menu = { id, termTaxonomyId: taken ? newId : termTaxonomyId, name, slug, count: 0 }
  noteMenu(tx, site, menu)
  return menu
}

/**
 * The other taxonomy whose term a menu has on an old site; undefined for nearly all menus. WordPress splits such a term at its next save of the
 * menu, which gets another id (_split_shared_term, taxonomy.php).
 */
export async function readSharingTaxonomy(
  db: Db,
  { tables }: Site,
  menuId: number,
): Promise<string | undefined> {
  const [row] = await readRows<{ taxonomy: string }>(
    db,
    "SELECT taxonomy FROM :termTaxonomy: WHERE term_id = :menuId AND taxonomy <> 'nav_menu' LIMIT 1",
    { ...tables, menuId },
  )
  return row?.taxonomy
}

/** Renames a menu. The caller has locked the names and the menu, and checked that no other taxonomy has its term (`readSharingTaxonomy`). */
export function renameMenuTerm(tx: Tx, site: Site, menu: Menu, names: MenuNames): Menu {
  const slug = names.slug || String(menu.id)
  const renamed = { ...menu, name: names.name, slug }
  const values = { ...site.tables, ...renamed }
  tx.later('UPDATE :terms: SET name = :name, slug = :slug WHERE term_id = :id', values)
  noteMenu(tx, site, menu)
  return renamed
}

/**
 * Deletes a menu whose items are deleted already. Other objects related to it keep their own rows. A term that an old site shares with
 * another taxonomy is not deleted (wp_delete_term, taxonomy.php).
 */
export function deleteMenuTerm(tx: Tx, site: Site, menu: Menu): void {
  for (const statement of [
    'DELETE FROM :termRelationships: WHERE term_taxonomy_id = :termTaxonomyId',
    'DELETE FROM :termmeta: WHERE term_id = :id',
    'DELETE FROM :termTaxonomy: WHERE term_taxonomy_id = :termTaxonomyId',
    `DELETE FROM :terms: WHERE term_id = :id
      AND NOT EXISTS (SELECT 1 FROM :termTaxonomy: tt WHERE tt.term_id = :id)`,
  ])
    tx.later(statement, { ...site.tables, ...menu })
  noteMenu(tx, site, menu)
}

/**
 * Sets the count of each menu to its number of published items (_update_post_term_count, taxonomy.php). WordPress shows no items of a
 * menu with count 0.
 */
export function recountMenus(tx: Tx, site: Site, menus: readonly MenuIds[]): void {
  tx.later(
    `UPDATE :termTaxonomy: tt SET tt.count = (
        SELECT COUNT(*) FROM :termRelationships: tr JOIN :posts: p ON p.ID = tr.object_id
        WHERE tr.term_taxonomy_id = tt.term_taxonomy_id
          AND p.post_type = 'nav_menu_item' AND p.post_status = 'publish'
      ) WHERE tt.term_taxonomy_id IN (:ids)`,
    { ...site.tables, ids: menus.map(({ termTaxonomyId }) => termTaxonomyId) },
  )
  const ids = menus.map(({ id }) => id)
  tx.invalidate(menuKeys(site, ids))
}
