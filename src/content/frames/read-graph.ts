import type { Db } from '../../db/database.ts'
import { inBatches } from '../../db/sql.ts'
import { forEachYielding } from '../../host/concurrency/for-each.ts'
import { sha256Hex } from '../../host/hash.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOptions, readOptionsMatching } from '../../wordpress/options/read-options.ts'
import { analyzeMarkup } from './frame-markup.ts'
import { FrameGraph, type IndexedFrame } from './graph.ts'
import {
  cacheGraph,
  cachePart,
  findCachedGraph,
  findCachedPart,
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
  summaryOf,
} from './record.ts'
import { type FrameName, type Registry, readRecordTexts, readRegistry } from './registry.ts'

/** For more frames than this, all metas are read by a name pattern instead of by their names. */
const MAX_METAS_BY_NAME = 50
/** Records read at a time if frames have no meta; a record may have 2 MB. */
const RECORD_BATCH_SIZE = 8

/** The graph of a site's frames, from the cache if it is fresh. Reads markup only of frames without a meta. */
export async function readSiteGraph(db: Db, site: Site): Promise<FrameGraph> {
  const version = await readGraphVersion(db, site)
  const cached = findCachedGraph(db, site, version)
  if (cached) return cached
  const graph = await readWholeGraph(db, site, await readRegistry(db, site))
  if (version !== undefined) cacheGraph(db, site, version, graph)
  return graph
}

/** Reads the graph of this registry without using the cache. */
export async function readWholeGraph(db: Db, site: Site, registry: Registry): Promise<FrameGraph> {
  const graph = new FrameGraph(registry, await readIndexedFrames(db, site, registry.all()))
  await graph.indexEmbedders()
  return graph
}

/**
 * A part of the site's graph that contains a frame and all frames it embeds: enough to render a page, on sites with any number of frames.
 * Parts read for other pages are reused while their version is fresh.
 */
export async function readPartialGraph(db: Db, site: Site, rootId: string): Promise<FrameGraph> {
  const version = await readGraphVersion(db, site)
  const cached = findCachedGraph(db, site, version)
  if (cached) return cached
  const known = findCachedPart(db, site, version)
  const registry = known?.registry ?? (await readRegistry(db, site))
  // Concurrent reads use the known frames, which have all frames that they embed. So the new ones become known together.
  const added = new Map<string, IndexedFrame>()
  const isKnown = (id: string): boolean => added.has(id) || known?.frames.has(id) === true
  const missing = (ids: Iterable<string>): FrameName[] =>
    [...new Set(ids)].filter((id) => !isKnown(id)).flatMap((id) => registry.find(id) ?? [])
  for (let wanted = missing([rootId]); wanted.length > 0; ) {
    const read = await readIndexedFrames(db, site, wanted)
    for (const frame of read) added.set(frame.id, frame)
    const refs = read.flatMap(({ meta }) => meta.references)
    wanted = missing(refs.flatMap((ref) => registry.find(ref)?.id ?? []))
  }
  const frames =
    known && added.size === 0 ? known.frames : new Map([...(known?.frames ?? []), ...added])
  // A read that fills the cache is not kept, see `ValidatedReads`.
  if (version !== undefined && frames !== known?.frames)
    cachePart(db, site, version, { registry, frames })
  return new FrameGraph(registry, [...frames.values()])
}

/** Reads the metas of these frames. A missing meta is created from the record. */
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
    const ids = batch.map(({ id }) => id)
    const records = await readRecordTexts(db, site, ids)
    await forEachYielding(batch, ({ id, slug }) => {
      const record = decodeRecordOrEmpty(records.get(id) ?? '', id, slug)
      found.set(id, createMeta(db, record))
    })
  }
  return names.flatMap((name) => {
    const meta = found.get(name.id)
    return meta ? [{ ...name, meta }] : []
  })
}

/** Approximate memory of a summary without its texts, in bytes. */
const CACHED_SUMMARY_BYTES = 512

/** Creates the meta of a record that is stored without one. The analysis of its markup is cached. */
export function createMeta({ cache }: Db, record: FrameRecord): FrameMeta {
  const key = `markup ${sha256Hex(record.html)}`
  const cached = cache.get(key) as MarkupSummary | undefined
  if (cached) return metaOf(record, cached)
  const meta = metaOf(record, analyzeMarkup(record.html))
  const summary = summaryOf(meta)
  cache.set(key, summary, { size: CACHED_SUMMARY_BYTES + JSON.stringify(summary).length })
  return meta
}
