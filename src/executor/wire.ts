import type { Change, Effects, StaticEffect } from '../change.ts'

/** What an executor in another process is asked, as JSON. */
export type ExecutorRequest =
  | { readonly apply: Omit<Change, 'markup'> }
  /** Id of the page. */
  | { readonly render: number }

/** What it answers. */
export type ExecutorResponse =
  | { readonly effects: EncodedEffects }
  /** Null for a page that is not shown. */
  | { readonly html: string | null }

/** Effects as JSON has them. */
export type EncodedEffects = Omit<Effects, 'statics'> & {
  readonly statics: readonly (readonly [number, StaticEffect])[]
}

export function encodeEffects(effects: Effects): EncodedEffects {
  return { ...effects, statics: [...effects.statics] }
}

export function decodeEffects(encoded: EncodedEffects): Effects {
  return { ...encoded, statics: new Map(encoded.statics) }
}
