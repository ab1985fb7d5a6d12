import type { Tx } from '../db/transaction.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-options.ts'
import { lockFrames } from './lock-frames.ts'
import { recordOption } from './option-names.ts'

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
