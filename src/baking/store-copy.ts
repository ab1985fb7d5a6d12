import type { Tx } from '../db/transaction.ts'
import { bakedOption, recordOption } from '../frames/option-names.ts'
import type { Site } from '../wordpress/network/site.ts'
import { lockOption } from '../wordpress/options/lock-option.ts'
import { writeOptions } from '../wordpress/options/write-option.ts'
import { type BakedCopy, encodeBakedCopy } from './baked-copy.ts'

/** Stores a frame's baked copy, unless the frame was deleted while it was being baked. */
export async function storeCopy(tx: Tx, site: Site, id: string, copy: BakedCopy): Promise<void> {
  if (!(await lockOption(tx, site, recordOption(id)))) return
  await writeOptions(tx, site, [{ name: bakedOption(id), value: encodeBakedCopy(copy) }], 'off')
}
