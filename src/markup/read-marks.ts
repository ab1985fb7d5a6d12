import { html, type Token, type TokenHandler, Tokenizer, TokenizerMode } from 'parse5'
import type { OpenTag, Span } from './nodes.ts'
import { OpenElements } from './open-elements.ts'
import { BIND_ATTRIBUTE } from './parse-binds.ts'
import { type InsertMark, readInsert } from './read-insert.ts'
import { readOpenTag } from './read-open-tag.ts'

/** What matters of a source, in its order: inserts, and where bound elements begin and end. */
export type Mark = InsertMark | OpenMark | CloseMark

export type OpenMark = {
  readonly type: 'open'
  readonly tag: OpenTag
  /** The bind attribute's value, its character references decoded. */
  readonly written: string
  readonly hasContent: boolean
}

/** `explicit` is false where HTML implies the end: there `contentEnd` equals `end`. */
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

/** Elements of HTML whose content is text, by how that text ends. Comments in them are none. */
const TEXT_MODES = new Map([
  ['script', TokenizerMode.SCRIPT_DATA],
  ['style', TokenizerMode.RAWTEXT],
  ['xmp', TokenizerMode.RAWTEXT],
  ['iframe', TokenizerMode.RAWTEXT],
  ['noembed', TokenizerMode.RAWTEXT],
  ['noframes', TokenizerMode.RAWTEXT],
  // As browsers read it, which run scripts.
  ['noscript', TokenizerMode.RAWTEXT],
  ['title', TokenizerMode.RCDATA],
  ['textarea', TokenizerMode.RCDATA],
  ['plaintext', TokenizerMode.PLAINTEXT],
])

/**
 * Reads a source with parse5's tokenizer: the HTML standard's own states, so that what is a comment
 * here is one in a browser. Its tree builder is left out: it would move what stands where HTML does
 * not want it, and a frame may be any part of a page.
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
 * Goes on at the next `<`, which alone ends text of any kind: the tokenizer would look at every
 * character on the way, which is a third of the time a scan takes.
 */
function skipText({ preprocessor }: Tokenizer): void {
  const next = preprocessor.html.indexOf('<', preprocessor.pos + 1)
  if (next > 0) preprocessor.pos = next - 1
}

function spanOf(token: Token.TagToken | Token.CommentToken): Span {
  // Asked for in the options, so always there.
  return { start: token.location?.startOffset ?? 0, end: token.location?.endOffset ?? 0 }
}

function ignore(): void {}
