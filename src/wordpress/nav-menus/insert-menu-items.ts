import { randomBytes } from 'node:crypto'
import { forEachYielding } from '../../concurrency/for-each.ts'
import type { Db } from '../../db/database.ts'
import { type InsertedRow, insertRows } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Moment } from '../dates.ts'
import { numberedSlug, sanitizeTitle } from '../formatting/slugs.ts'
import type { Site } from '../network/site.ts'
import { menuItemKeys } from '../object-cache/cache-keys.ts'
import type { StoredItem } from './menu-item.ts'
import { recountMenus } from './menu-term.ts'
import type { Menu } from './nav-menu.ts'
import { itemContent, itemMeta, linkedParent, type NewMenuItem, storableItems } from './new-item.ts'

/** Who makes items, when, and for a site of which locale and home (`readHome`). */
export type ItemContext = {
  readonly userId: number
  readonly moment: Moment
  readonly locale: string
  readonly home: string
}

/** Where new items go. */
export type InsertPosition = {
  readonly menu: Menu
  /** Id of the item under which the top of the list stands; 0 for none. */
  readonly under: number
  /** How many items stand before the first. */
  readonly after: number
}

/** Items as the tables can hold them, with what they are to be called in addresses: '' for those without a title. */
export type PreparedItems = {
  readonly items: readonly NewMenuItem[]
  readonly names: readonly string[]
}

/** Works out what can be said of items before any is written. */
export async function prepareItems(
  db: Db,
  site: Site,
  given: readonly NewMenuItem[],
  { locale }: ItemContext,
): Promise<PreparedItems> {
  const names: string[] = []
  await forEachYielding(given, ({ title }) => names.push(title && sanitizeTitle(title, locale)))
  return { items: await storableItems(db, site, given), names }
}

/** What the column `guid` holds, in characters, and the longest id in it. */
const GUID_LENGTH = 255
const ID_LENGTH = 20

/** An address with the id of the row behind it. One that is too long for its column is left empty: WordPress's update of it fails (wp_insert_post). */
function guidOf(tx: Tx, prefix: string) {
  return prefix.length + ID_LENGTH > GUID_LENGTH ? '' : tx.sql.raw('CONCAT(?, ID)', [prefix])
}

/**
 * Adds items to a menu, in the order in which they are given, with the rows that the menu screen leaves behind (wp_update_nav_menu_item,
 * nav-menu.php; wp_insert_post, post.php). The caller holds the menu. The number of statements depends on bytes, not on items.
 *
 * Which row got which id is read back and not computed: `auto_increment_increment` may be 3, and changes when a cluster grows. Until
 * then the rows bear an address that is theirs alone, looked for from the first id on.
 */
export async function insertMenuItems(
  tx: Tx,
  site: Site,
  { menu, under, after }: InsertPosition,
  { items, names }: PreparedItems,
  making: ItemContext,
): Promise<Iterable<StoredItem>> {
  if (items.length === 0) return []
  const { posts, postmeta, termRelationships } = site.tables
  const slugs = await readItemSlugs(tx, site)
  const mark = randomBytes(16).toString('hex')
  const rows = postRows(items, (index) => {
    const name = names[index] ?? ''
    return { name: name && slugs.claim(name), order: after + index + 1, mark, making }
  })
  const first = (await insertRows(tx, [{ table: posts, rows }])).get(posts) ?? 0
  const made = tx.sql(posts).where('ID', '>=', first).where({ guid: mark })
  const ids: number[] = await made.clone().orderBy('menu_order').pluck('ID')
  if (ids.length !== items.length) throw new Error(`${items.length} items became ${ids.length}`)

  await made.clone().update({
    post_name: tx.sql.raw("IF(post_name = '', ID, post_name)"),
    // As the menu screen has it: it makes items as drafts, which have no other address.
    guid: guidOf(tx, `${making.home}/?p=`),
  })
  for (const [index, id] of ids.entries()) {
    // An item without a title bears its id, unless the title of another one made the same slug ("2024").
    const name = names[index] === '' ? slugs.claim(String(id)) : undefined
    if (name !== undefined && name !== String(id))
      await tx.sql(posts).where({ ID: id }).update({ post_name: name })
  }
  const written = new InsertedItems(items, ids, { under, after })
  await insertRows(tx, [
    { table: termRelationships, rows: written.relations(menu) },
    { table: postmeta, rows: written.metas() },
  ])
  await recountMenus(tx, site, [menu])
  tx.invalidate(menuItemKeys(site, ids))
  return written.stored()
}

/** Items with their ids. What is made of them is made one by one: ten thousand have eighty thousand meta values. */
class InsertedItems {
  readonly #items: readonly NewMenuItem[]
  readonly #ids: readonly number[]
  readonly #place: Pick<InsertPosition, 'under' | 'after'>

  constructor(
    items: readonly NewMenuItem[],
    ids: readonly number[],
    place: Pick<InsertPosition, 'under' | 'after'>,
  ) {
    this.#items = items
    this.#ids = ids
    this.#place = place
  }

  *relations({ termTaxonomyId }: Menu): Generator<InsertedRow> {
    for (const id of this.#ids)
      yield { object_id: id, term_taxonomy_id: termTaxonomyId, term_order: 0 }
  }

  *metas(): Generator<InsertedRow> {
    for (const [index, item] of this.#items.entries()) {
      const id = this.#idAt(index)
      for (const [key, value] of itemMeta(item, id, this.#idAt(item.parent)))
        yield { post_id: id, meta_key: key, meta_value: value }
    }
  }

  *stored(): Generator<StoredItem> {
    for (const [index, item] of this.#items.entries()) {
      const id = this.#idAt(index)
      const row = {
        ID: id,
        menu_order: this.#place.after + index + 1,
        post_status: 'publish',
        post_title: item.title,
        post_excerpt: item.attrTitle,
        post_content: itemContent(item.link.type, item),
      }
      yield { row, meta: new Map(itemMeta(item, id, this.#idAt(item.parent))) }
    }
  }

  #idAt(index: number): number {
    return this.#ids[index] ?? this.#place.under
  }
}

type PostParts = {
  readonly name: string
  readonly order: number
  readonly mark: string
  readonly making: ItemContext
}

/** The posts of items, one by one. */
function* postRows(
  items: readonly NewMenuItem[],
  partsOf: (index: number) => PostParts,
): Generator<InsertedRow> {
  for (const [index, item] of items.entries()) yield postRow(item, partsOf(index))
}

/** The post of an item, but for its id and what is made of that. */
function postRow(
  item: NewMenuItem,
  { name, order, mark, making: { userId, moment } }: PostParts,
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
    post_name: name,
    to_ping: '',
    pinged: '',
    post_modified: moment.local,
    post_modified_gmt: moment.gmt,
    post_content_filtered: '',
    post_parent: linkedParent(item.link) ?? 0,
    guid: mark,
    menu_order: order,
    post_type: 'nav_menu_item',
    post_mime_type: '',
    comment_count: 0,
  }
}

/** Slugs that stand for feeds and embeds (wp_unique_post_slug, post.php). */
const RESERVED_SLUGS = ['feed', 'rdf', 'rss', 'rss2', 'atom', 'embed']

/** Gives out slugs (`post_name`) that no other item of the site bears. */
export class ItemSlugs {
  readonly #taken: Set<string>
  readonly #next = new Map<string, number>()

  constructor(taken: Iterable<string>) {
    this.#taken = new Set([...RESERVED_SLUGS, ...taken])
  }

  /** The slug, with a number behind it where it is taken or reserved. */
  claim(slug: string): string {
    let unique = slug
    let number = this.#next.get(slug) ?? 2
    for (; this.#taken.has(unique); number += 1) unique = numberedSlug(slug, number)
    this.#next.set(slug, number)
    this.#taken.add(unique)
    return unique
  }
}

/** The slugs that the items of a site leave free, in one statement. */
export async function readItemSlugs(db: Db, site: Site): Promise<ItemSlugs> {
  const names: string[] = await db
    .sql(site.tables.posts)
    .where({ post_type: 'nav_menu_item' })
    .pluck('post_name')
  return new ItemSlugs(names)
}
