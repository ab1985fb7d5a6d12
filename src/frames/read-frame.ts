import type { Db } from '../db/database.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-option.ts'
import type { FrameGraph } from './graph.ts'
import type { Frame } from './lock-frames.ts'
import { decodeMeta, isMetaOf, metaOf } from './meta.ts'
import { metaOption, recordOption } from './option-names.ts'
import { decodeRecord } from './record.ts'
import { type FrameName, frameNotFound, readRegistry } from './registry.ts'
import { readMarkup } from './report.ts'

/**
 * A frame's record and meta; a meta that is missing, or not of this record, is made of the markup.
 * @throws AppError `frame_not_found` for one that was deleted since its name was read, `frame_unreadable` for a damaged record
 */
export async function readFrame(db: Db, site: Site, name: FrameName): Promise<Frame> {
  const [frame] = await readFrames(db, site, [name])
  if (!frame) throw frameNotFound()
  return frame
}

/**
 * Several frames in one statement, in the order asked, without those that were deleted since their names were read. One that is listed
 * still and has lost its record is an empty frame.
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
  const isStored = ({ id }: FrameName) => options.has(recordOption(id))
  const listed = names.every(isStored) ? undefined : await readRegistry(db, site)
  return names
    .filter((name) => isStored(name) || listed?.find(name.id))
    .map((name) => frameIn(options, name))
}

/**
 * The frame in these options.
 * @throws AppError `frame_unreadable` for a damaged record
 */
export function frameIn(options: ReadonlyMap<string, string>, { id, slug }: FrameName): Frame {
  const record = decodeRecord(options.get(recordOption(id)) ?? '', id, slug)
  const stored = decodeMeta(options.get(metaOption(id)) ?? '')
  const meta = stored && isMetaOf(stored, record) ? stored : undefined
  return { id, record, meta: meta ?? metaOf(record, readMarkup(record.html)) }
}

/** The graph as these frames of it were read: where an older endpoint wrote a record, the graph has the meta of the one before. */
export function graphAsRead(graph: FrameGraph, frames: readonly Frame[]): FrameGraph {
  const changed = frames
    .filter(({ id, meta }) => graph.get(id)?.meta.sha256 !== meta.sha256)
    .map(({ id, record: { slug }, meta }) => ({ id, slug, meta }))
  return changed.length === 0 ? graph : graph.with(changed)
}
