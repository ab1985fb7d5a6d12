import { forEachYielding } from '../concurrency/for-each.ts'
import type { Db } from '../db/database.ts'
import { inBatches } from '../db/sql.ts'
import { sha256Hex } from '../hash.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions, readOptionsMatching } from '../wordpress/options/read-options.ts'
import { analyzeMarkup } from './frame-markup.ts'
import { FrameGraph, type IndexedFrame } from './graph.ts'
import {
  cacheGraph,
  cachePart,
  type GraphPart,
  getCachedGraph,
  getCachedPart,
  readGraphVersion,
} from './graph-cache.ts'
import { metaOption, recordOption } from './option-names.ts'
import {
  decodeMeta,
  decodeRecordOrEmpty,
  type FrameMeta,
  type FrameRecord,
  type MarkupSummary,
  metaOf,
} from './record.ts'
import { type FrameName, type Registry, readRegistry } from './registry.ts'

/** Above this many frames their metas are read by the pattern of their names and not one by one. */
const MAX_METAS_BY_NAME = 50
/** Records that are read at a time where frames have no meta: each may have megabytes. */
const RECORD_BATCH_SIZE = 8

/**
 * The frames of a site as they stand now. A graph that was read before is taken again while its version is the
 * database's; no markup is read, but for frames without a meta.
 */
export async function readSiteGraph(db: Db, site: Site): Promise<FrameGraph> {
  const version = await readGraphVersion(db, site)
  const held = getCachedGraph(db, site, version)
  if (held) return held
  const graph = await readWholeGraph(db, site, await readRegistry(db, site))
  if (version !== undefined) cacheGraph(db, site, version, graph)
  return graph
}

/** All frames of this registry with their metas, whatever is held. */
export async function readWholeGraph(db: Db, site: Site, registry: Registry): Promise<FrameGraph> {
  return new FrameGraph(registry, await readIndexedFrames(db, site, registry.all()))
}

/**
 * The part of a site's graph below one frame: what rendering a page needs, however many frames the site has. What was read for other pages is
 * taken again while its version is the database's.
 */
export async function readPartialGraph(db: Db, site: Site, rootId: string): Promise<FrameGraph> {
  const version = await readGraphVersion(db, site)
  const held = getCachedGraph(db, site, version)
  if (held) return held
  const part: GraphPart = getCachedPart(db, site, version) ?? {
    registry: await readRegistry(db, site),
    frames: new Map(),
  }
  const { registry, frames } = part
  const missing = (ids: Iterable<string>): FrameName[] =>
    [...new Set(ids)].filter((id) => !frames.has(id)).flatMap((id) => registry.find(id) ?? [])
  for (let wanted = missing([rootId]); wanted.length > 0; ) {
    const read = await readIndexedFrames(db, site, wanted)
    for (const frame of read) frames.set(frame.id, frame)
    const refs = read.flatMap(({ meta }) => meta.references)
    wanted = missing(refs.flatMap((ref) => registry.find(ref)?.id ?? []))
  }
  if (version !== undefined) cachePart(db, site, version, part)
  return new FrameGraph(registry, [...frames.values()])
}

/** These frames with their metas; the meta of a frame without one is made of its record. */
async function readIndexedFrames(
  db: Db,
  site: Site,
  names: readonly FrameName[],
): Promise<IndexedFrame[]> {
  const metas =
    names.length > MAX_METAS_BY_NAME
      ? await readOptionsMatching(
          db,
          site,
          recordOption(''),
          metaOption('').slice(recordOption('').length),
        )
      : await readOptions(
          db,
          site,
          names.map(({ id }) => metaOption(id)),
        )
  const found = new Map<string, FrameMeta>()
  for (const { id } of names) {
    const meta = decodeMeta(metas.get(metaOption(id)) ?? '')
    if (meta) found.set(id, meta)
  }
  const missing = names.filter(({ id }) => !found.has(id))
  for (const batch of inBatches(missing, RECORD_BATCH_SIZE)) {
    const options = batch.map(({ id }) => recordOption(id))
    const records = await readOptions(db, site, options)
    await forEachYielding(batch, ({ id, slug }) => {
      const record = decodeRecordOrEmpty(records.get(recordOption(id)) ?? '', id, slug)
      found.set(id, makeMeta(db, record))
    })
  }
  return names.flatMap((name) => {
    const meta = found.get(name.id)
    return meta ? [{ ...name, meta }] : []
  })
}

/** Bytes that a summary takes in memory beside its texts, roughly. */
const CACHED_SUMMARY_BYTES = 512

/** The meta of a record that is stored without one. Its markup is scanned once while the process remembers what was found. */
export function makeMeta({ cache }: Db, record: FrameRecord): FrameMeta {
  const key = `markup ${sha256Hex(record.html)}`
  const known = cache.get(key) as MarkupSummary | undefined
  if (known) return metaOf(record, known)
  const meta = metaOf(record, analyzeMarkup(record.html))
  const { inserts, sources, references, binds, live_reasons } = meta
  const summary: MarkupSummary = { inserts, sources, references, binds, live_reasons }
  cache.set(key, summary, { size: CACHED_SUMMARY_BYTES + JSON.stringify(summary).length })
  return meta
}
