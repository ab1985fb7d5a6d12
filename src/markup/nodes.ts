import type { Bind } from './parse-binds.ts'

/**
 * The tree of one frame's markup. Every offset counts UTF-16 units of the source, end exclusive, and
 * the spans of siblings touch: whatever is neither insert nor bound element is text, to be copied as
 * it stands. The tree is at most `MAX_NESTING` deep, so walking it by recursion is safe.
 */
export type MarkupNode = TextNode | InsertNode | ElementNode | BrokenNode

export type Span = { readonly start: number; readonly end: number }

/** Where a node starts, for messages: both count from 1, the column in characters (code points). */
export type SourceLocation = { readonly line: number; readonly column: number }

/** What stands between two delimiters: a repeat's body, an element's content. */
export type Content = Span & { readonly nodes: readonly MarkupNode[] }

export type TextNode = Span & { readonly type: 'text' }

export const INSERT_KINDS = [
  'frame',
  'partial',
  'menu',
  'repeat',
  'data',
  'content',
  'lang-switcher',
] as const

export type InsertKind = (typeof INSERT_KINDS)[number]

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json }

/** The JSON of an insert: an object without prototype, at most `MAX_JSON_DEPTH` levels deep. */
export type Params = Readonly<Record<string, Json>>

/** An insert that can be printed. `body` is a paired repeat's, null for everything else. */
export type InsertNode = Span &
  SourceLocation & {
    readonly type: 'insert'
    readonly kind: InsertKind
    readonly params: Params
    /** The JSON text in the source; empty where the insert has none. */
    readonly json: Span
    readonly body: Content | null
  }

/**
 * A bound element. It starts with its open tag, which ends at `content.start`, and ends with its end
 * tag, which starts at `content.end` and is empty where HTML implies it. `content` is null for an
 * element that has none (`<img>`, `<path/>` in SVG).
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
  /** As written, the bind attribute among them; of several with one name only the first counts. */
  readonly attributes: readonly Attribute[]
  /** The bind attribute with the white space that goes when it goes: a finished page has neither. */
  readonly bindSpan: Span
  /** Where ` name="value"` can be added: behind the last attribute. */
  readonly addAt: number
}

/** `[start, end)` reaches from the name to the closing quote; `value` lies between the quotes. */
export type Attribute = Span & {
  /** Lower-cased. */
  readonly name: string
  readonly value: Span | null
  readonly quote: '"' | "'" | ''
}

/** An insert that prints nothing, with the body it may have: reported, never copied. */
export type BrokenNode = Span &
  SourceLocation & {
    readonly type: 'broken'
    /** As reports name it: `op/gallery`. */
    readonly name: string
    readonly reason: BrokenReason
  }

export type BrokenReason = 'unknown_kind' | 'unreadable' | 'unpaired' | 'too_deep'

/** Something to tell the author, at a place in the source. `describeProblems` makes it a sentence. */
export type MarkupProblem = Span & { readonly message: string }

/** What `scan` makes of a source. */
export type Markup = {
  readonly source: string
  readonly nodes: readonly MarkupNode[]
  readonly hasDoctype: boolean
  readonly hasBody: boolean
  readonly problems: readonly MarkupProblem[]
}

/** How deep repeats and bound elements may stand in one another. */
export const MAX_NESTING = 100

/** Attributes of an element that can be bound: one with more is left as it is written. */
export const MAX_BOUND_ATTRIBUTES = 1000
