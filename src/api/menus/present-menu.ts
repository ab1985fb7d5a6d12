import { decodeName } from '../../wordpress/formatting/decode-name.ts'
import type { Menu } from '../../wordpress/nav-menus/menu.ts'
import type { MenuItem } from '../../wordpress/nav-menus/menu-item.ts'
import type { Site } from '../../wordpress/network/site.ts'

/** A menu's names; texts are given as people read them. */
export function presentMenu({ id, name, slug }: Menu) {
  return { id, name: decodeName(name), slug }
}

/** An output item (contract, section 2.6). */
export function presentItem(item: MenuItem) {
  return {
    id: item.id,
    title: decodeName(item.title),
    type: item.type,
    page: item.page,
    url: item.url,
    parent: item.parent,
    order: item.order,
    valid: item.valid,
  }
}

/** Where the items of a menu are read: at its location. */
export function readItemsAt({ blogId }: Site): string {
  return `/site/${blogId}/data/menu.<location>`
}
