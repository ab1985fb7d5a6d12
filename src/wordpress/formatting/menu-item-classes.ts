import { sanitizeHtmlClass } from './sanitize-html-class.ts'

/**
 * The classes of a menu item as stored in `_menu_item_classes`: at least one, and an empty one for
 * every space too many. WordPress's `wp_update_nav_menu_item` (wp-includes/nav-menu.php).
 */
export const menuItemClasses = (text: string): string[] => text.split(' ').map(sanitizeHtmlClass)
