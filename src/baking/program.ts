import type { UnresolvedBindReason } from '../change.ts'
import { excerptOf } from '../markup/excerpt.ts'
import type { InsertKind, Json, Params, SourceLocation } from '../markup/nodes.ts'
import type { Path } from '../markup/value-path.ts'

/**
 * A frame's markup, compiled: text that is copied, and what is to be done between. It is data, so that what can't
 * be done before the page is known can be stored in a baked copy and done later.
 */
export type Program = readonly Instruction[]

export type Instruction = string | Insert | BoundElement

/** What may have to wait for the page. */
export type DeferredNode = Insert | BoundAttribute | BoundContent | Conditions

export type Insert = {
  readonly op: 'insert'
  readonly kind: InsertKind
  /** As they were written; of an embedded frame without the keys that name it: its properties. */
  readonly params: Params
  /** The value it reads, where it reads one that can be named. */
  readonly path: Path | null
  /** The frame it embeds, by slug or id; '' for none. */
  readonly ref: string
  /** A paired repeat's body. */
  readonly body: Program | null
  /** The id of a menu's list, given when it was put off: lists are numbered in the order of the page. */
  readonly listId?: string
  readonly at: SourceLocation
}

export type BoundElement = {
  readonly op: 'element'
  /** The open tag without its bind attribute. */
  readonly open: readonly (string | BoundAttribute)[]
  readonly conditions: Conditions
  readonly content: BoundContent | null
  readonly body: Program
  readonly close: string
  /** Binds that the markup itself rules out. */
  readonly refused: readonly { readonly written: string; readonly reason: UnresolvedBindReason }[]
  readonly at: SourceLocation
}

/** A path as it stands in a bind. `written` is cut to what a report can quote. */
export type BoundPath = {
  readonly path: Path
  readonly written: string
  readonly at: SourceLocation
}

/** What they stand above is dropped where one of them is empty. */
export type Conditions = { readonly op: 'if'; readonly all: readonly BoundPath[] }

export type BoundContent = BoundPath & { readonly op: 'content'; readonly html: boolean }

export type BoundAttribute = BoundPath & {
  readonly op: 'attribute'
  /** Lower-cased. */
  readonly name: string
  /** What precedes the value when there is one: ` href=` or `href=`. */
  readonly prefix: string
  /** What stands there where there is no value: the attribute as it was written, or nothing. */
  readonly otherwise: string
}

/** A value that markup can print or go through. */
export type Value = Json | undefined

/** The `source` of an insert as it was written, short enough for a report. */
export function sourceName({ source }: Params): string {
  return excerptOf(typeof source === 'string' ? source : JSON.stringify(source ?? ''))
}
