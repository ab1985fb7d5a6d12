import type { Json } from '../markup/nodes.ts'
import type { MenuItemValue, MenuValue } from './values.ts'

/** A menu as rows: the tree that `GET /data/menu.<location>` gives and that repeats go through (decisions, section 9). */
export function menuRows({ items }: MenuValue): Json[] {
  const rows = new Map<number, { [key: string]: Json } & { children: Json[] }>()
  for (const item of items) rows.set(item.id, rowOf(item))
  const top: Json[] = []
  for (const item of items) {
    const row = rows.get(item.id)
    if (row) (rows.get(item.parent)?.children ?? top).push(row)
  }
  return top
}

function rowOf(item: MenuItemValue): { [key: string]: Json } & { children: Json[] } {
  return {
    id: item.id,
    title: item.title,
    url: item.url,
    type: item.type,
    page: item.type === 'post_type' && item.object === 'page' ? item.objectId : null,
    target: item.target,
    classes: item.classes.join(' '),
    children: [],
  }
}
