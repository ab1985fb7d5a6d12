import { phpTrim } from '#php-serialized'
import { specialChars } from './entities.ts'
import { kses } from './kses.ts'
import { decodeName, displayIfReversible, sanitizeTextField } from './plain-text.ts'

/** Length of the column `name` of the terms table, in characters. */
export const MAX_NAME_LENGTH = 200

/**
 * A menu's name as stored in `wp_terms.name`: plain text with `&`, `<` and `>` encoded and quotes unchanged; `''` if nothing remains.
 * WordPress's filters on `pre_term_name` (wp-includes/default-filters.php), which run for every user.
 */
export const menuName = (text: string): string =>
  specialChars(kses(sanitizeTextField(text)), 'keep')

/** A menu's name for callers, who may send it back: decoded if the decoded form is stored as the same name. */
export const readableMenuName = (stored: string): string =>
  displayIfReversible(stored, decodeName, menuName)

/**
 * A menu item's title as stored in `post_title`: trimmed, and for a user without the capability `unfiltered_html` (in a network: everyone
 * but super administrators) reduced to inline tags with `&` encoded. WordPress's filters on `title_save_pre`
 * (wp-includes/default-filters.php, `kses_init_filters` in wp-includes/kses.php).
 */
export const menuItemTitle = (
  text: string,
  { unfilteredHtml }: { unfilteredHtml: boolean },
): string => (unfilteredHtml ? phpTrim(text) : kses(phpTrim(text)))

/**
 * The classes of a menu item as stored in `_menu_item_classes`: at least one, and an empty one for every extra space. WordPress's
 * `wp_update_nav_menu_item` (wp-includes/nav-menu.php).
 */
export const menuItemClasses = (text: string): string[] => text.split(' ').map(sanitizeHtmlClass)

/**
 * One CSS class name: octets like `%20` are removed, then everything but `A-Z a-z 0-9 _ -`. WordPress's `sanitize_html_class`
 * (wp-includes/formatting.php).
 */
const sanitizeHtmlClass = (text: string): string =>
  text.replace(/%[a-f0-9]{2}/gi, '').replace(/[^A-Za-z0-9_-]/g, '')

/** Lower-cases the text and removes everything but `a-z 0-9 _ -`. WordPress's `sanitize_key` (wp-includes/formatting.php). */
export const sanitizeKey = (text: string): string =>
  text.replace(/[^a-zA-Z0-9_-]/g, '').toLowerCase()

/**
 * Names with equal keys are equal in WordPress's collations, which ignore case, accents and spaces at the end. Marks of their own are removed
 * first, because the time of `normalize` grows with the square of the marks in a row.
 */
export const collationKey = (name: string): string =>
  withoutMarks(withoutMarks(name).normalize('NFD')).toLowerCase().trimEnd()

const withoutMarks = (text: string): string => text.replace(/\p{M}/gu, '')
