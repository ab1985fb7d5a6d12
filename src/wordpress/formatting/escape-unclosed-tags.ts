import { specialChars } from './special-chars.ts'

/**
 * A `<` that no `>` follows before the next `<` is text, not a tag: it is encoded, with all that
 * stands behind it. WordPress's `wp_pre_kses_less_than` (wp-includes/formatting.php).
 */
export const escapeUnclosedTags = (html: string): string =>
  html.replace(/<[^<>]*>?/g, (tag) => (tag.endsWith('>') ? tag : specialChars(tag, 'encode')))
