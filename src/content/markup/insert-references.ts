import { insertOf } from './inserts/all-inserts.ts'
import type { ReferenceKey } from './inserts/insert-definition.ts'
import type { InsertNode, Json } from './nodes.ts'

/** `value` is a slug or a frame's id, trimmed and lower-cased as slugs are. */
export type ReferencePair = { readonly key: ReferenceKey; readonly value: string }

/** The keys of an insert that name a frame, in order of precedence. */
export function listReferences(insert: InsertNode): ReferencePair[] {
  const keys = insertOf(insert).embeds?.keys(insert) ?? []
  return keys
    .map((key) => ({ key, value: readReference(insert.params[key]) }))
    .filter((pair) => pair.value !== '')
}

/**
 * The form in which slugs are stored and looked up. Only ASCII letters are lower-cased: Unicode's rules would convert look-alikes, such as
 * the Kelvin sign, to letters.
 */
export function normalizeSlug(text: string): string {
  // Most texts are normalized: markup of 2 MB names fifty thousand frames, each several times.
  return /[A-Z]/.test(text) ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text
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
