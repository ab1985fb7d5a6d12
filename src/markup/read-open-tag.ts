import type { Token } from 'parse5'
import type { Attribute, OpenTag, Span } from './nodes.ts'
import { BIND_ATTRIBUTE } from './parse-binds.ts'

const SPACES = '\t\n\f\r '

/** The spans of a start tag of the source, given as its token with locations. */
export function readOpenTag(source: string, token: Token.TagToken, { start, end }: Span): OpenTag {
  const name = token.tagName
  let addAt = start + 1 + name.length
  let bindSpan = { start: addAt, end: addAt }
  const attributes = token.attrs.map((written) => {
    const attribute = readAttribute(source, token, written.name)
    addAt = Math.max(addAt, attribute.end)
    if (attribute.name === BIND_ATTRIBUTE) bindSpan = removable(source, attribute)
    return attribute
  })
  return { start, end, name, attributes, bindSpan, addAt }
}

function readAttribute(source: string, token: Token.TagToken, name: string): Attribute {
  const location = token.location?.attrs?.[name]
  const start = location?.startOffset ?? 0
  const end = location?.endOffset ?? 0
  const equals = skipSpaces(source, start + name.length)
  if (equals >= end) return { name, start, end, value: null, quote: '' }
  const valueStart = skipSpaces(source, equals + 1)
  const first = source[valueStart]
  if (first !== '"' && first !== "'") {
    return { name, start, end, value: { start: valueStart, end }, quote: '' }
  }
  return { name, start, end, value: { start: valueStart + 1, end: end - 1 }, quote: first }
}

/**
 * An attribute with the white space before it, unless that space keeps two neighbours apart:
 * `<a data-op-bind="x"href="y">`, `<img src=a data-op-bind="x"/>`.
 */
function removable(source: string, attribute: Attribute): Span {
  const { end } = attribute
  let { start } = attribute
  if (source[end] === '>' || isSpace(source, end)) while (isSpace(source, start - 1)) start -= 1
  return { start, end }
}

function skipSpaces(source: string, at: number): number {
  let end = at
  while (isSpace(source, end)) end += 1
  return end
}

function isSpace(source: string, at: number): boolean {
  const char = source[at]
  return char !== undefined && SPACES.includes(char)
}
