import type { Json } from '../../markup/nodes.ts'
import type { Value } from '../program.ts'
import type { MenuValue } from '../values.ts'
import { menuEntries } from './menu-entries.ts'
import { type MenuNode, menuTree } from './menu-tree.ts'

/**
 * A menu as rows: the tree that `GET /data/menu.<location>` gives and that repeats go through (decisions, section 9).
 * @param page the page in which the menu is shown, for language switchers
 */
export function menuRows(menu: MenuValue, page?: Readonly<Record<string, Value>>): Json[] {
  return menuTree(menuEntries(menu, page), 0).map(rowOf)
}

function rowOf({ entry, children }: MenuNode): Json {
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
