import type { Bind } from './parse-binds.ts'

/**
 * The tree of one frame's markup. Every offset counts UTF-16 units of the source, end exclusive. The spans of siblings touch: everything
 * that is neither an insert nor a bound element is text, copied unchanged. The tree is at most `MAX_NESTING` levels deep, so recursion is
 * safe.
 */
export type MarkupNode = TextNode | InsertNode | ElementNode | BrokenNode

export type Span = { readonly start: number; readonly end: number }

/** Where a node starts, for messages. Line and column count from 1, the column in characters (code points). */
export type SourceLocation = { readonly line: number; readonly column: number }

/** The nodes between two delimiters: a repeat's body or an element's content. */
export type Content = Span & { readonly nodes: readonly MarkupNode[] }

type TextNode = Span & { readonly type: 'text' }

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** The JSON of an insert: an object without prototype, at most `MAX_JSON_DEPTH` levels deep. */
export type Params = Readonly<Record<string, Json>>

/** An insert that can be printed. `body` is the body of a paired repeat, null for all other inserts. */
export type InsertNode = Span &
  SourceLocation & {
    readonly type: 'insert'
    /** One of the `kinds` of an insert in `INSERTS`. */
    readonly kind: string
    readonly params: Params
    /** The JSON text in the source; empty if the insert has none. */
    readonly json: Span
    readonly body: Content | null
  }

/**
 * A bound element. It starts with its open tag, which ends at `content.start`, and ends with its end tag, which starts at `content.end` and
 * is empty if HTML implies it. `content` is null for an element that has none (`<img>`, `<path/>` in SVG).
 */
export type ElementNode = Span &
  SourceLocation & {
    readonly type: 'element'
    readonly tag: OpenTag
    readonly binds: readonly Bind[]
    readonly content: Content | null
  }

export type OpenTag = Span & {
  /** Lower-cased. */
  readonly name: string
  /** As written, including the bind attribute. Of several with the same name only the first counts. */
  readonly attributes: readonly Attribute[]
  /** The bind attribute with the white space that is removed with it: a finished page has neither. */
  readonly bindSpan: Span
  /** Where ` name="value"` can be inserted: after the last attribute. */
  readonly addAt: number
}

/** `[start, end)` spans from the name to the closing quote; `value` is the span between the quotes. */
export type Attribute = Span & {
  /** Lower-cased. */
  readonly name: string
  readonly value: Span | null
  readonly quote: '"' | "'" | ''
}

/** The API names inserts `op/menu` in reports, and markup `svc/menu`. */
export const REPORTED_PREFIX = 'op/'

/** An insert that prints nothing, including its body if it has one. It is reported and never copied. */
type BrokenNode = Span &
  SourceLocation & {
    readonly type: 'broken'
    /** The name in reports: `op/gallery`. */
    readonly name: string
    readonly reason: BrokenReason
  }

export type BrokenReason = 'unknown_kind' | 'unreadable' | 'unpaired' | 'too_deep'

/**
 * What is wrong with the markup itself. The first ones print nothing where something should be printed: they are errors. The others are
 * warnings.
 */
export const MARKUP_ERRORS = [
  'unknown_insert',
  'unreadable_insert',
  'unpaired_insert',
  'insert_without_input',
  'refused_bind',
  'nul_character',
] as const
type MarkupWarning =
  | 'insert_is_text'
  | 'too_deep'
  | 'unclosed_element'
  | 'unfinished_insert'
  | 'byte_order_mark'
  | 'line_ends'
export type MarkupProblemCode = (typeof MARKUP_ERRORS)[number] | MarkupWarning

/** A problem to report to the author, with its span in the source. `describeProblems` converts it to a sentence. */
export type MarkupProblem = Span & { readonly code: MarkupProblemCode; readonly message: string }

/** The parsed source. */
export type Markup = {
  readonly source: string
  readonly nodes: readonly MarkupNode[]
  readonly hasDoctype: boolean
  readonly hasBody: boolean
  readonly problems: readonly MarkupProblem[]
}

/** Maximum nesting depth of repeats and bound elements. */
export const MAX_NESTING = 100

/** An element with more attributes than this is not bound and stays as written. */
export const MAX_BOUND_ATTRIBUTES = 1000
