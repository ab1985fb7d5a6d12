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
