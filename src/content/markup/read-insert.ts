import { isInsertKind } from './inserts/all-inserts.ts'
import type { Params, Span } from './nodes.ts'
import { readParams } from './read-params.ts'

/** A comment in the form of an insert, before repeats are paired. */
export type InsertMark = Span & {
  readonly type: 'insert'
  /** `alone`: ends with `/-->`; `opening`: does not; `closing`: `<!-- /svc/repeat -->`. */
  readonly form: 'alone' | 'opening' | 'closing'
  /** As written: `menu`, or an unknown kind. */
  readonly name: string
  /** Null for an unknown kind. */
  readonly kind: string | null
  /** Null for invalid JSON. */
  readonly params: Params | null
  readonly json: Span
}

const HEAD = /^\s*(\/?)svc\/([^\s/{]*)\s*/
const COMMENT_OPEN = '<!--'
const COMMENT_CLOSE = '-->'

/**
 * Parses the comment at `[start, end)`; undefined if it is not an insert. A comment is an insert only if its text begins with `svc/`. White
 * space inside is optional, as in WordPress's block comments. So is the slash at the end: an insert without it still prints (`parseMarkup`
 * warns), except that a repeat needs either its closing comment or a `frame`.
 */
export function readInsert(source: string, { start, end }: Span): InsertMark | undefined {
  // Excludes bogus comments, `<!-->`, and comments that end with `--!>` or at the end of the source.
  const isWhole =
    end - start >= COMMENT_OPEN.length + COMMENT_CLOSE.length &&
    source.startsWith(COMMENT_OPEN, start) &&
    source.startsWith(COMMENT_CLOSE, end - COMMENT_CLOSE.length)
  if (!isWhole) return undefined
  const inner = source.slice(start + COMMENT_OPEN.length, end - COMMENT_CLOSE.length)
  const head = HEAD.exec(inner)
  if (head === null) return undefined
  const name = head[2] ?? ''
  const rest = inner.slice(head[0].length).trimEnd()
  const hasSlash = rest.endsWith('/')
  const text = (hasSlash ? rest.slice(0, -1) : rest).trimEnd()
  const jsonStart = start + COMMENT_OPEN.length + head[0].length
  return {
    type: 'insert',
    start,
    end,
    form: head[1] === '/' ? 'closing' : hasSlash ? 'alone' : 'opening',
    name,
    kind: isInsertKind(name) ? name : null,
    params: readParams(text) ?? null,
    json: { start: jsonStart, end: jsonStart + text.length },
  }
}
