import type { Menu } from './nav-menu.ts'
import type { MenuItem } from './menu-item.ts'

/**
 * The items that visitors see, with their places among each other: none of a menu whose count is 0, none that is a draft or links
 * nothing (wp_get_nav_menu_items, nav-menu.php). The children of those stay and lose their parent.
 */
export function visibleItems({ count }: Menu, items: readonly MenuItem[]): MenuItem[] {
  if (count === 0) return []
  return items
    .filter(({ status, valid }) => status === 'publish' && valid)
    .map((item, index) => ({ ...item, order: index + 1 }))
}
