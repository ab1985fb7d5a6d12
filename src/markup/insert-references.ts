import type { InsertNode, Json } from './nodes.ts'
import { type Path, parsePath } from './value-path.ts'

/** What a frame is named by: `name`, or its aliases, in the order in which they count. */
export const REFERENCE_KEYS = ['name', 'ref', 'frame', 'slug', 'id'] as const

export type ReferenceKey = (typeof REFERENCE_KEYS)[number]

/** `value` is a slug or the id of a frame, trimmed and lower-cased as slugs are. */
export type ReferencePair = { readonly key: ReferenceKey; readonly value: string }

/**
 * The keys of an insert that name a frame, the one that counts first: of `svc/frame` and
 * `svc/partial` all of `REFERENCE_KEYS`, of a self-closing `svc/repeat` its `frame`.
 */
export function listReferences({ kind, params, body }: InsertNode): ReferencePair[] {
  const keys: readonly ReferenceKey[] =
    kind === 'frame' || kind === 'partial'
      ? REFERENCE_KEYS
      : kind === 'repeat' && body === null
        ? ['frame']
        : []
  return keys
    .map((key) => ({ key, value: readReference(params[key]) }))
    .filter((pair) => pair.value !== '')
}

/** The frame a reference's value names, in the form to compare; empty when it names none. */
export function readReference(value: Json | undefined): string {
  return typeof value === 'string' ? value.trim().toLowerCase() : ''
}

/**
 * The pairs of one insert when they name different frames (`frame_ref_conflict`, contract 4.1.2), else
 * none. `isSameFrame` knows which id and which slug are one frame's.
 */
export function findReferenceConflicts(
  pairs: readonly ReferencePair[],
  isSameFrame: (a: string, b: string) => boolean,
): readonly ReferencePair[] {
  const first = pairs[0]?.value ?? ''
  const agree = pairs.every(({ value }) => value === first || isSameFrame(first, value))
  return agree ? [] : pairs
}

/** The value an insert reads; undefined when it reads none, or names none that can exist. */
export function findInsertPath({ kind, params }: InsertNode): Path | undefined {
  switch (kind) {
    case 'menu':
      return parseName(params.location, 'menu.')
    case 'repeat':
    case 'data':
      return parseName(params.source, '')
    case 'content':
      return parsePath('page.content')
    case 'lang-switcher':
      return parsePath('languages')
    case 'frame':
    case 'partial':
      return undefined
  }
}

function parseName(name: Json | undefined, prefix: string): Path | undefined {
  return typeof name === 'string' ? parsePath(prefix + name.trim()) : undefined
}
