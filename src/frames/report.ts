import { AppError } from '../errors.ts'
import { type FrameAliases, type MarkupReport, createMarkupReport } from '../markup/markup-report.ts'
import { findReferenceConflicts } from '../markup/insert-references.ts'
import { parseMarkup } from '../markup/parse-markup.ts'
import type { Registry } from './registry.ts'

/** What the markup itself tells of a frame. */
export function analyzeMarkup(html: string): MarkupReport {
  return createMarkupReport(parseMarkup(html))
}

/**
 * The slugs of the frames that references name, sorted, each once; what names no frame stays as it was written.
 * @returns `frame_refs`, and which of them there is no frame for
 */
export function resolveReferences(
  references: readonly string[],
  registry: Registry,
): { frame_refs: string[]; frame_refs_missing: string[] } {
  const refs = new Set(references.map((ref) => registry.find(ref)?.slug ?? ref))
  const frame_refs = [...refs].sort()
  return { frame_refs, frame_refs_missing: frame_refs.filter((ref) => !registry.find(ref)) }
}

/** @throws AppError `frame_ref_conflict` where the keys of one insert name different frames (contract, section 4.1.2) */
export function assertReferencesAgree(aliases: readonly FrameAliases[], registry: Registry): void {
  const idOf = (ref: string) => registry.find(ref)?.id ?? ref
  for (const { pairs, line, column } of aliases) {
    const conflicts = findReferenceConflicts(pairs, (a, b) => idOf(a) === idOf(b))
    if (conflicts.length > 0) {
      throw new AppError(
        'frame_ref_conflict',
        `The insert at line ${line}, column ${column} names different frames. Leave one of its keys.`,
        { conflicts, line, column },
      )
    }
  }
}
