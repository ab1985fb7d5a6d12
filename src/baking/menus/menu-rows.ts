import type { Value } from '../program.ts'
import type { MenuValue } from '../values.ts'
import { menuEntries } from './menu-entries.ts'
import { type MenuNode, menuTree } from './menu-tree.ts'

/** An item as visitors see it. */
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
  return menuTree(menuEntries(menu, page), 0).map(rowOf)
}

function rowOf({ entry, children }: MenuNode): MenuRow {
  return {
    id: entry.id,
    title: entry.title,
    url: entry.url,
    type: entry.type,
    page: entry.type === 'post_type' && entry.object === 'page' ? entry.objectId : null,
    target: entry.target,
    classes: entry.classes.filter((name) => name !== '').join(' '),
    children: children.map(rowOf),
  }
}
