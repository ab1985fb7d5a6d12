import { escapeUnclosedTags } from './escape-unclosed-tags.ts'
import { phpTrim } from './php-trim.ts'
import { removeOctets } from './remove-octets.ts'
import { stripTags } from './strip-tags.ts'

const stripAllTags = (html: string): string => phpTrim(stripTags(withoutScripts(html)))

/**
 * The text without scripts and styles that are closed: `<(script|style)[^>]*?>.*?</\1>` goes (wp_strip_all_tags), whose time would grow
 * with the square of what is not closed.
 */
const withoutScripts = (html: string): string => {
  const opening = /<(script|style)/gi
  const open = new Set(['script', 'style'])
  let kept = ''
  let at = 0
  for (let tag = opening.exec(html); tag && open.size > 0; tag = opening.exec(html)) {
    const name = tag[1]?.toLowerCase() ?? ''
    if (!open.has(name)) continue
    const start = html.indexOf('>', opening.lastIndex)
    if (start < 0) break
    const closing = new RegExp(`</${name}>`, 'gi')
    closing.lastIndex = start + 1
    if (closing.test(html)) {
      kept += html.slice(at, tag.index)
      at = closing.lastIndex
      opening.lastIndex = at
    } else open.delete(name)
  }
  return kept + html.slice(at)
}

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
