import { sanitizeKey } from './sanitize-key.ts'

/**
 * The target of a menu item as stored in `_menu_item_target`: `_blank`, another frame's name in
 * lower case, or `''`. WordPress's `wp_update_nav_menu_item` (wp-includes/nav-menu.php).
 */
export const menuItemTarget = (text: string): string => sanitizeKey(text)
