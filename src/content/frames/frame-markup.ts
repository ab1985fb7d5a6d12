import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { AppError } from '../../host/errors.ts'
import { findReferenceConflicts } from '../markup/insert-references.ts'
import {
  createMarkupReport,
  type FrameAliases,
  type MarkupReport,
} from '../markup/markup-report.ts'
import { parseMarkup } from '../markup/parse-markup.ts'
import { findRewrite, type Renames, type Rewrite } from '../markup/rewrite-references.ts'
import type { Registry } from './registry.ts'

/** 2 MB of UTF-8. */
export const MAX_MARKUP_BYTES = 2 * 1024 * 1024

/**
 * Validates the markup of a write and returns it unchanged.
 * @throws AppError `frame_html_required`, `frame_too_large` with `max_bytes`, `frame_charset_unsupported` for an unpaired surrogate, which
 * UTF-8 cannot encode
 */
export function parseMarkupInput(input: unknown): string {
  if (typeof input !== 'string') {
    throw new AppError(
      'frame_html_required',
      'The markup is missing. Send it as a string in "html".',
    )
  }
  if (!input.isWellFormed()) {
    throw new AppError(
      'frame_charset_unsupported',
      'The markup contains an unpaired surrogate. Send valid Unicode.',
    )
  }
  const bytes = Buffer.byteLength(input)
  if (bytes > MAX_MARKUP_BYTES) {
    throw new AppError(
      'frame_too_large',
      `The markup has ${bytes} bytes; the limit is ${MAX_MARKUP_BYTES}. Split it into several frames.`,
      { max_bytes: MAX_MARKUP_BYTES, bytes },
    )
  }
  return input
}

/**
 * Validates the new markup of a frame. A frame that is already empty can stay so.
 * @throws AppError `frame_html_required` for an empty text, which would empty the frame's pages, and the errors of `parseMarkupInput`
 */
export function parseNewMarkup(input: unknown): string {
  if (input !== '') return parseMarkupInput(input)
  throw new AppError(
    'frame_html_required',
    'The markup is empty, which would empty all pages of the frame. Send markup, or delete the frame.',
  )
}

/** Analyzes and rewrites the markup of a site's frames. */
export type MarkupAnalyzer = {
  analyze(html: string): Promise<MarkupReport>
  /** The edits that make references name renamed frames by their new slugs. */
  rewrite(html: string, renames: Renames): Promise<Rewrite>
}

/** Analyzes on the current thread, for processes that serve no requests. Yields to the event loop between two texts. */
export const INLINE_ANALYZER: MarkupAnalyzer = {
  analyze: async (html) => {
    await nextMacrotask()
    return analyzeMarkup(html)
  },
  rewrite: async (html, renames) => {
    await nextMacrotask()
    return findRewrite(html, renames)
  },
}

export function analyzeMarkup(html: string): MarkupReport {
  return createMarkupReport(parseMarkup(html))
}

/** Resolves references to slugs, sorted and without duplicates. References without a frame remain as written. */
export function resolveReferences(
  references: readonly string[],
  registry: Registry,
): { frame_refs: string[]; frame_refs_missing: string[] } {
  const refs = new Set(references.map((ref) => registry.find(ref)?.slug ?? ref))
  const frame_refs = [...refs].sort()
  return { frame_refs, frame_refs_missing: frame_refs.filter((ref) => !registry.find(ref)) }
}

/** @throws AppError `frame_ref_conflict` if the keys of one insert name different frames */
export function assertReferencesAgree(aliases: readonly FrameAliases[], registry: Registry): void {
  const idOf = (ref: string) => registry.find(ref)?.id ?? ref
  for (const { pairs, line, column } of aliases) {
    const conflicts = findReferenceConflicts(pairs, (a, b) => idOf(a) === idOf(b))
    if (conflicts.length > 0) {
      throw new AppError(
        'frame_ref_conflict',
        `The insert at line ${line}, column ${column} names different frames. Keep only one of its keys.`,
        { conflicts, line, column },
      )
    }
  }
}
