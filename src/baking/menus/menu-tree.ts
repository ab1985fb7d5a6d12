import type { Value } from '../program.ts'
import type { MenuValue } from '../values.ts'
import { type MenuEntry, menuEntries } from './menu-entries.ts'

/** An entry with those below it. */
export type MenuNode = { readonly entry: MenuEntry; readonly children: readonly MenuNode[] }

/** Deeper trees are cut: whoever prints one recurses into it. The contract's own trees have as many levels. */
const MAX_MENU_LEVELS = 100

/**
 * The tree of a menu's entries (Walker::walk, class-wp-walker.php): those whose parent is not in the menu stand at the top,
 * after the others and without what is below them.
 * @param depth levels to go down; 0 for all, -1 for all entries on one level
 */
export function menuTree(entries: readonly MenuEntry[], depth: number): MenuNode[] {
  if (depth < 0) return entries.map(leaf)
  const children = new Map<number, MenuEntry[]>()
  const top: MenuEntry[] = []
  // Without any entry at the top, the first one and its neighbours are taken for the top.
  const parents = entries.map(parentOf)
  const first = parents.includes(0) ? 0 : parents[0]
  for (const entry of entries) {
    const parent = parentOf(entry)
    const siblings = parent === first ? top : (children.get(parent) ?? [])
    siblings.push(entry)
    if (siblings !== top) children.set(parent, siblings)
  }
  const grow = (entry: MenuEntry, level: number): MenuNode => {
    const below = level < (depth || MAX_MENU_LEVELS) ? children.get(entry.id) : undefined
    if (!below) return leaf(entry)
    children.delete(entry.id)
    return { entry, children: below.map((child) => grow(child, level + 1)) }
  }
  const roots = top.map((entry) => grow(entry, 1))
  return depth > 0 ? roots : [...roots, ...[...children.values()].flat().map(leaf)]
}

/** The entry that one stands below, by its id; 0 at the top, where also stands what is its own parent (wp_nav_menu). */
export function parentOf({ id, parent }: MenuEntry): number {
  return parent === id ? 0 : parent
}

const leaf = (entry: MenuEntry): MenuNode => ({ entry, children: [] })

/** An item as visitors see it; its title as text, or as stored. */
export type MenuRow = {
  readonly id: number
  readonly title: string
  readonly url: string
  /** `post_type`, `taxonomy`, `post_type_archive` or `custom`. */
  readonly type: string
  /** Id of the linked page; null for all other items. */
  readonly page: number | null
  readonly target: string
  /** Separated by spaces. */
  readonly classes: string
  readonly children: MenuRow[]
}

/**
 * A menu as rows: the tree that `GET /data/menu.<location>` gives and that repeats go through (decisions, section 9).
 * @param page the page in which the menu is shown, for language switchers
 */
export function menuRows(menu: MenuValue, page?: Readonly<Record<string, Value>>): MenuRow[] {
  return menuTree(menuEntries(menu, page), 0).map(printedRow)
}

/** The same with texts as stored, for callers of the API: what they send back is stored as it was. */
export function storedMenuRows({ items }: MenuValue): MenuRow[] {
  const entries = items.map((item) => ({ ...item, key: String(item.id) }))
  return menuTree(entries, 0).map(storedRow)
}

function printedRow({ entry, children }: MenuNode): MenuRow {
  const classes = entry.classes.filter((name) => name !== '')
  return rowOf({ ...entry, classes }, children.map(printedRow))
}

function storedRow({ entry, children }: MenuNode): MenuRow {
  return rowOf(entry, children.map(storedRow))
}

function rowOf(entry: MenuEntry, children: MenuRow[]): MenuRow {
  return {
    id: entry.id,
    title: entry.title,
    url: entry.url,
    type: entry.type,
    page: entry.type === 'post_type' && entry.object === 'page' ? entry.objectId : null,
    target: entry.target,
    classes: entry.classes.join(' '),
    children,
  }
}
