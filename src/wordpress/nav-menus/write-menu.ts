import type { Tx } from '../../db/transaction.ts'
import type { Site } from '../network/site.ts'
import { menuKeys } from '../object-cache/cache-keys.ts'
import type { Menu } from './nav-menu.ts'

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
