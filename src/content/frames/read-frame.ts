import type { Db } from '../../db/database.ts'
import { readRows } from '../../db/sql.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type OptionRow, readOptions } from '../../wordpress/options/read-options.ts'
import type { FrameGraph } from './graph.ts'
import {
  optionsOf,
  peekCachedGraph,
  VERSIONED_OPTIONS_SQL,
  versionedBindings,
  versionIn,
} from './graph-cache.ts'

import { metaOption, PAGE_META_KEY, recordOption } from './option-names.ts'
import { createMeta, readSiteGraph } from './read-graph.ts'
import {
  decodeMeta,
  decodeRecord,
  type Frame,
  type FrameMeta,
  type FrameRecord,
  isMetaOf,
} from './record.ts'
import { type FrameName, frameNotFound, readRecordTexts, readRegistry } from './registry.ts'

type FrameInGraph = Frame & {
  readonly graph: FrameGraph
  /** Ids of the pages that use the frame, ascending. */
  readonly pages: readonly number[]
}

/**
 * Reads a frame, the site's graph and the frame's pages. Takes one statement if the cached graph is fresh.
 * @param ref id or slug
 * @throws AppError `frame_ref_required`, `frame_not_found`, `frame_unreadable`
 */
export async function getFrame(db: Db, site: Site, ref: string): Promise<FrameInGraph> {
  const cached = peekCachedGraph(db, site)
  const guess = cached?.graph.registry.find(ref)
  if (cached && guess) {
    const { options, pages } = await readFrameRows(db, site, guess.id)
    if (versionIn(options) === cached.version)
      return withGraphAndPages(frameIn(db, options, guess), cached.graph, pages)
  }
  const graph = await readSiteGraph(db, site)
  const name = graph.registry.get(ref)
  const { options, pages } = await readFrameRows(db, site, name.id)
  // Without a record, the frame was deleted since the graph was read, unless the registry still lists it.
  if (!options.has(recordOption(name.id))) (await readRegistry(db, site)).get(name.id)
  return withGraphAndPages(frameIn(db, options, name), graph, pages)
}

function withGraphAndPages(
  frame: Frame,
  graph: FrameGraph,
  pages: readonly number[],
): FrameInGraph {
  return { ...frame, graph: withFreshMetas(graph, [frame]), pages }
}

/** Reads the frame's options, its pages and the version options in one statement. */
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
 * Reads a frame. A missing or stale meta is created from the markup.
 * @throws AppError `frame_not_found` if the frame was deleted since its name was read, `frame_unreadable` if the record is damaged
 */
export async function readFrame(db: Db, site: Site, name: FrameName): Promise<Frame> {
  const [frame] = await readFrames(db, site, [name])
  if (!frame) throw frameNotFound(name.slug)
  return frame
}

/**
 * Reads several frames in one statement, in the given order. Omits frames that were deleted since their names were read. A frame that the
 * registry still lists but that has lost its record is returned as an empty frame.
 * @throws AppError `frame_unreadable` if a record is damaged
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
 * Reads the records of several frames, by id. Omits missing ones.
 * @throws AppError `frame_unreadable` if a record is damaged
 */
export async function readRecords(
  db: Db,
  site: Site,
  names: readonly FrameName[],
): Promise<Map<string, FrameRecord>> {
  const slugs = new Map(names.map(({ id, slug }) => [id, slug]))
  const texts = await readRecordTexts(db, site, [...slugs.keys()])
  return new Map([...texts].map(([id, text]) => [id, decodeRecord(text, id, slugs.get(id) ?? id)]))
}

type RecordAndMeta = {
  readonly record: FrameRecord
  /** Undefined if it is missing or stale. */
  readonly meta: FrameMeta | undefined
}

/**
 * Reads the record of a frame and its stored meta. A missing record is returned as an empty one.
 * @throws AppError `frame_unreadable` if the record is damaged
 */
export async function readRecordAndMeta(
  db: Db,
  site: Site,
  name: FrameName,
): Promise<RecordAndMeta> {
  const { id } = name
  return recordAndMetaIn(await readOptions(db, site, [recordOption(id), metaOption(id)]), name)
}

function frameIn(db: Db, options: ReadonlyMap<string, string>, name: FrameName): Frame {
  const { record, meta } = recordAndMetaIn(options, name)
  return { id: name.id, record, meta: meta ?? createMeta(db, record) }
}

function recordAndMetaIn(
  options: ReadonlyMap<string, string>,
  { id, slug }: FrameName,
): RecordAndMeta {
  const record = decodeRecord(options.get(recordOption(id)) ?? '', id, slug)
  const meta = decodeMeta(options.get(metaOption(id)) ?? '')
  return { record, meta: meta && isMetaOf(meta, record) ? meta : undefined }
}

/** The graph with the metas of these frames. The graph's own are stale if the legacy endpoint has written the records. */
export function withFreshMetas(graph: FrameGraph, frames: readonly Frame[]): FrameGraph {
  const changed = frames
    .filter(({ id, meta }) => graph.get(id)?.meta.sha256 !== meta.sha256)
    .map(({ id, record: { slug }, meta }) => ({ id, slug, meta }))
  return changed.length === 0 ? graph : graph.with(changed)
}
