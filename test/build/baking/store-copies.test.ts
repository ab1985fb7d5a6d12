import { expect, it } from 'vitest'
import { type Bake, storeCopies } from '../../../src/build/baking/bake-frame.ts'
import { createBakedCopy } from '../../../src/build/baking/baked-copy.ts'
import { bakedOption, recordOption } from '../../../src/content/frames/option-names.ts'
import { deleteOptions, writeOptions } from '../../../src/wordpress/options/write-options.ts'
import { cloneNetwork } from '../../support/network.ts'
import { use } from '../../support/use.ts'

const { db, site: siteOf } = await use(cloneNetwork())
const site = await siteOf(2)
const IDS = ['aaaaaaaaaaaaaaa1', 'aaaaaaaaaaaaaaa2', 'aaaaaaaaaaaaaaa3']

const bakeOf = (id: string): Bake => {
  const inputs = { closure: { frames: [] }, needs: {}, facts: {}, digest: '', languages: [] }
  return { id, copy: createBakedCopy(inputs as never, `body of ${id}`), outcome: 'changed' }
}
const stored = async (): Promise<string[]> =>
  db
    .sql(site.tables.options)
    .whereIn('option_name', IDS.map(bakedOption))
    .orderBy('option_name')
    .pluck('option_name')

it.each([[IDS], [IDS.slice(0, 2)], [IDS.slice(0, 1)]])(
  'copies are stored, except those of frames that were deleted since they were baked (kept: %j)',
  async (kept) => {
    await db.write({}, (tx) => {
      deleteOptions(tx, site, [...IDS.map(recordOption), ...IDS.map(bakedOption)])
      const records = kept.map((id) => ({ name: recordOption(id), value: 'record' }))
      writeOptions(tx, site, records, 'off')
    })
    await storeCopies(db, { site }, IDS.map(bakeOf))
    expect(await stored()).toEqual(kept.map(bakedOption))
  },
)
