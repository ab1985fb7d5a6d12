import type { Db } from '../../db/database.ts'
import { readRow, readRows } from '../../db/sql.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import { groupBy } from '../../host/group-by.ts'
import type { Site } from '../network/site.ts'
import { readPosts } from '../pages/posts.ts'
import type { LinkSettings } from '../permalinks/link-settings.ts'
import {
  ITEM_COLUMNS,
  ITEM_META_KEYS,
  itemObjectId,
  itemType,
  type MenuItem,
  type MenuItemRow,
  type OtherMeta,
  PASSING_META_KEYS,
  type StoredItem,
} from './menu-item.ts'
import { MENU_COLUMNS, type Menu, type MenuTermRow, menuOf } from './nav-menu.ts'
import { readTerms } from './read-terms.ts'
import {
  type ItemViewer,
  type LinkedObjects,
  linkedTerms,
  setUpItem,
  VISITOR,
} from './set-up-item.ts'

/** A menu with all its items in order, including those that visitors don't see (see `visibleItems`). */
type MenuWithItems = {
  readonly menu: Menu
  readonly items: readonly MenuItem[]
  /** What the items link. */
  readonly objects: LinkedObjects
}

/** A menu and its items as stored. */
export type StoredMenu = {
  readonly menu: Menu
  readonly items: readonly StoredItem[]
  /** The meta values of the menu's term, all of plugins. Only if they were read, see `readWholeMenu`. */
  readonly others?: readonly OtherMeta[]
}

type ItemMetaRow = MenuTermRow & {
  [Column in keyof MenuItemRow]: MenuItemRow[Column] | null
} & { meta_id: number | null; meta_key: string | null; meta_value: string | null }

/** Rows or items between two readings of the clock; each takes a few microseconds. */
const CLOCK_CHECK_INTERVAL = 64

/**
 * The menu with this id, its items and the objects they link, in two statements, or three if terms are linked. Items with equal
 * `menu_order` are sorted by id; WordPress leaves that order to the database.
 * @returns undefined if there is no such menu
 */
export async function readMenu(
  db: Db,
  site: Site,
  links: LinkSettings,
  menuId: number,
  viewer: ItemViewer = VISITOR,
): Promise<MenuWithItems | undefined> {
  const stored = await readStoredMenu(db, site, menuId)
  return stored && linkItems(db, site, links, stored, viewer)
}

/** Reads the objects that the items of a stored menu link. */
export async function linkItems(
  db: Db,
  site: Site,
  links: LinkSettings,
  stored: StoredMenu,
  viewer: ItemViewer = VISITOR,
): Promise<MenuWithItems> {
  const objects = await readLinkedObjects(db, site, links, stored.items, viewer)
  const items: MenuItem[] = []
  const setUp = (item: StoredItem, index: number) => {
    items.push(setUpItem(item, index + 1, objects))
  }
  await forEachYielding(stored.items, setUp, CLOCK_CHECK_INTERVAL)
  return { menu: stored.menu, items, objects }
}

/** Reads the posts and terms that items link. */
export async function readLinkedObjects(
  db: Db,
  site: Site,
  links: LinkSettings,
  items: readonly StoredItem[],
  viewer: ItemViewer = VISITOR,
): Promise<LinkedObjects> {
  const linked = (type: string): number[] =>
    items.filter(({ meta }) => itemType(meta) === type).map(({ meta }) => itemObjectId(meta))
  const [posts, terms] = await Promise.all([
    readPosts(db, site, links.languages, { ids: linked('post_type') }),
    readTerms(db, site, links.languages, { ids: linked('taxonomy') }),
  ])
  return { links, posts, terms: linkedTerms(terms), viewer }
}

/** The menu with this id and its items without the linked objects, in one statement. */
export async function readStoredMenu(
  db: Db,
  site: Site,
  menuId: number,
): Promise<StoredMenu | undefined> {
  const rows = await readItemRows(db, site, menuId)
  return rows[0] && { menu: menuOf(rows[0]), items: await itemsIn(rows) }
}

/** Like `readStoredMenu`, with everything that plugins keep with the menu and its items, in one more statement of the same packet. */
export async function readWholeMenu(
  db: Db,
  site: Site,
  menuId: number,
): Promise<StoredMenu | undefined> {
  const [stored, others] = await Promise.all([
    readStoredMenu(db, site, menuId),
    readOtherMeta(db, site, menuId),
  ])
  if (!stored || others.length === 0) return stored
  // The column of a union may be read as a text.
  const byItem = groupBy(others, ({ postId }) => Number(postId))
  const valuesOf = (id: number) => byItem.get(id)?.map(({ key, value }): OtherMeta => [key, value])
  const ofMenu = valuesOf(0)
  const items = stored.items.map((item) => {
    const own = valuesOf(item.row.ID)
    return own ? { ...item, others: own } : item
  })
  return { ...stored, items, ...(ofMenu ? { others: ofMenu } : {}) }
}

/** The values of the menu itself have the post id 0. */
function readOtherMeta(
  db: Db,
  { tables }: Site,
  menuId: number,
): Promise<
  { readonly postId: number | string; readonly key: string; readonly value: string | null }[]
> {
  return readRows(
    db,
    `(SELECT p.ID AS postId, m.meta_key AS \`key\`, m.meta_value AS value
      FROM :taxonomy: tt
      JOIN :relationships: tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
      JOIN :posts: p ON p.ID = tr.object_id AND p.post_type = 'nav_menu_item'
      JOIN :postmeta: m ON m.post_id = p.ID AND m.meta_key NOT IN (:keys)
      WHERE tt.term_id = :menuId AND tt.taxonomy = 'nav_menu' ORDER BY m.meta_id LIMIT 1000000)
      UNION ALL
      (SELECT 0, tm.meta_key, tm.meta_value FROM :termmeta: tm WHERE tm.term_id = :menuId ORDER BY tm.meta_id LIMIT 1000000)`,
    {
      taxonomy: tables.termTaxonomy,
      relationships: tables.termRelationships,
      posts: tables.posts,
      postmeta: tables.postmeta,
      termmeta: tables.termmeta,
      keys: [...ITEM_META_KEYS, ...PASSING_META_KEYS],
      menuId,
    },
  )
}

/** One row per meta value of each item; a single row without an item for an empty menu. */
function readItemRows(db: Db, { tables }: Site, menuId: number): Promise<ItemMetaRow[]> {
  return readRows(
    db,
    `SELECT ${[...MENU_COLUMNS, ...ITEM_COLUMNS]}, m.meta_id, m.meta_key, m.meta_value
      FROM :terms: t
      JOIN :taxonomy: tt ON tt.term_id = t.term_id
      LEFT JOIN :relationships: tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
      LEFT JOIN :posts: p ON p.ID = tr.object_id AND p.post_type = 'nav_menu_item'
      LEFT JOIN :postmeta: m ON m.post_id = p.ID AND m.meta_key IN (:keys)
      WHERE t.term_id = :menuId AND tt.taxonomy = 'nav_menu'`,
    {
      terms: tables.terms,
      taxonomy: tables.termTaxonomy,
      relationships: tables.termRelationships,
      posts: tables.posts,
      postmeta: tables.postmeta,
      keys: [...ITEM_META_KEYS],
      menuId,
    },
  )
}

async function itemsIn(rows: readonly ItemMetaRow[]): Promise<StoredItem[]> {
  const items = new Map<number, { row: MenuItemRow; meta: Map<string, string> }>()
  const inOrder = [...rows].sort((a, b) => (a.meta_id ?? 0) - (b.meta_id ?? 0))
  const add = (row: ItemMetaRow): void => {
    if (!isItem(row)) return
    const item = items.get(row.ID) ?? { row, meta: new Map<string, string>() }
    const { meta_key: key, meta_value: value } = row
    if (key !== null && !item.meta.has(key)) item.meta.set(key, value ?? '')
    items.set(row.ID, item)
  }
  await forEachYielding(inOrder, add, CLOCK_CHECK_INTERVAL)
  return [...items.values()].sort(
    (a, b) => a.row.menu_order - b.row.menu_order || a.row.ID - b.row.ID,
  )
}

function isItem(row: ItemMetaRow): row is ItemMetaRow & MenuItemRow {
  return row.ID !== null
}

type LastChange = {
  /** Id of the item's author. WordPress records no other user for a menu. */
  readonly userId: number
  /** `YYYY-MM-DD HH:MM:SS`, GMT. */
  readonly at: string
}

/** The time and author of the last change to the items of a menu, taken from their posts; undefined for a menu without items. */
export async function findLastChange(
  db: Db,
  site: Site,
  { termTaxonomyId }: Menu,
): Promise<LastChange | undefined> {
  const { posts, termRelationships } = site.tables
  return readRow<LastChange>(
    db,
    `SELECT p.post_author AS userId, p.post_modified_gmt AS at
      FROM :termRelationships: tr JOIN :posts: p ON p.ID = tr.object_id
      WHERE tr.term_taxonomy_id = :termTaxonomyId AND p.post_type = 'nav_menu_item'
      ORDER BY p.post_modified_gmt DESC, p.ID DESC LIMIT 1`,
    { posts, termRelationships, termTaxonomyId },
  )
}
