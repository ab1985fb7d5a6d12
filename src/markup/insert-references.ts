import type { InsertNode, Json } from './nodes.ts'
import { type Path, parsePath } from './value-path.ts'

/** The keys that name a frame: `name`, or one of its aliases, in order of precedence. */
export const REFERENCE_KEYS = ['name', 'ref', 'frame', 'slug', 'id'] as const

type ReferenceKey = (typeof REFERENCE_KEYS)[number]

/** `value` is a slug or a frame's id, trimmed and lower-cased as slugs are. */
export type ReferencePair = { readonly key: ReferenceKey; readonly value: string }

/**
 * The keys of an insert that name a frame, in order of precedence: all of `REFERENCE_KEYS` for `svc/frame` and `svc/partial`, `frame` for a
 * self-closing `svc/repeat`.
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

/**
 * The form in which slugs are stored and looked up. Only ASCII letters are lower-cased: Unicode's rules would convert look-alikes, such as
 * the Kelvin sign, to letters.
 */
export function normalizeSlug(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** The frame that a reference's value names, normalized for comparison; empty if it names none. */
export function readReference(value: Json | undefined): string {
  return typeof value === 'string' ? normalizeSlug(value.trim()) : ''
}

/**
 * The pairs of one insert if they name different frames (`frame_ref_conflict`), else none. `isSameFrame` compares ids and
 * slugs.
 */
export function findReferenceConflicts(
  pairs: readonly ReferencePair[],
  isSameFrame: (a: string, b: string) => boolean,
): readonly ReferencePair[] {
  const first = pairs[0]?.value ?? ''
  const agree = pairs.every(({ value }) => value === first || isSameFrame(first, value))
  return agree ? [] : pairs
}

/** The value that an insert reads; undefined if it reads none, or its path is invalid. */
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
