import { normalizeEntities } from './normalize-entities.ts'

/**
 * The text with `<` and `>` encoded, and bare `&`; quotes too if asked for. References that are
 * there already stay, but for `&apos;`, which PHP does not know as HTML 4.01. WordPress's
 * `_wp_specialchars` (wp-includes/formatting.php).
 */
export const specialChars = (text: string, quotes: 'keep' | 'encode'): string => {
  const encoded = normalizeEntities(text)
    .replaceAll('&apos;', '&amp;apos;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
  return quotes === 'keep' ? encoded : encoded.replaceAll('"', '&quot;').replaceAll("'", '&#039;')
}
