import type { Db } from '../db/database.ts'
import { escapeLike } from '../db/sql.ts'
import type { Site } from './network/site.ts'

/** Options that affect content: by name, or all with a prefix. */
export type ContentOptions = {
  readonly names: readonly string[]
  readonly prefixes: readonly string[]
}

/**
 * A fingerprint that changes with every edit, by any program, of the content that a site's pages may show: pages, menus and the posts they
 * link, terms, languages, these options, and whether the site is open. An edit of a post is detected by `post_modified_gmt`, which
 * WordPress sets at each edit (wp_insert_post, post.php). One statement, which reads no contents.
 */
export async function readContentVersion(
  db: Db,
  site: Site,
  { names, prefixes }: ContentOptions,
): Promise<string> {
  const { options, posts, postmeta, terms, termTaxonomy, termRelationships } = site.tables
  const { sql } = db
  const shownOptions = sql(options)
    .whereIn('option_name', names)
    .orWhere((where) => {
      for (const prefix of prefixes) where.orWhere('option_name', 'like', `${escapeLike(prefix)}%`)
    })
  const linked = sql({ p: posts })
    .join({ m: postmeta }, 'p.ID', sql.raw('CAST(?? AS UNSIGNED)', ['m.meta_value']))
    .where({ 'm.meta_key': '_menu_item_object_id' })
  const related = sql({ tr: termRelationships })
    .join({ p: posts }, 'p.ID', 'tr.object_id')
    .whereIn('p.post_type', ['page', 'nav_menu_item'])
  const digests = [
    sql({ p: posts })
      .whereIn('p.post_type', ['page', 'nav_menu_item'])
      .select(tableChecksum(db, POST_COLUMNS)),
    linked.select(tableChecksum(db, POST_COLUMNS)),
    related.select(tableChecksum(db, ['tr.object_id', 'tr.term_taxonomy_id'])),
    sql({ t: terms })
      .join({ tt: termTaxonomy }, 'tt.term_id', 't.term_id')
      .select(tableChecksum(db, TERM_COLUMNS)),
    sql({ tt: termTaxonomy })
      .where('tt.taxonomy', 'language')
      .where('tt.count', '>', 0)
      .select(tableChecksum(db, ['tt.term_id'])),
    shownOptions.select(tableChecksum(db, ['option_name', 'option_value'])),
  ]
  const [row]: Record<string, string>[] = await sql.select(
    digests.map((digest, index) => digest.as(`digest_${index}`)),
  )
  const state = [site.archived, site.spam, site.deleted].map(Number).join('')
  return [state, ...Object.values(row ?? {})].join(' ')
}

const POST_COLUMNS = [
  ...['p.ID', 'p.post_type', 'p.post_status', 'p.post_password', 'p.post_name', 'p.post_parent'],
  ...['p.menu_order', 'p.post_title', 'p.post_modified_gmt'],
]

/** Term counts are excluded, because publishing a post changes those of its categories. Only whether a language has content is included. */
const TERM_COLUMNS = [
  ...['tt.term_taxonomy_id', 'tt.taxonomy', 'tt.parent', 'tt.description'],
  ...['t.term_id', 't.name', 't.slug', 't.term_group'],
]

/** Independent of row order: the number of rows, and the sum and the XOR of their checksums. */
function tableChecksum(db: Db, columns: readonly string[]) {
  const row = `CRC32(CONCAT_WS('\\n', ${columns.map(() => '??').join(', ')}))`
  return db.sql.raw(`CONCAT_WS('-', COUNT(*), COALESCE(SUM(${row}), 0), BIT_XOR(${row}))`, [
    ...columns,
    ...columns,
  ])
}
