import type { Value } from '../evaluation/program.ts'
import type { MenuValue } from '../evaluation/values.ts'
import { type MenuEntry, menuEntries } from './menu-entries.ts'

/** An entry and its children. */
export type MenuNode = { readonly entry: MenuEntry; readonly children: readonly MenuNode[] }

/** Deeper trees are cut, because printers recurse. The contract allows the same number of levels. */
const MAX_MENU_LEVELS = 100

/**
 * Builds the tree of a menu's entries as Walker::walk does (class-wp-walker.php): entries whose parent is not in the menu are appended at
 * the top level, without their children.
 * @param depth number of levels; 0 for all, -1 for a flat list
 */
export function menuTree(entries: readonly MenuEntry[], depth: number): MenuNode[] {
  if (depth < 0) return entries.map(leaf)
  const children = new Map<number, MenuEntry[]>()
  const top: MenuEntry[] = []
  // If no entry is at the top level, Walker::walk takes the first entry and its siblings as the top level.
  const parents = entries.map(parentOf)
  const first = parents.includes(0) ? 0 : parents[0]
  for (const entry of entries) {
    const parent = parentOf(entry)
    const siblings = parent === first ? top : (children.get(parent) ?? [])
    siblings.push(entry)
    if (siblings !== top) children.set(parent, siblings)
  }
  const grow = (entry: MenuEntry, level: number): MenuNode => {
    const own = level < (depth || MAX_MENU_LEVELS) ? children.get(entry.id) : undefined
    if (!own) return leaf(entry)
    children.delete(entry.id)
    return { entry, children: own.map((child) => grow(child, level + 1)) }
  }
  const roots = top.map((entry) => grow(entry, 1))
  return depth > 0 ? roots : [...roots, ...[...children.values()].flat().map(leaf)]
}

/** Id of the parent; 0 at the top level. An entry that is its own parent is at the top level (wp_nav_menu). */
export function parentOf({ id, parent }: MenuEntry): number {
  return parent === id ? 0 : parent
}

const leaf = (entry: MenuEntry): MenuNode => ({ entry, children: [] })

/** A menu item as visitors see it. The title is text or, for the API, as stored. */
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
 * The rows of `svc/repeat` over a menu, and of `GET /data/menu.<location>`.
 * @param page values of the page that shows the menu, for language switchers
 */
export function menuRows(menu: MenuValue, page?: Readonly<Record<string, Value>>): MenuRow[] {
  return menuTree(menuEntries(menu, page), 0).map(printedRow)
}

/** The rows with texts as stored: a client of the API can send them back without changing them. */
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
