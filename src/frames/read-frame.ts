import type { Db } from '../db/database.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-option.ts'
import type { Frame } from './lock-frames.ts'
import { decodeMeta, metaOf } from './meta.ts'
import { metaOption, recordOption } from './option-names.ts'
import { decodeRecord } from './record.ts'
import type { FrameName } from './registry.ts'
import { readMarkup } from './report.ts'

/** A frame's record and meta; a meta that is missing is made of the markup. */
export async function readFrame(db: Db, site: Site, name: FrameName): Promise<Frame> {
  const [frame] = await readFrames(db, site, [name])
  if (!frame) throw new Error(`no frame was read for ${name.id}`)
  return frame
}

/**
 * Several frames in one statement, in the order asked.
 * @throws AppError `frame_unreadable` for a damaged record
 */
export async function readFrames(
  db: Db,
  site: Site,
  names: readonly FrameName[],
): Promise<Frame[]> {
  const options = await readOptions(
    db,
    site,
    names.flatMap(({ id }) => [recordOption(id), metaOption(id)]),
  )
  return names.map((name) => frameIn(options, name))
}

/**
 * The frame in these options.
 * @throws AppError `frame_unreadable` for a damaged record
 */
export function frameIn(options: ReadonlyMap<string, string>, { id, slug }: FrameName): Frame {
  const record = decodeRecord(options.get(recordOption(id)) ?? '', id, slug)
  const meta = decodeMeta(options.get(metaOption(id)) ?? '')
  return { id, record, meta: meta ?? metaOf(record, readMarkup(record.html)) }
}
