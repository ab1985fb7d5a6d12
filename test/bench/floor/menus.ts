import type { RowDataPacket } from 'mysql2/promise'
import { decodeName } from '../../../src/wordpress/formatting/plain-text.ts'
import type { Scope } from './scope.ts'

const LOCATIONS = ['header', 'footer_1', 'footer_2', 'footer_3']

type MenuRow = RowDataPacket & { term_id: number; name: string; slug: string; count: number }

type ItemRow = MenuRow & {
  ID: number
  post_title: string
  type: string
  object: string
  object_id: string
  parent: string
  url: string
  target: string
  classes: string
  page_title: string | null
  page_name: string
  above_name: string | null
}

type Item = {
  readonly id: number
  readonly title: string
  readonly url: string
  readonly type: string
  readonly page: number | null
  readonly target: string
  readonly classes: string
  readonly children: Item[]
}

/** `GET /data/menu.<location>`: the menu, its items with their values, and the pages that they link, in one statement. */
export async function readMenu(scope: Scope, location: string): Promise<object> {
  const { pool, prefix, blogId } = scope
  const menuId = locationsOf(scope).get(location) ?? 0
  const [rows] = await pool.execute<ItemRow[]>(itemsStatement(prefix), [menuId])
  const [menu] = rows
  if (!menu) throw new Error(`no menu at ${location}`)
  const items = new Map(rows.map((row) => [row.ID, itemOf(scope, row)]))
  const top: Item[] = []
  for (const row of rows) {
    const item = items.get(row.ID)
    if (item) (items.get(Number(row.parent))?.children ?? top).push(item)
  }
  return {
    success: true,
    site_id: blogId,
    source: `menu.${location}`,
    lang: null,
    menu: { id: menu.term_id, name: decodeName(menu.name), slug: menu.slug },
    total: rows.length,
    items: top,
  }
}

/** `GET /menus`. */
export async function listMenus(scope: Scope): Promise<object> {
  const { pool, prefix, blogId, options } = scope
  const [menus] = await pool.execute<MenuRow[]>(
    `SELECT t.term_id, t.name, t.slug, tt.count FROM ${prefix}terms t
     JOIN ${prefix}term_taxonomy tt ON tt.term_id = t.term_id
     WHERE tt.taxonomy = 'nav_menu' ORDER BY t.name, t.term_id`,
  )
  const assignments = [...locationsOf(scope)]
  return {
    success: true,
    site_id: blogId,
    theme: options.get('stylesheet'),
    locations: LOCATIONS,
    default_lang: null,
    read_items_at: `/site/${blogId}/data/menu.<location>`,
    total: menus.length,
    menus: menus.map(({ term_id: id, name, slug, count }) => ({
      id,
      name: decodeName(name),
      slug,
      items: count,
      assigned: assignments
        .filter(([, menuId]) => menuId === id)
        .map(([location]) => ({ location, lang: null })),
    })),
  }
}

/** The option `nav_menu_locations` in the theme's mods. */
function locationsOf({ options }: Scope): Map<string, number> {
  const mods = options.get(`theme_mods_${options.get('stylesheet')}`) ?? ''
  const [, map = ''] = /"nav_menu_locations";a:\d+:\{([^}]*)\}/.exec(mods) ?? []
  return new Map(
    [...map.matchAll(/s:\d+:"(\w+)";i:(\d+);/g)].map(([, name = '', id]) => [name, Number(id)]),
  )
}

function itemOf({ home, options }: Scope, row: ItemRow): Item {
  const isPage = row.type === 'post_type'
  const path = row.above_name === null ? row.page_name : `${row.above_name}/${row.page_name}`
  const isFront =
    options.get('show_on_front') === 'page' && options.get('page_on_front') === row.object_id
  return {
    id: row.ID,
    title: decodeName(row.post_title || (row.page_title ?? '')),
    url: isPage ? `${home}/${isFront ? '' : `${path}/`}` : row.url,
    type: row.type,
    page: isPage && row.object === 'page' ? Number(row.object_id) : null,
    target: row.target,
    classes: [...row.classes.matchAll(/"([^"]+)"/g)].map(([, name]) => name).join(' '),
    children: [],
  }
}

const ITEM_META = ['type', 'object', 'object_id', 'menu_item_parent', 'url', 'target', 'classes']

const itemsStatement = (prefix: string): string => `
  SELECT i.*, l.post_title AS page_title, l.post_name AS page_name, a.post_name AS above_name FROM (
    SELECT t.term_id, t.name, t.slug, tt.count, p.ID, p.menu_order, p.post_title,
      ${ITEM_META.map((key) => `MAX(IF(m.meta_key = '_menu_item_${key}', m.meta_value, NULL)) AS ${key === 'menu_item_parent' ? 'parent' : key}`).join()}
    FROM ${prefix}terms t
    JOIN ${prefix}term_taxonomy tt ON tt.term_id = t.term_id AND tt.taxonomy = 'nav_menu'
    JOIN ${prefix}term_relationships tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
    JOIN ${prefix}posts p ON p.ID = tr.object_id AND p.post_type = 'nav_menu_item' AND p.post_status = 'publish'
    JOIN ${prefix}postmeta m ON m.post_id = p.ID
    WHERE t.term_id = ?
    GROUP BY p.ID
  ) i
  LEFT JOIN ${prefix}posts l ON i.type = 'post_type' AND l.ID = i.object_id
  LEFT JOIN ${prefix}posts a ON a.ID = l.post_parent
  ORDER BY i.menu_order, i.ID`
