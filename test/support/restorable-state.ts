import { PAGE_META_KEY } from '../../src/content/frames/option-names.ts'
import { readRecords } from '../../src/content/frames/read-frame.ts'
import { readRegistry } from '../../src/content/frames/registry.ts'
import { locationsIn } from '../../src/content/menus/location-history.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { readOptions, readOptionsMatching } from '../../src/wordpress/options/read-options.ts'
import type { SqlDatabase } from './open-database.ts'

/** Everything of a site that a restore promises to bring back, as it is in WordPress's tables, with ids. */
export async function readRestorableState(db: SqlDatabase, site: Site) {
  const { posts, postmeta, terms, termTaxonomy, termRelationships } = site.tables
  const registry = await readRegistry(db, site)
  const records = await readRecords(db, site, registry.all())
  const options = [
    ...(await readOptionsMatching(db, site, 'theme_mods_', '')),
    ...(await readOptions(db, site, ['polylang'])),
  ]
  const rows = async (statement: string, values: readonly string[] = []): Promise<object[]> => {
    const [found] = await db.sql.raw(statement, values)
    return found.map((row: object) => ({ ...row }))
  }
  return {
    frames: [...records].map(([id, { slug, html }]) => ({ id, slug, html })),
    menus: await rows(
      `SELECT t.term_id, t.name, t.slug, tt.term_taxonomy_id, tt.count FROM ${terms} t
        JOIN ${termTaxonomy} tt ON tt.term_id = t.term_id AND tt.taxonomy = 'nav_menu' ORDER BY t.term_id`,
    ),
    items: await rows(
      `SELECT ID, menu_order, post_status, post_title, post_excerpt, post_content, post_parent
        FROM ${posts} WHERE post_type = 'nav_menu_item' ORDER BY ID`,
    ),
    metas: await rows(
      `SELECT m.post_id, m.meta_key, m.meta_value FROM ${postmeta} m JOIN ${posts} p ON p.ID = m.post_id
        WHERE p.post_type = 'nav_menu_item' AND m.meta_key <> '_wp_old_date' ORDER BY m.post_id, m.meta_key`,
    ),
    relations: await rows(
      `SELECT r.object_id, r.term_taxonomy_id FROM ${termRelationships} r
        JOIN ${termTaxonomy} tt ON tt.term_taxonomy_id = r.term_taxonomy_id AND tt.taxonomy = 'nav_menu'
        ORDER BY r.object_id, r.term_taxonomy_id`,
    ),
    locations: options
      .flatMap(([name, text]) => [...locationsIn(name, text, [])])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
    assignments: await rows(
      `SELECT post_id, meta_value FROM ${postmeta} WHERE meta_key = ? ORDER BY post_id`,
      [PAGE_META_KEY],
    ),
  }
}
