import { randomBytes } from 'node:crypto'
import { forEachYielding } from '../../concurrency/for-each.ts'
import type { Db } from '../../db/database.ts'
import { readRows, storeRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { InsertedRow } from '../../db/written-tables.ts'
import { assertAssigned } from '../../db/written-tables.ts'
import type { PostDate } from '../dates.ts'
import { numberedSlug, sanitizeTitle } from '../formatting/slugs.ts'
import type { Site } from '../network/site.ts'
import { menuItemKeys } from '../object-cache/cache-keys.ts'
import type { StoredItem } from './menu-item.ts'
import { recountMenus } from './menu-term.ts'
import type { Menu } from './nav-menu.ts'
import { itemContent, itemMeta, linkedParent, type NewMenuItem, storableItems } from './new-item.ts'

/** The author, the time, and the settings of the site that new items depend on. `home` is that of `readHome`. */
export type ItemContext = {
  readonly userId: number
  readonly moment: PostDate
  readonly locale: string
  readonly home: string
}

/** The position at which new items are inserted. */
export type InsertPosition = {
  readonly menu: Menu
  /** Id of the item that becomes the parent of the list's top level; 0 for none. */
  readonly under: number
  /** Number of items before the first new one. */
  readonly after: number
}

/** Items that the tables can store. */
type PreparedItems = {
  readonly items: readonly NewMenuItem[]
  /** The slug of each item before it is made unique; '' for an item without a title. */
  readonly slugs: readonly string[]
}

/** Prepares items before any is written: their slugs, and texts that the tables can store. */
export async function prepareItems(
  db: Db,
  site: Site,
  items: readonly NewMenuItem[],
  { locale }: ItemContext,
): Promise<PreparedItems> {
  const slugs: string[] = []
  await forEachYielding(items, ({ title }) => slugs.push(title && sanitizeTitle(title, locale)))
  return { items: await storableItems(db, site, items), slugs }
}

/** Length of the column `guid` in characters, and the digits of the longest id. */
const GUID_LENGTH = 255
const ID_LENGTH = 20

/** `:prefix` followed by the id of the row. Empty if it would not fit the column: WordPress's update fails in that case (wp_insert_post). */
function guidExpression(prefix: string): string {
  return prefix.length + ID_LENGTH > GUID_LENGTH ? "''" : 'CONCAT(:prefix, ID)'
}

/** Sets the columns of new items that contain their ids. The menu screen inserts items as drafts, whose guid is their plain address. */
export function setOwnIds(
  tx: Tx,
  { tables }: Site,
  { home }: Pick<ItemContext, 'home'>,
  ids: readonly number[],
): void {
  const prefix = `${home}/?p=`
  tx.later(
    `UPDATE :posts: SET post_name = IF(post_name = '', ID, post_name), guid = ${guidExpression(prefix)}
      WHERE ID IN (:ids)`,
    { posts: tables.posts, prefix, ids: [...ids] },
  )
}

/**
 * Inserts items into a menu in the given order, with the same rows as the menu screen (wp_update_nav_menu_item, nav-menu.php;
 * wp_insert_post, post.php). The caller has locked the menu. The number of statements depends on bytes, not on items; one is awaited for
 * the ids, the last ones wait (`Tx.later`).
 *
 * The ids of the rows are read back, not computed, because `auto_increment_increment` may be 3 and changes when a cluster grows. To find
 * its rows, the insert gives them a random `guid`, which is replaced afterwards.
 * @param takenSlugs those of the other items of the site
 */
export async function insertMenuItems(
  tx: Tx,
  site: Site,
  { menu, under, after }: InsertPosition,
  { items, slugs: wantedSlugs }: PreparedItems,
  context: ItemContext,
  takenSlugs: Iterable<string>,
): Promise<Iterable<StoredItem>> {
  if (items.length === 0) return []
  const slugs = new ItemSlugs(takenSlugs)
  const { posts, postmeta, termRelationships } = site.tables
  const guid = randomBytes(16).toString('hex')
  const rows = postRows(items, (index) => {
    const slug = wantedSlugs[index] ?? ''
    const order = items[index]?.position?.order ?? after + index + 1
    return { slug: slug && slugs.claim(slug), order, guid, context }
  })
  const first = (await storeRows(tx, [{ table: posts, rows }])).get(posts) ?? 0
  const inserted = await readRows<{ ID: number }>(
    tx,
    'SELECT ID FROM :posts: WHERE ID >= :first AND guid = :guid ORDER BY menu_order',
    { posts, first, guid },
  )
  const ids = inserted.map(({ ID }) => ID)
  assertAssigned(posts, ids.length === items.length ? (ids[0] ?? 0) : 0)

  setOwnIds(tx, site, context, ids)
  for (const [index, id] of ids.entries()) {
    // The slug of an untitled item is its id, unless the title of another item is that number ("2024").
    const slug = wantedSlugs[index] === '' ? slugs.claim(String(id)) : undefined
    if (slug !== undefined && slug !== String(id))
      tx.later('UPDATE :posts: SET post_name = :slug WHERE ID = :id', { posts, slug, id })
  }
  const result = new InsertedItems(items, ids, { under, after })
  await storeRows(tx, [
    { table: termRelationships, rows: result.relations(menu) },
    { table: postmeta, rows: result.metas() },
  ])
  recountMenus(tx, site, [menu])
  tx.invalidate(menuItemKeys(site, ids))
  return result.stored()
}

/** Inserted items with their ids. Rows are generated lazily, because 10,000 items have 80,000 meta values. */
class InsertedItems {
  readonly #items: readonly NewMenuItem[]
  readonly #ids: readonly number[]
  readonly #position: Pick<InsertPosition, 'under' | 'after'>

  constructor(
    items: readonly NewMenuItem[],
    ids: readonly number[],
    position: Pick<InsertPosition, 'under' | 'after'>,
  ) {
    this.#items = items
    this.#ids = ids
    this.#position = position
  }

  *relations({ termTaxonomyId }: Menu): Generator<InsertedRow> {
    for (const id of this.#ids)
      yield { object_id: id, term_taxonomy_id: termTaxonomyId, term_order: 0 }
  }

  *metas(): Generator<InsertedRow> {
    for (const [index, item] of this.#items.entries()) {
      const id = this.#idAt(index)
      for (const [key, value] of itemMeta(item, id, this.#parentOf(item)))
        yield { post_id: id, meta_key: key, meta_value: value }
    }
  }

  *stored(): Generator<StoredItem> {
    for (const [index, item] of this.#items.entries()) {
      const id = this.#idAt(index)
      const row = {
        ID: id,
        menu_order: item.position?.order ?? this.#position.after + index + 1,
        post_status: 'publish',
        post_title: item.title,
        post_excerpt: item.attrTitle,
        post_content: itemContent(item.link.type, item),
      }
      yield { row, meta: new Map(itemMeta(item, id, this.#parentOf(item))) }
    }
  }

  #parentOf({ parent, position }: NewMenuItem): number {
    return this.#ids[parent] ?? position?.under ?? this.#position.under
  }

  #idAt(index: number): number {
    return this.#ids[index] ?? 0
  }
}

type NewPostParts = {
  readonly slug: string
  readonly order: number
  readonly guid: string
  readonly context: ItemContext
}

function* postRows(
  items: readonly NewMenuItem[],
  partsOf: (index: number) => NewPostParts,
): Generator<InsertedRow> {
  for (const [index, item] of items.entries()) yield postRow(item, partsOf(index))
}

/** The post of an item, before the columns that contain its id are set. */
function postRow(
  item: NewMenuItem,
  { slug, order, guid, context: { userId, moment } }: NewPostParts,
): InsertedRow {
  return {
    post_author: userId,
    post_date: moment.local,
    post_date_gmt: moment.gmt,
    post_content: itemContent(item.link.type, item),
    post_title: item.title,
    post_excerpt: item.attrTitle,
    post_status: 'publish',
    comment_status: 'closed',
    ping_status: 'closed',
    post_password: '',
    post_name: slug,
    to_ping: '',
    pinged: '',
    post_modified: moment.local,
    post_modified_gmt: moment.gmt,
    post_content_filtered: '',
    post_parent: linkedParent(item.link) ?? 0,
    guid,
    menu_order: order,
    post_type: 'nav_menu_item',
    post_mime_type: '',
    comment_count: 0,
  }
}

/** Slugs that are reserved for feeds and embeds (wp_unique_post_slug, post.php). */
const RESERVED_SLUGS = ['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']

/** Hands out slugs (`post_name`) that are unique among the menu items of a site. */
export class ItemSlugs {
  readonly #taken: Set<string>
  readonly #next = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...RESERVED_SLUGS, ...taken])
  }

  /** Returns the slug, with a number appended if it is taken or reserved. */
  claim(slug: string): string {
    let unique = slug
    let number = this.#next.get(slug) ?? 2
    for (; this.#taken.has(unique); number += 1) unique = numberedSlug(slug, number)
    this.#next.set(slug, number)
    this.#taken.add(unique)
    return unique
  }
}

/** The slugs of all menu items of a site, by id, in one statement. */
export async function readItemSlugs(db: Db, site: Site): Promise<Map<number, string>> {
  const rows = await readRows<{ ID: number; post_name: string }>(
    db,
    "SELECT ID, post_name FROM :posts: WHERE post_type = 'nav_menu_item'",
    { posts: site.tables.posts },
  )
  return new Map(rows.map(({ ID, post_name }) => [ID, post_name]))
}
