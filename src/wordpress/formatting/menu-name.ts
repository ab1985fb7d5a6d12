import { decodeName, displayIfReversible, sanitizeTextField } from './plain-text.ts'
import { kses } from './kses.ts'
import { specialChars } from './entities.ts'

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
