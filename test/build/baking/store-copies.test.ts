import { expect, it } from 'vitest'
import { type Bake, readCopyVersions, storeCopies } from '../../../src/build/baking/bake-frame.ts'
import { type CopyVersions, createBakedCopy } from '../../../src/build/baking/baked-copy.ts'
import { bakedOption, recordOption } from '../../../src/content/frames/option-names.ts'
import { deleteOptions, writeOptions } from '../../../src/wordpress/options/write-options.ts'
import { useNetwork } from '../../support/network.ts'

const { db, site: siteOf } = await useNetwork()
const site = await siteOf(2)
const IDS = ['aaaaaaaaaaaaaaa1', 'aaaaaaaaaaaaaaa2', 'aaaaaaaaaaaaaaa3']

/** A text that looks like the versions of a copy. */
const DECOY = '"baked":5,"changed":4}'

const bakeOf = (id: string, versions: CopyVersions = {}): Bake => {
  const languages = [{ lang: 'en', warnings: [DECOY] }]
  const inputs = {
    closure: { frames: [] },
    needs: {},
    facts: {},
    digest: '',
    languages,
    ...versions,
  }
  return {
    id,
    copy: createBakedCopy(inputs as never, `body of ${id}\n${DECOY}`),
    outcome: 'changed',
  }
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
    await storeCopies(
      db,
      { site },
      IDS.map((id) => bakeOf(id)),
    )
    expect(await stored()).toEqual(kept.map(bakedOption))
  },
)

it('the versions of copies are read, whatever their texts contain; a copy may have none, and a frame no copy', async () => {
  const known = [{ baked: 12, changed: 7 }, { baked: 12 }, {}]
  const records = IDS.map((id) => ({ name: recordOption(id), value: 'record' }))
  await db.write({}, (tx) => writeOptions(tx, site, records, 'off'))
  await storeCopies(
    db,
    { site },
    IDS.map((id, index) => bakeOf(id, known[index])),
  )
  const read = await readCopyVersions({ db, site }, [...IDS, 'aaaaaaaaaaaaaaa4'])
  expect([...read]).toEqual(IDS.map((id, index) => [id, known[index]]))
})

it.each([
  '',
  'garbage',
  '{"format":4,"languages":[',
  '{"format":3}\n',
  '12,"changed":x}\n',
  'null',
])('a damaged copy has no versions, so that nobody says it is up to date: %j', async (value) => {
  const [id = ''] = IDS
  await db.write({}, (tx) => writeOptions(tx, site, [{ name: bakedOption(id), value }], 'off'))
  expect(await readCopyVersions({ db, site }, [id])).toEqual(new Map())
})
