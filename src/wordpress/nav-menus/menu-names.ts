import type { Db } from '../../db/database.ts'
import { characterReference, storableTexts } from '../../db/sql.ts'
import { numberedSlug } from '../formatting/slugs.ts'
import type { Site } from '../network/site.ts'

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
