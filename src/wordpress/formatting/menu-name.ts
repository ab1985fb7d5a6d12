import { decodeName } from './decode-name.ts'
import { kses } from './kses.ts'
import { displayIfReversible } from './readable.ts'
import { sanitizeTextField } from './sanitize-text-field.ts'
import { specialChars } from './special-chars.ts'

/**
 * A menu's name as stored in `wp_terms.name`: plain text with `&`, `<` and `>` encoded, quotes as
 * they are; `''` when nothing is left. WordPress's filters on `pre_term_name`
 * (wp-includes/default-filters.php), which run for every user.
 */
export const menuName = (text: string): string =>
  specialChars(kses(sanitizeTextField(text)), 'keep')

/** A menu's name for callers, who may send it back: decoded where that is stored as the same name again. */
export const readableMenuName = (stored: string): string =>
  displayIfReversible(stored, decodeName, menuName)
