import { kses } from './kses.ts'
import { sanitizeTextField } from './sanitize-text-field.ts'
import { specialChars } from './special-chars.ts'

/**
 * A menu's name as stored in `wp_terms.name`: plain text with `&`, `<` and `>` encoded, quotes as
 * they are; `''` when nothing is left. WordPress's filters on `pre_term_name`
 * (wp-includes/default-filters.php), which run for every user.
 */
export const menuName = (text: string): string =>
  specialChars(kses(sanitizeTextField(text)), 'keep')
