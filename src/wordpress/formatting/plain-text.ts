import { decodeHTMLStrict } from 'entities'
import { escapeUnclosedTags } from './entities.ts'

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

const SPACE = /[ \t\n\v\f\r]/

const indexAfter = (text: string, mark: string, from: number): number => {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at + mark.length
}

/** The index after the tag that opens at `start`; a tag that never closes takes all the rest. */
const endOfTag = (html: string, start: number): number => {
  if (html.startsWith('<!--', start)) return indexAfter(html, '-->', start + 2)
  if (html.startsWith('<?', start)) return indexAfter(html, '?>', start)
  let depth = 0
  let quote = ''
  for (let at = start + 1; at < html.length; at++) {
    const char = html.charAt(at)
    if (char === '>' && depth > 0) depth--
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '<' && !SPACE.test(html.charAt(at + 1))) depth++
    else if (char === '>') return at + 1
  }
  return html.length
}

/**
 * The text without its tags and comments, as PHP's `strip_tags` leaves it: a `<` before white
 * space is text, a tag inside a tag belongs to it, and a `>` inside quotes does not close one.
 */
export const stripTags = (html: string): string => {
  if (!html.includes('<')) return html.replaceAll('\0', '')
  let text = ''
  for (let at = 0; at < html.length; ) {
    if (html.charAt(at) === '<' && !SPACE.test(html.charAt(at + 1))) at = endOfTag(html, at)
    else text += html.charAt(at++)
  }
  return text.replaceAll('\0', '')
}

const OCTET_LENGTH = 3

/**
 * The text without the octets (`%0d` and the like) that match, and without those that their
 * removal joins together: `%%0d0d` leaves nothing. WordPress repeats a replacement until nothing
 * changes (`_deep_replace`, `sanitize_text_field`); as octets never overlap, one pass over a
 * stack gives the same, and takes linear time.
 */
export const removeOctets = (text: string, octet: RegExp): string => {
  if (!octet.test(text)) return text
  const kept: string[] = []
  for (const char of text) {
    kept.push(char)
    if (octet.test(kept.slice(-OCTET_LENGTH).join(''))) kept.length -= OCTET_LENGTH
  }
  return kept.join('')
}

const PHP_SPACES = ' \t\n\r\v\0'

/** PHP's `trim`: removes ASCII white space and NUL only; JavaScript's `trim` would remove U+00A0 too. */
export function phpTrim(text: string): string {
  let start = 0
  while (start < text.length && PHP_SPACES.includes(text.charAt(start))) start += 1
  return trimEnd(text.slice(start), PHP_SPACES)
}

/** PHP's `rtrim` of these characters. A regular expression would try again at each of a run of them, `////…a`. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** A name as people read it: the inverse of the encoding that `menuName` and KSES store. */
export const decodeName = (stored: string): string => decodeHTMLStrict(stored)

/**
 * A stored text as people write it, where that is stored as the same; else as it is stored.
 * @param read gives the text that people read, or throws where there is none
 * @param store gives what is stored of a text
 */
export function displayIfReversible(
  stored: string,
  read: (stored: string) => string,
  store: (text: string) => string,
): string {
  try {
    const text = read(stored)
    return store(text) === stored ? text : stored
  } catch {
    return stored
  }
}
