import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { AppError } from '../errors.ts'
import { findReferenceConflicts } from '../markup/insert-references.ts'
import {
  createMarkupReport,
  type FrameAliases,
  type MarkupReport,
} from '../markup/markup-report.ts'
import { parseMarkup } from '../markup/parse-markup.ts'
import { findRewrite, type Rewrite } from '../markup/rewrite-references.ts'
import type { Registry } from './registry.ts'

/** 2 MB of UTF-8 (contract, section 8; decisions, section 5). */
export const MAX_MARKUP_BYTES = 2 * 1024 * 1024

/**
 * The markup of a write, unchanged.
 * @throws AppError `frame_html_required`, `frame_too_large` with `max_bytes`, `frame_charset_unsupported` for half a
 * surrogate pair, which UTF-8 can't hold
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
      'The markup holds half a surrogate pair, which is no character. Send characters beyond U+FFFF whole.',
    )
  }
  const bytes = Buffer.byteLength(input)
  if (bytes > MAX_MARKUP_BYTES) {
    throw new AppError(
      'frame_too_large',
      `The markup has ${bytes} bytes; a frame may have ${MAX_MARKUP_BYTES}. Split it into frames that embed one another.`,
      { max_bytes: MAX_MARKUP_BYTES, bytes },
    )
  }
  return input
}

/** Reads the markup of one site's frames. */
export type MarkupAnalyzer = {
  analyze(html: string): Promise<MarkupReport>
  /** What makes the inserts that name the frame `from` name it `to`. */
  rewrite(html: string, from: string, to: string): Promise<Rewrite>
}

/** Reads on this thread, for programs that answer no requests; between two texts other work may run. */
export const INLINE_ANALYZER: MarkupAnalyzer = {
  analyze: async (html) => {
    await nextMacrotask()
    return createMarkupReport(parseMarkup(html))
  },
  rewrite: async (html, from, to) => {
    await nextMacrotask()
    return findRewrite(html, from, to)
  },
}

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
