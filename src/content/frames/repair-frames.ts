import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../host/errors.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { deleteOptions, writeOptions } from '../../wordpress/options/write-options.ts'
import { INLINE_ANALYZER } from './frame-markup.ts'
import { newVersionNonce } from './graph-cache.ts'
import { lockFrames } from './lock-frames.ts'
import { metaOption, VERSION_OPTION } from './option-names.ts'
import { type InspectedRecord, inspectRecord } from './record.ts'
import { lockRegistry, readRecordTexts } from './registry.ts'
import { findSlug } from './slug.ts'

/**
 * Rewrites frames from their records: registry entry, record in the current format, and meta. Markup, times and authors do not change. A
 * frame that the registry does not list gets the slug in its record if that is free, else its id. Missing and damaged records are skipped.
 */
export async function restoreFrames(tx: Tx, site: Site, ids: readonly string[]): Promise<void> {
  const frames = await lockFrames(tx, site)
  const records = await readRecordTexts(tx, site, ids)
  for (const id of ids) {
    const { registry } = frames.graph
    const found = registry.find(id)
    const listedSlug = found?.id === id ? found.slug : undefined
    const inspected = tryInspectRecord(records.get(id), id, listedSlug ?? id)
    if (!inspected) continue
    const storedSlug = findSlug(inspected.storedSlug)
    const isFree = storedSlug !== undefined && !registry.find(storedSlug)
    const slug = listedSlug ?? (isFree ? storedSlug : id)
    const record = { ...inspected.record, slug }
    frames.stage(id, record, await INLINE_ANALYZER.analyze(record.html))
  }
  await frames.flush()
}

function tryInspectRecord(
  text: string | undefined,
  id: string,
  slug: string,
): InspectedRecord | undefined {
  try {
    return text === undefined ? undefined : inspectRecord(text, id, slug)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** Deletes the metas and baked copies of frames that are not listed and have no record. */
export async function deleteOrphanedOptions(
  tx: Tx,
  site: Site,
  ids: readonly string[],
): Promise<void> {
  const frames = await lockFrames(tx, site)
  const records = await readRecordTexts(tx, site, ids)
  const listed = new Set(frames.graph.registry.all().map(({ id }) => id))
  for (const id of ids) {
    if (!listed.has(id) && !records.has(id)) frames.stageRemoval(id)
  }
  await frames.flush()
}

/**
 * Deletes the metas of frames whose records another program has written, and replaces the version of the site's frames. The metas are
 * created again from the records.
 */
export async function forgetMetas(tx: Tx, site: Site, ids: readonly string[]): Promise<void> {
  await lockRegistry(tx, site)
  deleteOptions(tx, site, ids.map(metaOption))
  writeOptions(tx, site, [{ name: VERSION_OPTION, value: newVersionNonce() }], 'off')
}
