import { createHash } from 'node:crypto'
import type { MarkupReport } from '../markup/markup-report.ts'
import type { FrameRecord } from './record.ts'

/**
 * What lists and the dependency graph need of a frame, kept beside its record so that no markup is read for it
 * (decisions, section 5). JSON: our own, and read two thousand at a time.
 */
export type FrameMeta = {
  readonly bytes: number
  readonly sha256: string
  readonly inserts: Readonly<Record<string, number>>
  readonly sources: readonly string[]
  /** What the markup embeds, as it names it: slugs and ids. */
  readonly references: readonly string[]
  readonly binds: number
  /** Why the markup itself needs the page, a string each. */
  readonly live_reasons: readonly string[]
  readonly created_at_gmt: string
  readonly updated_at_gmt: string
  readonly updated_by: number
}

/** What the meta has of the report of a frame's markup. */
export type MarkupSummary = Pick<
  MarkupReport,
  'inserts' | 'sources' | 'references' | 'binds' | 'live_reasons'
>

/** The meta of a record whose markup has this report. */
export function metaOf(record: FrameRecord, report: MarkupSummary): FrameMeta {
  return {
    bytes: Buffer.byteLength(record.html),
    sha256: sha256Of(record.html),
    inserts: report.inserts,
    sources: report.sources,
    references: report.references,
    binds: report.binds,
    live_reasons: report.live_reasons,
    created_at_gmt: record.created_at_gmt,
    updated_at_gmt: record.updated_at_gmt,
    updated_by: record.updated_by,
  }
}

/** Does the meta tell of this record as it is? An older endpoint writes the record alone. */
export function isMetaOf(meta: FrameMeta, record: FrameRecord): boolean {
  return (
    meta.bytes === Buffer.byteLength(record.html) &&
    meta.created_at_gmt === record.created_at_gmt &&
    meta.updated_at_gmt === record.updated_at_gmt &&
    meta.updated_by === record.updated_by &&
    meta.sha256 === sha256Of(record.html)
  )
}

/** The meta in an option's text; undefined for one that was left by something else and has to be made anew. */
export function decodeMeta(text: string): FrameMeta | undefined {
  try {
    const meta: FrameMeta = JSON.parse(text)
    return Array.isArray(meta.references) && Array.isArray(meta.live_reasons) ? meta : undefined
  } catch {
    return undefined
  }
}

/** The digest that identifies markup. */
export const sha256Of = (html: string): string => createHash('sha256').update(html).digest('hex')
