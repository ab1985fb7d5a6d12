import type { Value } from '../program.ts'
import type { MenuValue } from '../values.ts'
import { type MenuEntry, menuEntries } from './menu-entries.ts'
import { type MenuNode, menuTree } from './menu-tree.ts'

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
