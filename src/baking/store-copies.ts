import type { Tx } from '../db/transaction.ts'
import { bakedOption, recordOption } from '../frames/option-names.ts'
import type { Site } from '../wordpress/network/site.ts'
import { lockExistingOptions, writeOptions } from '../wordpress/options/write-options.ts'
import type { Bake } from './bake-frame.ts'
import { encodeBakedCopy } from './baked-copy.ts'

/** Stores the baked copies of frames, but of those that were deleted while they were being baked. */
export async function storeCopies(tx: Tx, site: Site, bakes: readonly Bake[]): Promise<void> {
  const records = bakes.map(({ id }) => recordOption(id))
  const present = await lockExistingOptions(tx, site, records)
  const options = bakes
    .filter(({ id }) => present.has(recordOption(id)))
    .map(({ id, copy }) => ({ name: bakedOption(id), value: encodeBakedCopy(copy) }))
  await writeOptions(tx, site, options, 'off')
}
