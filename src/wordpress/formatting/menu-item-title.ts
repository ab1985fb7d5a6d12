import { kses } from './kses.ts'
import { phpTrim } from './plain-text.ts'

/**
 * A menu item's title as stored in `post_title`: trimmed, and for a user without the capability
 * `unfiltered_html` (in a network: all but super administrators) with inline tags only and `&`
 * encoded. WordPress's filters on `title_save_pre` (wp-includes/default-filters.php,
 * `kses_init_filters` in wp-includes/kses.php).
 */
export const menuItemTitle = (
  text: string,
  { unfilteredHtml }: { unfilteredHtml: boolean },
): string => (unfilteredHtml ? phpTrim(text) : kses(phpTrim(text)))
