import type { Db } from '../db/database.ts'
import { type FrameMeta, type FrameRecord, type MarkupSummary, metaOf, sha256Of } from './record.ts'
import { analyzeMarkup } from './report.ts'

/** Bytes that a summary takes in memory beside its texts, roughly. */
const CACHED_SUMMARY_BYTES = 512

/** The meta of a record that is stored without one. Its markup is scanned once while the process remembers what was found. */
export function makeMeta({ memory }: Db, record: FrameRecord): FrameMeta {
  const key = `markup ${sha256Of(record.html)}`
  const known = memory.get(key) as MarkupSummary | undefined
  if (known) return metaOf(record, known)
  const meta = metaOf(record, analyzeMarkup(record.html))
  const { inserts, sources, references, binds, live_reasons } = meta
  const summary: MarkupSummary = { inserts, sources, references, binds, live_reasons }
  memory.set(key, summary, { size: CACHED_SUMMARY_BYTES + JSON.stringify(summary).length })
  return meta
}
