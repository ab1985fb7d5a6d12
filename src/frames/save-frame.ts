import { isCharsetMismatch } from '../db/database-error.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Site } from '../wordpress/network/site.ts'
import { writeOptions } from '../wordpress/options/write-option.ts'
import { type FrameMeta, metaOf } from './meta.ts'
import { metaOption, recordOption } from './option-names.ts'
import { encodeRecord, type FrameRecord } from './record.ts'
import { readMarkup } from './report.ts'

/** A frame whole: what `GET /frames/{ref}` and the write verbs give. */
export type Frame = { readonly id: string; readonly record: FrameRecord; readonly meta: FrameMeta }

/**
 * Writes a frame's record and its meta. The caller holds the registry.
 * @throws AppError `frame_charset_unsupported` where the table's character set can't hold the markup
 */
export async function saveFrame(
  tx: Tx,
  site: Site,
  id: string,
  record: FrameRecord,
  report = readMarkup(record.html),
): Promise<Frame> {
  const meta = metaOf(record, report)
  const options = [
    { name: recordOption(id), value: encodeRecord(record) },
    { name: metaOption(id), value: JSON.stringify(meta) },
  ]
  try {
    await writeOptions(tx, site, options, 'off')
  } catch (error) {
    if (!isCharsetMismatch(error)) throw error
    throw new AppError(
      'frame_charset_unsupported',
      "This site's tables can't hold a character of the markup (an emoji, for instance). Write it as an entity such as &#x1F600;, or convert the table to utf8mb4.",
    )
  }
  return { id, record, meta }
}
