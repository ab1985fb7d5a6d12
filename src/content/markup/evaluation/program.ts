import type { UnresolvedBindReason } from '../../../host/effects.ts'
import { excerptOf } from '../excerpt.ts'
import type { Json, Params, SourceLocation } from '../nodes.ts'
import type { Path } from '../value-path.ts'

/**
 * Compiled markup of a frame: text to copy, and instructions in between. Programs are plain data, so that instructions that need the page
 * can be stored in a baked copy and evaluated later. Their field names are part of the stored format (`FORMAT` in baked-copy.ts).
 */
export type Program = readonly Instruction[]

export type Instruction = string | Insert | BoundElement

/** An instruction that can be deferred until the page is known. */
export type DeferredNode = Insert | BoundAttribute | BoundContent | ElementConditions

export type Insert = {
  readonly op: 'insert'
  /** One of the `kinds` of an insert in `INSERTS`. */
  readonly kind: string
  /** The parameters as written. If the insert passes properties to a frame, only these: the keys that name the frame are removed. */
  readonly params: Params
  /** The value to read; null if the insert reads none or names none. */
  readonly path: Path | null
  /** Slug or id of the embedded frame; '' if none. */
  readonly ref: string
  /** Body of a paired repeat. */
  readonly body: Program | null
  /** The `id` attribute of a menu's list, assigned before the menu is deferred: ids are numbered in page order. */
  readonly listId?: string
  readonly at: SourceLocation
}

export type BoundElement = {
  readonly op: 'element'
  /** The open tag without the bind attribute. */
  readonly open: readonly (string | BoundAttribute)[]
  readonly conditions: ElementConditions
  readonly content: BoundContent | null
  readonly body: Program
  readonly close: string
  /** Binds that are invalid whatever the values are. */
  readonly refused: readonly { readonly written: string; readonly reason: UnresolvedBindReason }[]
  readonly at: SourceLocation
}

/** A path in a bind. `written` is the bind as written, shortened for reports. */
export type BoundPath = {
  readonly path: Path
  readonly written: string
  readonly at: SourceLocation
}

/** The element is dropped if the value of any condition is empty. */
export type ElementConditions = { readonly op: 'if'; readonly all: readonly Condition[] }

/** The element is printed if the value is not empty; a negated one, if it is. */
export type Condition = BoundPath & { readonly isNegated?: true }

export type BoundContent = BoundPath & { readonly op: 'content'; readonly html: boolean }

export type BoundAttribute = BoundPath & {
  readonly op: 'attribute'
  /** Lower-cased. */
  readonly name: string
  /** Text before the quoted value: ` href=` or `href=`. */
  readonly prefix: string
  /** Fallback if there is no value: the attribute as written, or ''. */
  readonly otherwise: string
}

/** A value that markup can print or iterate over. */
export type Value = Json | undefined

/** The `source` parameter as written, shortened for reports. */
export function sourceName({ source }: Params): string {
  return excerptOf(typeof source === 'string' ? source : JSON.stringify(source ?? ''))
}
