import type { Db } from '../../db/database.ts'
import { characterReference, storableTexts } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { numberedSlug } from '../formatting/slugs.ts'
import type { Site } from '../network/site.ts'
import { menuKeys } from '../object-cache/cache-keys.ts'
import { MENU_COLUMNS, type Menu, type MenuRow, menuOf } from './nav-menu.ts'

/**
 * The menu with this id, its rows locked until the transaction ends: its term is the write lock of a menu, of its items and of its
 * places. Undefined where it is gone. Locks are taken in one order: names, menu, options by name, posts.
 */
export async function lockMenu(tx: Tx, site: Site, menuId: number): Promise<Menu | undefined> {
  const { terms, termTaxonomy } = site.tables
  const row = { term_id: menuId, taxonomy: 'nav_menu' }
  // Written to and fro, because Galera compares at commit what two nodes wrote, and knows nothing of what they locked.
  const held = await tx.sql(termTaxonomy).where(row).increment('count')
  if (held === 0) return undefined
  await tx.sql(termTaxonomy).where(row).decrement('count')
  const found: MenuRow | undefined = await tx
    .sql({ tt: termTaxonomy })
    .join({ t: terms }, 't.term_id', 'tt.term_id')
    .where({ 'tt.term_id': menuId, 'tt.taxonomy': 'nav_menu' })
    .select(...MENU_COLUMNS)
    .forUpdate()
    .first()
  return found && menuOf(found)
}

/** Option of the service whose row is a site's lock for the names and slugs of its menus; it counts how often it was taken. */
const NAMES_LOCK = 'svc_menu_names'

/** Keeps other writers from naming a menu of this site until the transaction ends: no row of WordPress's stands for all names. */
export async function lockMenuNames(tx: Tx, site: Site): Promise<void> {
  await tx
    .sql(site.tables.options)
    .insert({ option_name: NAMES_LOCK, option_value: '1', autoload: 'off' })
    .onConflict('option_name')
    .merge({ option_value: tx.sql.raw('?? + 1', ['option_value']) })
}

/** What the column `name` of the terms holds, in characters. */
export const MAX_NAME_LENGTH = 200

/** A name as the table can hold it: characters beyond its set become references, as in titles (wp_encode_emoji, formatting.php). */
export async function storableMenuName(db: Db, site: Site, name: string): Promise<string> {
  const column = { table: site.tables.terms, column: 'name' }
  const [stored = name] = await storableTexts(db, column, [name], characterReference)
  return stored
}

/**
 * The name as no other menu of the site bears it: WordPress has no two menus whose names its collation takes for equal, and its
 * customizer then adds a number, `Main (2)` (wp_update_nav_menu_object, nav-menu.php; class-wp-customize-nav-menu-setting.php).
 * @param name as stored
 * @param self id of the menu that is to bear it, where there is one already
 */
export async function uniqueMenuName(
  db: Db,
  site: Site,
  name: string,
  self?: number,
): Promise<string> {
  const { terms, termTaxonomy } = site.tables
  const isTaken = async (candidate: string): Promise<boolean> => {
    const rows: { term_id: number }[] = await db
      .sql({ t: terms })
      .join({ tt: termTaxonomy }, 'tt.term_id', 't.term_id')
      .where({ 'tt.taxonomy': 'nav_menu', 't.name': candidate })
      .select('t.term_id')
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
 * The slug as a menu may bear it. It needs a number only where another menu bears it, or its own is kept in another taxonomy too;
 * then the number must be free among all terms (wp_unique_term_slug, taxonomy.php).
 * @param self id of the menu that is to bear it, where there is one already
 */
export async function uniqueMenuSlug(
  db: Db,
  site: Site,
  slug: string,
  self?: number,
): Promise<string> {
  const { terms, termTaxonomy } = site.tables
  const bearers = async (candidate: string): Promise<{ term_id: number; taxonomy: string }[]> =>
    db
      .sql({ t: terms })
      .leftJoin({ tt: termTaxonomy }, 'tt.term_id', 't.term_id')
      .where({ 't.slug': candidate })
      .select('t.term_id', 'tt.taxonomy')
  const isOther = ({ term_id }: { term_id: number }): boolean => term_id !== self
  const held = await bearers(slug)
  if (!held.some(({ taxonomy }) => taxonomy === 'nav_menu') || !held.some(isOther)) return slug
  for (let number = 2; ; number += 1) {
    const candidate = numberedSlug(slug, number)
    if (!(await bearers(candidate)).some(isOther)) return candidate
  }
}

export type MenuNames = {
  /** As stored, see `menuName` and `storableMenuName`. */
  readonly name: string
  /** '' lets the menu bear its id. */
  readonly slug: string
}

/** Makes a menu without items (wp_insert_term, taxonomy.php). The caller holds the names and has seen to it that these are free. */
export async function insertMenu(tx: Tx, site: Site, names: MenuNames): Promise<Menu> {
  const { terms, termTaxonomy } = site.tables
  const [id = 0] = await tx.sql(terms).insert({ name: names.name, slug: names.slug, term_group: 0 })
  const slug = names.slug || String(id)
  if (slug !== names.slug) await tx.sql(terms).where({ term_id: id }).update({ slug })
  const [termTaxonomyId = 0] = await tx
    .sql(termTaxonomy)
    .insert({ term_id: id, taxonomy: 'nav_menu', description: '', parent: 0, count: 0 })
  tx.invalidate(menuKeys(site, [id]))
  return { id, termTaxonomyId, name: names.name, slug, count: 0 }
}

/** Gives a menu other names; the caller holds the names and the menu. */
export async function renameMenuTerm(
  tx: Tx,
  site: Site,
  menu: Menu,
  names: MenuNames,
): Promise<Menu> {
  const slug = names.slug || String(menu.id)
  await tx.sql(site.tables.terms).where({ term_id: menu.id }).update({ name: names.name, slug })
  tx.invalidate(menuKeys(site, [menu.id]))
  return { ...menu, name: names.name, slug }
}

/**
 * Deletes a menu that has no items any more: what else is related to it keeps its own rows. A term that an old site shares with another
 * taxonomy stays (wp_delete_term, taxonomy.php).
 */
export async function deleteMenuTerm(tx: Tx, site: Site, menu: Menu): Promise<void> {
  const { terms, termmeta, termTaxonomy, termRelationships } = site.tables
  await tx.sql(termRelationships).where({ term_taxonomy_id: menu.termTaxonomyId }).delete()
  await tx.sql(termmeta).where({ term_id: menu.id }).delete()
  await tx.sql(termTaxonomy).where({ term_taxonomy_id: menu.termTaxonomyId }).delete()
  tx.invalidate(menuKeys(site, [menu.id]))
  const shared = await tx.sql(termTaxonomy).where({ term_id: menu.id }).first('term_taxonomy_id')
  if (!shared) await tx.sql(terms).where({ term_id: menu.id }).delete()
}

/** Makes the counts of menus those of their published items (_update_post_term_count, taxonomy.php): at 0 WordPress shows none. */
export async function recountMenus(
  tx: Tx,
  site: Site,
  menus: readonly Pick<Menu, 'id' | 'termTaxonomyId'>[],
): Promise<void> {
  const ids = menus.map(({ termTaxonomyId }) => termTaxonomyId)
  const { termTaxonomy, termRelationships, posts } = site.tables
  const published = tx
    .sql({ tr: termRelationships })
    .join({ p: posts }, 'p.ID', 'tr.object_id')
    .where({ 'p.post_type': 'nav_menu_item', 'p.post_status': 'publish' })
    .where('tr.term_taxonomy_id', tx.sql.ref(`${termTaxonomy}.term_taxonomy_id`))
    .count()
  await tx.sql(termTaxonomy).whereIn('term_taxonomy_id', ids).update({ count: published })
  tx.invalidate(
    menuKeys(
      site,
      menus.map(({ id }) => id),
    ),
  )
}
