import { INSERT_KINDS, type InsertKind, type Params, type Span } from './nodes.ts'
import { readParams } from './read-params.ts'

/** What a comment of the form of an insert says, before repeats are paired. */
export type InsertMark = Span & {
  readonly type: 'insert'
  /** `alone`: ends in `/-->`; `opening`: does not; `closing`: `<!-- /svc/repeat -->`. */
  readonly form: 'alone' | 'opening' | 'closing'
  /** As written: `menu`, or a kind that does not exist. */
  readonly name: string
  /** Null for an unknown kind. */
  readonly kind: InsertKind | null
  /** Null for JSON that cannot be read. */
  readonly params: Params | null
  readonly json: Span
}

const HEAD = /^\s*(\/?)svc\/([^\s/{]*)\s*/
const COMMENT_OPEN = '<!--'
const COMMENT_CLOSE = '-->'

/**
 * Reads the comment at `[start, end)`; undefined when it is no insert, which a comment is only if its
 * first word begins with `svc/`. White space inside is free, as in WordPress's block comments. So is
 * the slash at the end: without it an insert still prints (`scan` warns), save that a repeat needs
 * either its closing comment or a `frame`.
 */
export function readInsert(source: string, { start, end }: Span): InsertMark | undefined {
  // Bogus comments, `<!-->` and what ends in `--!>` or with the source are comments, but not these.
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
    kind: INSERT_KINDS.find((kind) => kind === name) ?? null,
    params: readParams(text) ?? null,
    json: { start: jsonStart, end: jsonStart + text.length },
  }
}
