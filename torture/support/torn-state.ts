import type { Db } from '../../src/db/database.ts'
import { metaOption, recordOption } from '../../src/frames/option-names.ts'
import { readRegistry } from '../../src/frames/registry.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { readOptionsBetween } from '../../src/wordpress/options/read-option.ts'

/** What no sequence of whole writes leaves behind, a sentence each. */
export async function tornState(db: Db, site: Site): Promise<string[]> {
  return [...(await tornFrames(db, site)), ...(await tornMenus(db, site))]
}

async function tornFrames(db: Db, site: Site): Promise<string[]> {
  const registry = await readRegistry(db, site)
  const options = await readOptionsBetween(db, site, 'svc_frame_', '')
  const known = registry
    .all()
    .flatMap(({ id }) => [recordOption(id), metaOption(id)])
    .filter((name) => !options.has(name))
    .map((name) => `the registry knows a frame, and ${name} is missing`)
  const strays = [...options.keys()]
    .filter((name) => !registry.find(/^svc_frame_([0-9a-f]{16})/.exec(name)?.[1] ?? ''))
    .map((name) => `${name} belongs to no frame of the registry`)
  return [...known, ...strays]
}

async function tornMenus(db: Db, site: Site): Promise<string[]> {
  const { posts, postmeta, termRelationships: relations, termTaxonomy } = site.tables
  const questions = {
    'a menu item is in no menu, or in several': `SELECT p.ID FROM ${posts} p
      LEFT JOIN (${relations} tr JOIN ${termTaxonomy} tt USING (term_taxonomy_id)) ON tr.object_id = p.ID AND tt.taxonomy = 'nav_menu'
      WHERE p.post_type = 'nav_menu_item' GROUP BY p.ID HAVING COUNT(tt.term_id) <> 1`,
    'a menu counts other items than it has': `SELECT tt.term_id FROM ${termTaxonomy} tt
      LEFT JOIN (${relations} tr JOIN ${posts} p ON p.ID = tr.object_id AND p.post_status = 'publish') USING (term_taxonomy_id)
      WHERE tt.taxonomy = 'nav_menu' GROUP BY tt.term_taxonomy_id, tt.count HAVING COUNT(p.ID) <> tt.count`,
    'a relation is of no post': `SELECT tr.object_id FROM ${relations} tr JOIN ${termTaxonomy} tt USING (term_taxonomy_id)
      LEFT JOIN ${posts} p ON p.ID = tr.object_id WHERE tt.taxonomy = 'nav_menu' AND p.ID IS NULL`,
    'a meta value is of no post': `SELECT m.meta_id FROM ${postmeta} m
      LEFT JOIN ${posts} p ON p.ID = m.post_id WHERE m.meta_key LIKE '\\_menu\\_item\\_%' AND p.ID IS NULL`,
    'a post has a meta value twice': `SELECT post_id FROM ${postmeta} WHERE meta_key = '_svc_frame' OR meta_key LIKE '\\_menu\\_item\\_%'
      GROUP BY post_id, meta_key HAVING COUNT(*) > 1`,
    'a menu item bears a mark instead of an address': `SELECT ID FROM ${posts} WHERE post_type = 'nav_menu_item' AND guid NOT LIKE 'http%'`,
    'a menu has no term': `SELECT tt.term_id FROM ${termTaxonomy} tt LEFT JOIN ${site.tables.terms} t USING (term_id)
      WHERE tt.taxonomy = 'nav_menu' AND t.term_id IS NULL`,
  }
  const torn: string[] = []
  for (const [sentence, sql] of Object.entries(questions)) {
    const [rows] = await db.sql.raw(sql)
    if (rows.length > 0) torn.push(`${sentence}: ${JSON.stringify(rows.slice(0, 5))}`)
  }
  return torn
}
