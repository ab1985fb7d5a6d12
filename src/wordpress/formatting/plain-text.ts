import { decodeHTMLStrict } from 'entities'
import { phpTrim } from '#php-serialized'
import { escapeUnclosedTags } from './entities.ts'

const stripAllTags = (html: string): string => phpTrim(stripTags(withoutScripts(html)))

/**
 * Removes closed scripts and styles, like `<(script|style)[^>]*?>.*?</\1>` (wp_strip_all_tags), whose time would grow with the square of
 * the number of unclosed ones.
 */
const withoutScripts = (html: string): string => {
  const opening = /<(script|style)/gi
  const open = new Set(['script', 'style'])
  let result = ''
  let at = 0
  for (let tag = opening.exec(html); tag && open.size > 0; tag = opening.exec(html)) {
    const name = tag[1]?.toLowerCase() ?? ''
    if (!open.has(name)) continue
    const start = html.indexOf('>', opening.lastIndex)
    if (start < 0) break
    const closing = new RegExp(`</${name}>`, 'gi')
    closing.lastIndex = start + 1
    if (closing.test(html)) {
      result += html.slice(at, tag.index)
      at = closing.lastIndex
      opening.lastIndex = at
    } else open.delete(name)
  }
  return result + html.slice(at)
}

/**
 * One line of plain text: tags and octets like `%20` are removed, white space is collapsed and trimmed. WordPress's `sanitize_text_field`
 * (wp-includes/formatting.php).
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

/** The index after the tag that opens at `start`; an unclosed tag extends to the end. */
const endOfTag = (html: string, start: number): number => {
  if (html.startsWith('<!--', start)) return indexAfter(html, '-->', start + 2)
  if (html.startsWith('<?', start)) return indexAfter(html, '?>', start)
  let depth = 0
  let quote = ''
  for (let index = start + 1; index < html.length; index++) {
    const char = html.charAt(index)
    if (char === '>' && depth > 0) depth--
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === '"' || char === "'") quote = char
    else if (char === '<' && !SPACE.test(html.charAt(index + 1))) depth++
    else if (char === '>') return index + 1
  }
  return html.length
}

/**
 * Removes tags and comments like PHP's `strip_tags`: a `<` before white space is text, a tag inside a tag belongs to it, and a `>` inside
 * quotes does not close a tag.
 */
export const stripTags = (html: string): string => {
  if (!html.includes('<')) return html.replaceAll('\0', '')
  let text = ''
  for (let index = 0; index < html.length; ) {
    if (html.charAt(index) === '<' && !SPACE.test(html.charAt(index + 1)))
      index = endOfTag(html, index)
    else text += html.charAt(index++)
  }
  return text.replaceAll('\0', '')
}

const OCTET_LENGTH = 3

/**
 * Removes the octets (`%0d` and the like) that match, and those that their removal joins together: `%%0d0d` leaves nothing. WordPress
 * repeats a replacement until nothing changes (`_deep_replace`, `sanitize_text_field`). Octets never overlap, so one pass with a stack
 * gives the same result in linear time.
 */
export const removeOctets = (text: string, octet: RegExp): string => {
  if (!octet.test(text)) return text
  const result: string[] = []
  for (const char of text) {
    result.push(char)
    if (octet.test(result.slice(-OCTET_LENGTH).join(''))) result.length -= OCTET_LENGTH
  }
  return result.join('')
}

/** PHP's `rtrim` with these characters. A regular expression would retry at each character of a long run, `////…a`. */
export function trimEnd(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}

/** Decodes a stored name for display: the inverse of the encoding by `menuName` and KSES. */
export const decodeName = (stored: string): string => decodeHTMLStrict(stored)

/**
 * The display form of a stored text, if storing it again gives the same text; else the stored text.
 * @param decode returns the display form, or throws if there is none
 * @param encode returns the text that is stored for a display form
 */
export function displayIfReversible(
  stored: string,
  decode: (stored: string) => string,
  encode: (text: string) => string,
): string {
  try {
    const text = decode(stored)
    return encode(text) === stored ? text : stored
  } catch {
    return stored
  }
}
