import type { Db } from '../../db/database.ts'
import { readRow, readRows } from '../../db/sql.ts'
import { forEachYielding, mapYielding } from '../../host/concurrency/for-each.ts'
import { AppError } from '../../host/errors.ts'
import { groupBy } from '../../host/group-by.ts'
import { readableMenuName } from '../formatting/menu-texts.ts'
import type { Site } from '../network/site.ts'
import { readPosts } from '../pages/posts.ts'
import type { LinkSettings } from '../permalinks/link-settings.ts'
import {
  ITEM_COLUMNS,
  ITEM_META_KEYS,
  ITEM_TEXT_COLUMNS,
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
import { type LinkedObjects, linkedTerms, setUpItem } from './set-up-item.ts'

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

type MetaValue = { readonly meta_key: string | null; readonly meta_value: string | null }

type ItemMetaRow = MenuTermRow & {
  [Column in keyof MenuItemRow]: MenuItemRow[Column] | null
} & MetaValue & {
    readonly meta_id: number | null
    readonly text_bytes: number
    readonly value_bytes: number
  }

/** What the rows of a menu's items may take, in bytes. No request writes as much, see `MAX_TREE_CHARACTERS`. */
export const MAX_MENU_BYTES = 32 * 1024 * 1024
/** What a row takes beside its texts. */
const ROW_BYTES = 100
/** Texts of this size are read with the sizes of the others. */
const SHORT_BYTES = 500

/** Rows between two readings of the clock; each takes a few microseconds. */
const CLOCK_CHECK_INTERVAL = 64

/** Sets up the items of a stored menu with the objects that they link, in one statement, or two if terms are linked. @param lang see `LinkedObjects` */
export async function linkItems(
  db: Db,
  site: Site,
  links: LinkSettings,
  stored: StoredMenu,
  lang: string | null = null,
): Promise<MenuWithItems> {
  const objects = await readLinkedObjects(db, site, links, stored.items, lang)
  const items = await mapYielding(stored.items, (item, index) =>
    setUpItem(item, index + 1, objects),
  )
  return { menu: stored.menu, items, objects }
}

/** Reads the posts and terms that items link. */
export async function readLinkedObjects(
  db: Db,
  site: Site,
  links: LinkSettings,
  items: readonly StoredItem[],
  lang: string | null = null,
): Promise<LinkedObjects> {
  const linked = (type: string): number[] =>
    items.filter(({ meta }) => itemType(meta) === type).map(({ meta }) => itemObjectId(meta))
  const [posts, terms] = await Promise.all([
    readPosts(db, site, links.languages, { ids: linked('post_type') }),
    readTerms(db, site, links.languages, { ids: linked('taxonomy') }),
  ])
  return { links, posts, terms: linkedTerms(terms), lang }
}

/**
 * The menu with this id and its items without the linked objects, in one statement. Items with equal `menu_order` are sorted by id; WordPress
 * leaves that order to the database.
 * @throws AppError `menu_too_large`
 */
export async function readStoredMenu(
  db: Db,
  site: Site,
  menuId: number,
): Promise<StoredMenu | undefined> {
  const rows = await readItemRows(db, site, menuId, 'IN (:keys)')
  return rows[0] && { menu: menuOf(rows[0]), items: await itemsIn(rows) }
}

/**
 * Like `readStoredMenu`, with everything that plugins keep with the menu and its items, in one more statement of the same packet.
 * @throws AppError `menu_too_large`
 */
export async function readWholeMenu(
  db: Db,
  site: Site,
  menuId: number,
): Promise<StoredMenu | undefined> {
  const [rows, values] = await Promise.all([
    readItemRows(db, site, menuId, 'NOT IN (:passing)'),
    readRows<MetaValue>(
      db,
      'SELECT meta_key, meta_value FROM :termmeta: WHERE term_id = :menuId ORDER BY meta_id',
      { termmeta: site.tables.termmeta, menuId },
    ),
  ])
  const others = values.map(otherOf)
  const stored = rows[0] && { menu: menuOf(rows[0]), items: await itemsIn(rows) }
  return stored && others.length > 0 ? { ...stored, others } : stored
}

/** Which meta values. */
type MetaKeys = 'IN (:keys)' | 'NOT IN (:passing)'

/**
 * One row per meta value of each item; a single row without an item for an empty menu. WordPress limits neither items nor texts: those of a description have
 * megabytes. So long ones are read only when it is known how many bytes all of them have.
 * @param isWhole also long texts: those of an item in its first row only, values in each row
 * @throws AppError `menu_too_large`
 */
async function readItemRows(
  db: Db,
  site: Site,
  menuId: number,
  keys: MetaKeys,
  isWhole = false,
): Promise<ItemMetaRow[]> {
  const isLeftOut = isWhole
    ? `m.meta_id > (SELECT MIN(o.meta_id) FROM :postmeta: o WHERE o.post_id = p.ID AND o.meta_key ${keys})`
    : `${TEXT_BYTES} > :short`
  const rows = await readRows<ItemMetaRow>(
    db,
    `SELECT ${[...MENU_COLUMNS, ...ITEM_COLUMNS]}, ${TEXT_BYTES} AS text_bytes,
        ${ITEM_TEXT_COLUMNS.map((column) => `IF(${isLeftOut}, NULL, p.${column}) AS ${column}`)},
        m.meta_id, m.meta_key, ${VALUE_BYTES} AS value_bytes,
        IF(${VALUE_BYTES} > :value, NULL, m.meta_value) AS meta_value
      FROM :terms: t
      JOIN :termTaxonomy: tt ON tt.term_id = t.term_id
      LEFT JOIN :termRelationships: tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
      LEFT JOIN :posts: p ON p.ID = tr.object_id AND p.post_type = 'nav_menu_item'
      LEFT JOIN :postmeta: m ON m.post_id = p.ID AND m.meta_key ${keys}
      WHERE t.term_id = :menuId AND tt.taxonomy = 'nav_menu'
      LIMIT :limit`,
    {
      ...site.tables,
      keys: ITEM_META_KEYS,
      passing: PASSING_META_KEYS,
      menuId,
      short: SHORT_BYTES,
      value: isWhole ? MAX_MENU_BYTES : SHORT_BYTES,
      limit: Math.ceil(MAX_MENU_BYTES / ROW_BYTES) + 1,
    },
  )
  const [first] = rows
  if (first && bytesIn(rows) > MAX_MENU_BYTES) throw menuTooLarge(menuOf(first))
  const isCut =
    !isWhole && rows.some((row) => Math.max(row.text_bytes, row.value_bytes) > SHORT_BYTES)
  return isCut ? readItemRows(db, site, menuId, keys, true) : rows
}

const bytesOf = (columns: readonly string[]): string =>
  columns.map((column) => `IFNULL(LENGTH(${column}), 0)`).join(' + ')

const TEXT_BYTES = bytesOf(ITEM_TEXT_COLUMNS.map((column) => `p.${column}`))
const VALUE_BYTES = bytesOf(['m.meta_value'])

function bytesIn(rows: readonly ItemMetaRow[]): number {
  const counted = new Set<number | null>()
  let bytes = 0
  for (const { ID, text_bytes, value_bytes } of rows) {
    bytes += ROW_BYTES + value_bytes + (counted.has(ID) ? 0 : text_bytes)
    counted.add(ID)
  }
  return bytes
}

/** The items of menus, and their meta values. */
const ITEMS_OF_MENUS = `:termTaxonomy: tt JOIN :termRelationships: tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
  JOIN :posts: p ON p.ID = tr.object_id WHERE tt.taxonomy = 'nav_menu' AND p.post_type = 'nav_menu_item'`
const METAS_OF_MENUS = `:termTaxonomy: tt JOIN :termRelationships: tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
  JOIN :posts: p ON p.ID = tr.object_id JOIN :postmeta: m ON m.post_id = p.ID
  WHERE tt.taxonomy = 'nav_menu' AND p.post_type = 'nav_menu_item'`

/** The ids of the menus of a site that are too large to be read with what plugins keep with their items. */
export async function listLargeMenus(db: Db, { tables }: Site): Promise<Set<number>> {
  const rows = await readRows<{ id: number; bytes: number | string }>(
    db,
    `SELECT tt.term_id AS id, SUM(:row + ${TEXT_BYTES}) AS bytes
      FROM ${ITEMS_OF_MENUS} GROUP BY tt.term_id
      UNION ALL
      SELECT tt.term_id, SUM(:row + ${VALUE_BYTES})
      FROM ${METAS_OF_MENUS} AND m.meta_key NOT IN (:passing) GROUP BY tt.term_id`,
    { ...tables, passing: PASSING_META_KEYS, row: ROW_BYTES },
  )
  const bytes = new Map<number, number>()
  for (const row of rows) bytes.set(row.id, (bytes.get(row.id) ?? 0) + Number(row.bytes))
  return new Set([...bytes].flatMap(([id, size]) => (size > MAX_MENU_BYTES ? id : [])))
}

/** What the rows of a menu's items take, about as the database measures it. */
export function menuBytes({ items }: StoredMenu): number {
  let bytes = 0
  for (const { row, meta, others = [] } of items) {
    bytes += ROW_BYTES * (1 + meta.size + others.length)
    for (const column of ITEM_TEXT_COLUMNS) bytes += row[column]?.length ?? 0
    for (const value of meta.values()) bytes += value.length
    for (const [, value] of others) bytes += value?.length ?? 0
  }
  return bytes
}

export const isMenuTooLarge = (error: unknown): error is AppError =>
  error instanceof AppError && error.code === 'menu_too_large'

const menuTooLarge = ({ id, name }: Menu): AppError =>
  new AppError(
    'menu_too_large',
    `The items of the menu "${readableMenuName(name)}" (${id}) take more than ${MAX_MENU_BYTES / 1024 / 1024} MB, too much to be read. Remove items, or shorten their descriptions and addresses, in WordPress.`,
    { max_bytes: MAX_MENU_BYTES },
  )

async function itemsIn(rows: readonly ItemMetaRow[]): Promise<StoredItem[]> {
  const items = new Map<number, { row: MenuItemRow; meta: Map<string, string> }>()
  for (const row of rows)
    if (isItem(row) && !items.has(row.ID)) items.set(row.ID, { row, meta: new Map() })
  const others: ItemMetaRow[] = []
  const inOrder = [...rows].sort((a, b) => (a.meta_id ?? 0) - (b.meta_id ?? 0))
  const add = (row: ItemMetaRow): void => {
    const { ID, meta_key: key, meta_value: value } = row
    const item = items.get(ID ?? 0)
    if (!item || key === null || item.meta.has(key)) return
    if (KNOWN_KEYS.has(key)) item.meta.set(key, value ?? '')
    else others.push(row)
  }
  await forEachYielding(inOrder, add, CLOCK_CHECK_INTERVAL)
  const byItem = groupBy(others, ({ ID }) => ID)
  return [...items.values()]
    .map((item) => {
      const own = byItem.get(item.row.ID)?.map(otherOf)
      return own ? { ...item, others: own } : item
    })
    .sort((a, b) => a.row.menu_order - b.row.menu_order || a.row.ID - b.row.ID)
}

const KNOWN_KEYS: ReadonlySet<string> = new Set(ITEM_META_KEYS)

const otherOf = ({ meta_key, meta_value }: MetaValue): OtherMeta => [meta_key ?? '', meta_value]

/** Whether a row has the texts of its item, which are never null. */
function isItem(row: ItemMetaRow): row is ItemMetaRow & MenuItemRow {
  return row.post_title !== null
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
  return readRow<LastChange>(
    db,
    `SELECT p.post_author AS userId, p.post_modified_gmt AS at
      FROM :termRelationships: tr JOIN :posts: p ON p.ID = tr.object_id
      WHERE tr.term_taxonomy_id = :termTaxonomyId AND p.post_type = 'nav_menu_item'
      ORDER BY p.post_modified_gmt DESC, p.ID DESC LIMIT 1`,
    { ...site.tables, termTaxonomyId },
  )
}
