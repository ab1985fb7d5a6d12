import { randomBytes } from 'node:crypto'
import { insertRows } from '../../db/insert-rows.ts'
import type { Tx } from '../../db/transaction.ts'
import type { Moment } from '../dates/now-for.ts'
import { sanitizeTitle } from '../formatting/sanitize-title.ts'
import type { Site } from '../network/site.ts'
import { menuItemKeys } from '../object-cache/stale-keys.ts'
import { readItemSlugs } from './item-slugs.ts'
import type { Menu } from './menu.ts'
import type { StoredItem } from './menu-item-row.ts'
import { itemContent, itemMeta, type NewMenuItem } from './new-item.ts'
import { recountMenus } from './recount-menus.ts'
import { storableItems } from './storable-items.ts'

/** Who makes items, when, and for a site of which locale. */
export type ItemMaking = {
  readonly userId: number
  readonly moment: Moment
  readonly locale: string
}

/** Where new items go. */
export type ItemPlace = {
  readonly menu: Menu
  /** Id of the item under which the top of the list stands; 0 for none. */
  readonly under: number
  /** How many items stand before the first. */
  readonly after: number
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
  { menu, under, after }: ItemPlace,
  given: readonly NewMenuItem[],
  making: ItemMaking,
): Promise<StoredItem[]> {
  if (given.length === 0) return []
  const { posts, postmeta, termRelationships } = site.tables
  const items = await storableItems(tx, site, given)
  const slugs = await readItemSlugs(tx, site)
  const names = given.map(({ title }) => title && sanitizeTitle(title, making.locale))
  const mark = randomBytes(16).toString('hex')
  const first = await insertRows(
    tx,
    posts,
    POST_COLUMNS,
    items.map((item, index) =>
      postValues(item, {
        name: names[index] === '' ? '' : slugs.claim(names[index] ?? ''),
        order: after + index + 1,
        mark,
        making,
      }),
    ),
  )
  const made = tx.sql(posts).where('ID', '>=', first).where({ guid: mark })
  const ids: number[] = await made.clone().orderBy('menu_order').pluck('ID')
  if (ids.length !== items.length) throw new Error(`${items.length} items became ${ids.length}`)
  const idAt = (index: number): number => ids[index] ?? under

  await made.clone().update({
    post_name: tx.sql.raw("IF(post_name = '', ID, post_name)"),
    // As the menu screen has it: it makes items as drafts, which have no other address.
    guid: tx.sql.raw('CONCAT(?, ID)', [`${site.home}/?p=`]),
  })
  for (const [index, id] of ids.entries()) {
    // An item without a title bears its id, unless the title of another one made the same slug ("2024").
    const name = names[index] === '' ? slugs.claim(String(id)) : undefined
    if (name !== undefined && name !== String(id))
      await tx.sql(posts).where({ ID: id }).update({ post_name: name })
  }
  await insertRows(
    tx,
    termRelationships,
    ['object_id', 'term_taxonomy_id', 'term_order'],
    ids.map((id) => [id, menu.termTaxonomyId, 0]),
  )
  const metas = items.map((item, index) => itemMeta(item, idAt(index), idAt(item.parent)))
  await insertRows(
    tx,
    postmeta,
    ['post_id', 'meta_key', 'meta_value'],
    metas.flatMap((meta, index) => meta.map(([key, value]) => [idAt(index), key, value])),
  )
  await recountMenus(tx, site, [menu])
  tx.forget(menuItemKeys(site, ids))
  return items.map((item, index) => ({
    row: {
      ID: idAt(index),
      menu_order: after + index + 1,
      post_status: 'publish',
      post_title: item.title,
      post_excerpt: '',
      post_content: itemContent(item.link, item.title),
    },
    meta: new Map(metas[index]),
  }))
}

const POST_COLUMNS = [
  'post_author',
  'post_date',
  'post_date_gmt',
  'post_content',
  'post_title',
  'post_excerpt',
  'post_status',
  'comment_status',
  'ping_status',
  'post_password',
  'post_name',
  'to_ping',
  'pinged',
  'post_modified',
  'post_modified_gmt',
  'post_content_filtered',
  'post_parent',
  'guid',
  'menu_order',
  'post_type',
  'post_mime_type',
  'comment_count',
] as const

type PostParts = {
  readonly name: string
  readonly order: number
  readonly mark: string
  readonly making: ItemMaking
}

/** The values of `POST_COLUMNS`. */
function postValues(
  { link, title }: NewMenuItem,
  { name, order, mark, making: { userId, moment } }: PostParts,
): (string | number)[] {
  const { local, gmt } = moment
  const content = itemContent(link, title)
  const parent = link.page?.parent ?? 0
  return [
    [userId, local, gmt, content, title, '', 'publish', 'closed', 'closed', '', name, '', ''],
    [local, gmt, '', parent, mark, order, 'nav_menu_item', '', 0],
  ].flat()
}
