import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-options.ts'
import { INLINE_ANALYZER } from './frame-markup.ts'
import { lockFrames } from './lock-frames.ts'
import { recordOption } from './option-names.ts'
import { type InspectedRecord, inspectRecord } from './record.ts'
import { findSlug } from './slug.ts'

/**
 * Writes frames anew from their records: in the list of frames, in today's form, with the meta of their markup. Their markup, dates and
 * author stay. One that is not listed gets the slug that it says itself where that is free, else its id. A record that is missing or
 * damaged is left alone.
 */
export async function restoreFrames(tx: Tx, site: Site, ids: readonly string[]): Promise<void> {
  const frames = await lockFrames(tx, site)
  const records = await readOptions(tx, site, ids.map(recordOption))
  for (const id of ids) {
    const { registry } = frames.graph
    const held = registry.find(id)
    const listed = held?.id === id ? held.slug : undefined
    const inspected = tryInspectRecord(records.get(recordOption(id)), id, listed ?? id)
    if (!inspected) continue
    const own = findSlug(inspected.storedSlug)
    const slug = listed ?? (own === undefined || registry.find(own) ? id : own)
    const record = { ...inspected.record, slug }
    frames.stage(id, record, await INLINE_ANALYZER.analyze(record.html))
  }
  await frames.finish()
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

/** Deletes what is left of frames that are not listed and have no record: a meta, a baked copy. */
export async function deleteOrphanedOptions(
  tx: Tx,
  site: Site,
  ids: readonly string[],
): Promise<void> {
  const frames = await lockFrames(tx, site)
  const records = await readOptions(tx, site, ids.map(recordOption))
  const listed = new Set(frames.graph.registry.all().map(({ id }) => id))
  for (const id of ids) {
    if (!listed.has(id) && !records.has(recordOption(id))) frames.stageRemoval(id)
  }
  await frames.finish()
}
