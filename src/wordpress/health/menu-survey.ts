import type { Db } from '../../db/database.ts'
import { readRows, streamRows } from '../../db/sql.ts'
import type { LinkTargets } from '../nav-menus/link-problem.ts'
import { locationEntries, menuOfEntry } from '../nav-menus/location-edits.ts'
import { parentIn } from '../nav-menus/menu-item.ts'
import { readNamedMenus, unknownMenuName } from '../nav-menus/menu-of-value.ts'
import type { Site } from '../network/site.ts'
import { readOptions, readOptionsMatching } from '../options/read-options.ts'
import { THEME_MODS_PREFIX } from '../options/theme-mods.ts'
import { arrayIn, findDamage, idIn, storedArray } from '../stored-value.ts'

/** A menu item, limited to its links to other rows. */
export type SurveyedItem = {
  readonly id: number
  /** Its own, as stored; '' if it shows that of what it links. */
  readonly title: string
  /** `post_status`. */
  readonly status: string
  /** GMT; zero for an item that was never published. */
  readonly modifiedGmt: string
  /** Ids of the menus that contain it, usually one. */
  readonly menus: readonly number[]
  /** Id of its parent item; 0 at the top. */
  readonly parent: number
  /** `_menu_item_type`. */
  readonly type: string
  /** `_menu_item_object`: a post type or a taxonomy. */
  readonly object: string
  readonly objectId: number
}

export type ItemSurvey = LinkTargets & {
  readonly items: ReadonlyMap<number, SurveyedItem>
}

/** Reads all menu items of a site, always in four statements. */
export async function surveyItems(db: Db, site: Site): Promise<ItemSurvey> {
  const items = await readItems(db, site)
  const linked = (type: string): number[] => [
    ...new Set([...items.values()].filter((item) => item.type === type).map((i) => i.objectId)),
  ]
  const [posts, terms] = await Promise.all([
    readLinkedPosts(db, site, linked('post_type')),
    readTermKeys(db, site, linked('taxonomy')),
  ])
  return { items, posts, terms }
}

const LINK_KEYS = {
  _menu_item_type: 'type',
  _menu_item_object: 'object',
  _menu_item_object_id: 'objectId',
  _menu_item_menu_item_parent: 'parent',
} as const

/** Longer titles are cut: all of them are in memory together, and in findings. In characters. */
const MAX_TEXT_LENGTH = 500

type ItemRow = {
  ID: number
  post_title: string
  post_status: string
  post_modified_gmt: string
  meta_key: keyof typeof LINK_KEYS | null
  meta_value: string | null
}

async function readItems(db: Db, site: Site): Promise<Map<number, SurveyedItem>> {
  const { posts, postmeta } = site.tables
  const menus = await readMenusOfItems(db, site)
  // Of duplicates the oldest applies (get_metadata, meta.php): it is read last and overwrites the others.
  const rows = streamRows<ItemRow>(
    db,
    `SELECT p.ID, LEFT(p.post_title, :most) AS post_title, p.post_status, p.post_modified_gmt, m.meta_key,
        LEFT(m.meta_value, :most) AS meta_value
      FROM :posts: p LEFT JOIN :postmeta: m ON m.post_id = p.ID AND m.meta_key IN (:keys)
      WHERE p.post_type = 'nav_menu_item' AND NOT p.post_status = 'auto-draft'
      ORDER BY p.ID, m.meta_id DESC`,
    { posts, postmeta, keys: Object.keys(LINK_KEYS), most: MAX_TEXT_LENGTH },
  )
  const items = new Map<number, SurveyedItem>()
  for await (const row of rows) {
    const item = items.get(row.ID) ?? bareItem(row, menus.get(row.ID) ?? [])
    const field = row.meta_key === null ? undefined : LINK_KEYS[row.meta_key]
    const text = row.meta_value ?? ''
    const value = field === 'parent' ? parentIn(text) : field === 'objectId' ? idIn(text) : text
    items.set(row.ID, field ? { ...item, [field]: value } : item)
  }
  return items
}

function bareItem(row: ItemRow, menus: readonly number[]): SurveyedItem {
  const { ID: id, post_title: title, post_status: status, post_modified_gmt: modifiedGmt } = row
  return { id, title, status, modifiedGmt, menus, parent: 0, type: '', object: '', objectId: 0 }
}

async function readMenusOfItems(db: Db, site: Site): Promise<Map<number, number[]>> {
  const { termRelationships, termTaxonomy } = site.tables
  const rows = await readRows<{ item: number; menu: number }>(
    db,
    `SELECT tr.object_id AS item, tt.term_id AS menu FROM :termTaxonomy: tt
      JOIN :termRelationships: tr ON tr.term_taxonomy_id = tt.term_taxonomy_id
      WHERE tt.taxonomy = 'nav_menu'`,
    { termTaxonomy, termRelationships },
  )
  const menus = new Map<number, number[]>()
  for (const { item, menu } of rows) menus.set(item, [...(menus.get(item) ?? []), menu])
  return menus
}

async function readTermKeys(db: Db, site: Site, ids: readonly number[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await readRows<{ term_id: number; taxonomy: string }>(
    db,
    'SELECT term_id, taxonomy FROM :termTaxonomy: WHERE term_id IN (:ids)',
    { termTaxonomy: site.tables.termTaxonomy, ids: [...ids] },
  )
  return new Set(rows.map((row) => `${row.taxonomy} ${row.term_id}`))
}

async function readLinkedPosts(
  db: Db,
  site: Site,
  ids: readonly number[],
): Promise<LinkTargets['posts']> {
  if (ids.length === 0) return new Map()
  const rows = await readRows<{
    ID: number
    post_title: string
    post_type: string
    post_status: string
    post_password: string
  }>(
    db,
    `SELECT ID, LEFT(post_title, :most) AS post_title, post_type, post_status, post_password FROM :posts:
      WHERE ID IN (:ids)`,
    { posts: site.tables.posts, ids: [...ids], most: MAX_TEXT_LENGTH },
  )
  return new Map(
    rows.map(({ ID, post_title: title, post_type: type, post_status: status, post_password }) => [
      ID,
      { title, type, status, protected: post_password !== '' },
    ]),
  )
}

/** A stored reference to a menu; the menu may not exist. */
export type MenuUse = {
  readonly menuId: number
  /** In the theme's own map, in Polylang's, or among the menus to which WordPress adds new pages. */
  readonly kind: 'theme' | 'language' | 'auto_add'
  /** The theme's `stylesheet`; '' for `auto_add`. */
  readonly theme: string
  readonly location: string
  /** Set for the kind `language` only. */
  readonly lang: string | null
}

export type MenuUses = {
  /** The site's own theme. */
  readonly theme: string
  readonly uses: readonly MenuUse[]
  /** Texts in the maps of themes that name no menu by its slug or name. */
  readonly unknownNames: readonly (Omit<MenuUse, 'menuId'> & { readonly name: string })[]
  /** Options that cannot be decoded, with the reason; their references are unknown. */
  readonly unreadable: readonly { readonly option: string; readonly message: string }[]
}

/** Reads all references to a site's menus, in all themes and languages, in two statements, or three if a theme's map names menus by more than ids. */
export async function readMenuUses(db: Db, site: Site): Promise<MenuUses> {
  const [mods, options] = await Promise.all([
    readOptionsMatching(db, site, THEME_MODS_PREFIX, ''),
    readOptions(db, site, ['stylesheet', 'polylang', 'nav_menu_options']),
  ])
  const autoAdd = arrayIn(storedArray(options.get('nav_menu_options')).get('auto_add'))
  const uses: MenuUse[] = [...autoAdd.values()].map((id) => ({
    kind: 'auto_add',
    theme: '',
    location: '',
    lang: null,
    menuId: idIn(id),
  }))
  const unknownNames: MenuUses['unknownNames'][number][] = []
  const menus = await readNamedMenus(db, site, [...mods])
  for (const [option, text] of [...mods, ['polylang', options.get('polylang')] as const])
    for (const entry of locationEntries(option, text)) {
      const { at, value } = entry
      const use = { kind: at.lang === null ? 'theme' : 'language', ...at } as const
      uses.push({ ...use, menuId: menuOfEntry(entry, menus) })
      const name = at.lang === null ? unknownMenuName(value, menus) : undefined
      if (name !== undefined) unknownNames.push({ ...use, name })
    }
  return {
    theme: options.get('stylesheet') ?? '',
    uses: uses.filter(({ menuId }) => menuId > 0),
    unknownNames,
    unreadable: [...mods, ...options].flatMap(([option, text]) => {
      const damage = findDamage(text)
      return damage ? [{ option, message: damage.message }] : []
    }),
  }
}
