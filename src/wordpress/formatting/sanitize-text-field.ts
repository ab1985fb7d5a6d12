import { escapeUnclosedTags } from './escape-unclosed-tags.ts'
import { phpTrim } from './php-trim.ts'
import { removeOctets } from './remove-octets.ts'
import { stripTags } from './strip-tags.ts'

const stripAllTags = (html: string): string =>
  phpTrim(stripTags(html.replace(/<(script|style)[^>]*?>.*?<\/\1>/gis, '')))

/**
 * One line of plain text: no tags, no octets like `%20`, single spaces, trimmed. WordPress's
 * `sanitize_text_field` (wp-includes/formatting.php).
 */
export const sanitizeTextField = (text: string): string => {
  const plain = text.includes('<')
    ? stripAllTags(escapeUnclosedTags(text)).replaceAll('<\n', '&lt;\n')
    : text
  const line = phpTrim(plain.replace(/[\r\n\t ]+/g, ' '))
  const withoutOctets = removeOctets(line, /%[a-f0-9]{2}/i)
  return withoutOctets === line ? line : phpTrim(withoutOctets.replace(/ +/g, ' '))
}
