import type { Db } from '../db/database.ts'
import { readRows } from '../db/sql.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-options.ts'
import type { FrameGraph } from './graph.ts'
import {
  type OptionRow,
  optionsOf,
  peekCachedGraph,
  VERSIONED_OPTIONS_SQL,
  versionedBindings,
  versionIn,
} from './graph-cache.ts'
import type { Frame } from './lock-frames.ts'
import { metaOption, PAGE_META_KEY, recordOption } from './option-names.ts'
import { makeMeta, readSiteGraph } from './read-graph.ts'
import { decodeMeta, decodeRecord, type FrameMeta, type FrameRecord, isMetaOf } from './record.ts'
import { type FrameName, frameNotFound, readRegistry } from './registry.ts'

/** A frame whole, among the others of its site. */
export type SiteFrame = Frame & {
  readonly graph: FrameGraph
  /** Ids of the pages that stand on it, in order. */
  readonly pages: readonly number[]
}

/**
 * The frame of `{ref}`: in one statement, where the graph that is held is the database's still.
 * @throws AppError `frame_ref_required`, `frame_not_found`, `frame_unreadable`
 */
export async function getFrame(db: Db, site: Site, ref: string): Promise<SiteFrame> {
  const held = peekCachedGraph(db, site)
  const guess = held?.graph.registry.find(ref)
  if (held && guess) {
    const { options, pages } = await readFrameRows(db, site, guess.id)
    if (versionIn(options) === held.version)
      return withGraphAndPages(frameIn(db, options, guess), held.graph, pages)
  }
  const graph = await readSiteGraph(db, site)
  const name = graph.registry.get(ref)
  const { options, pages } = await readFrameRows(db, site, name.id)
  // Deleted since the graph was read, unless it is listed still and has lost its record.
  if (!options.has(recordOption(name.id))) (await readRegistry(db, site)).get(name.id)
  return withGraphAndPages(frameIn(db, options, name), graph, pages)
}

function withGraphAndPages(frame: Frame, graph: FrameGraph, pages: readonly number[]): SiteFrame {
  return { ...frame, graph: withFreshMetas(graph, [frame]), pages }
}

/** The rows of the frame and of the version, in one statement. */
async function readFrameRows(db: Db, site: Site, id: string) {
  const rows = await readRows<OptionRow>(
    db,
    `${VERSIONED_OPTIONS_SQL}
      UNION ALL SELECT :pageKey, post_id FROM :postmeta:
      WHERE meta_key = :pageKey AND meta_value = :id`,
    {
      ...versionedBindings(site, [recordOption(id), metaOption(id)]),
      postmeta: site.tables.postmeta,
      pageKey: PAGE_META_KEY,
      id,
    },
  )
  const pages = rows.filter((row) => row.option_name === PAGE_META_KEY)
  const ids = new Set(pages.map((row) => Number(row.option_value)))
  return { options: optionsOf(rows), pages: [...ids].sort((a, b) => a - b) }
}

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
    .map((name) => frameIn(db, options, name))
}

/**
 * The records of several frames, by id, without those that are not stored.
 * @throws AppError `frame_unreadable` for a damaged record
 */
export async function readRecords(
  db: Db,
  site: Site,
  names: readonly FrameName[],
): Promise<Map<string, FrameRecord>> {
  const options = await readOptions(
    db,
    site,
    names.map(({ id }) => recordOption(id)),
  )
  const records = new Map<string, FrameRecord>()
  for (const { id, slug } of names) {
    const text = options.get(recordOption(id))
    if (text !== undefined) records.set(id, decodeRecord(text, id, slug))
  }
  return records
}

/** A frame whose meta is undefined where none is stored of this record. */
export type StoredFrame = Omit<Frame, 'meta'> & { readonly meta: FrameMeta | undefined }

/**
 * A frame as it is stored; one that is listed and has lost its record is an empty frame.
 * @throws AppError `frame_unreadable` for a damaged record
 */
export async function readStoredFrame(db: Db, site: Site, name: FrameName): Promise<StoredFrame> {
  const { id } = name
  return storedFrameIn(await readOptions(db, site, [recordOption(id), metaOption(id)]), name)
}

/**
 * The frame in these options; a meta that is missing, or not of this record, is made of the markup.
 * @throws AppError `frame_unreadable` for a damaged record
 */
export function frameIn(db: Db, options: ReadonlyMap<string, string>, name: FrameName): Frame {
  const { id, record, meta } = storedFrameIn(options, name)
  return { id, record, meta: meta ?? makeMeta(db, record) }
}

function storedFrameIn(options: ReadonlyMap<string, string>, { id, slug }: FrameName): StoredFrame {
  const record = decodeRecord(options.get(recordOption(id)) ?? '', id, slug)
  const stored = decodeMeta(options.get(metaOption(id)) ?? '')
  return { id, record, meta: stored && isMetaOf(stored, record) ? stored : undefined }
}

/** The graph as these frames of it were read: where an older endpoint wrote a record, the graph has the meta of the one before. */
export function withFreshMetas(graph: FrameGraph, frames: readonly Frame[]): FrameGraph {
  const changed = frames
    .filter(({ id, meta }) => graph.get(id)?.meta.sha256 !== meta.sha256)
    .map(({ id, record: { slug }, meta }) => ({ id, slug, meta }))
  return changed.length === 0 ? graph : graph.with(changed)
}
