import { html, type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'
import type { Attribute, OpenTag, Span } from './nodes.ts'
import { OpenElements } from './open-elements.ts'
import { BIND_ATTRIBUTE } from './parse-binds.ts'
import { type InsertMark, readInsert } from './read-insert.ts'

/** The relevant positions of a source, in order: inserts, and the start and end of bound elements. */
export type Mark = InsertMark | OpenMark | CloseMark

export type OpenMark = {
  readonly type: 'open'
  readonly tag: OpenTag
  /** The bind attribute's value, with character references decoded. */
  readonly written: string
  readonly hasContent: boolean
}

/** `explicit` is false if HTML implies the end; then `contentEnd` equals `end`. */
export type CloseMark = {
  readonly type: 'close'
  readonly tag: OpenTag
  readonly contentEnd: number
  readonly end: number
  readonly explicit: boolean
}

export type Marks = {
  readonly marks: readonly Mark[]
  readonly hasDoctype: boolean
  readonly hasBody: boolean
}

/** HTML elements with text content, by tokenizer state. Comments inside them are not comments. */
const TEXT_MODES = new Map([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  // As in browsers that run scripts.
  ['noscript', TokenizerMode.RAWTEXT],
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
])

/**
 * Reads a source with parse5's tokenizer, which implements the HTML standard's states: a comment here is a comment in a browser. Its tree
 * builder is not used: it would move nodes that HTML does not allow at their position, and a frame may be any part of a page.
 */
export function readMarks(source: string): Marks {
  const marks: Mark[] = []
  let hasDoctype = false
  let hasBody = false

  const elements = new OpenElements<{ tag: OpenTag; written: string }>({
    opened: ({ tag, written }, hasContent) =>
      marks.push({ type: 'open', tag, written, hasContent }),
    closed: ({ tag }, contentEnd, end, explicit) =>
      marks.push({ type: 'close', tag, contentEnd, end, explicit }),
  })

  const handler: TokenHandler = {
    onStartTag(token) {
      const span = spanOf(token)
      const bind = token.attrs.find((attribute) => attribute.name === BIND_ATTRIBUTE)
      const payload =
        bind === undefined ? null : { tag: readOpenTag(source, token, span), written: bind.value }
      const name = token.tagName
      if (elements.start(token, span.start, payload) === html.NS.HTML) {
        tokenizer.state = TEXT_MODES.get(name) ?? tokenizer.state
        hasBody ||= name === 'body'
      }
      tokenizer.inForeignNode = elements.isForeign
      skipText(tokenizer)
    },
    onEndTag(token) {
      const { start, end } = spanOf(token)
      elements.end(token, start, end)
      tokenizer.inForeignNode = elements.isForeign
      skipText(tokenizer)
    },
    onComment(token) {
      const insert = readInsert(source, spanOf(token))
      if (insert !== undefined) marks.push(insert)
      skipText(tokenizer)
    },
    onDoctype() {
      hasDoctype = true
    },
    onEof: () => elements.finish(source.length),
    onCharacter: ignore,
    onNullCharacter: ignore,
    onWhitespaceCharacter: ignore,
    onParseError: null,
  }
  const tokenizer = new Tokenizer({ sourceCodeLocationInfo: true }, handler)
  tokenizer.write(source, true)
  return { marks, hasDoctype, hasBody }
}

/**
 * Skips to the next `<`, the only character that ends text of any kind. The tokenizer would process every character on the way, which takes
 * a third of the time of a parse.
 */
function skipText({ preprocessor }: Tokenizer): void {
  const next = preprocessor.html.indexOf('<', preprocessor.pos + 1)
  if (next > 0) preprocessor.pos = next - 1
}

function spanOf(token: Token.TagToken | Token.CommentToken): Span {
  // Always set, because `sourceCodeLocationInfo` is on.
  return { start: token.location?.startOffset ?? 0, end: token.location?.endOffset ?? 0 }
}

function ignore(): void {}

const SPACES = '\t\n\f\r '

/** The spans of a start tag in the source, from its token with locations. */
function readOpenTag(source: string, token: Token.TagToken, { start, end }: Span): OpenTag {
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
 * An attribute with the white space before it, unless that space separates two neighbours: `<a data-op-bind="x"href="y">`, `<img src=a
 * data-op-bind="x"/>`.
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
