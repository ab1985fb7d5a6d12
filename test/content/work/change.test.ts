import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Change, mergeChanges } from '../../../src/content/work/change.ts'
import { recordChange } from '../../../src/content/work/record-work.ts'
import {
  type Work,
  type WorkKind,
  workOn,
  workOnEmbedders,
  workOnPage,
} from '../../../src/content/work/work.ts'
import { sitesTable, workTable } from '../../../src/content/work/work-tables.ts'
import { useNetwork } from '../../support/network.ts'
import { sqlOf } from '../../support/statements.ts'

const network = await useNetwork()

const id = fc.constantFrom('0000000000000001', '0000000000000002', '0000000000000003')
const slugs = fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 })
const page = fc.integer({ min: 1, max: 4 })
const touched: fc.Arbitrary<Work[]> = fc.oneof(
  fc
    .constantFrom<WorkKind>('menus', 'pages', 'settings', 'copies', 'all')
    .map((kind) => workOn(kind)),
  fc.constantFrom('a', 'b').map((name) => workOn('dataset', [name])),
  id.map((name) => workOn('frame', [name])),
  fc.tuple(id, slugs).map(([name, names]) => workOnEmbedders(name, names)),
  fc.tuple(page, fc.boolean()).map(([id, isUnbound]) => [workOnPage(id, isUnbound)]),
)

/** The changes that writes return. */
const change: fc.Arbitrary<Change> = fc.record({
  bake: fc.boolean(),
  work: fc.array(touched, { maxLength: 4 }).map((work) => work.flat()),
})

/** The work that is recorded for changes one after the other. */
async function recordedOf(
  changes: readonly Change[],
): Promise<{ work: string[]; versions: number }> {
  const { db, globals } = network
  const site = await network.site(2)
  return db.write({ site, dryRun: true }, async (tx) => {
    await sqlOf(tx)(sitesTable(globals)).where({ blog_id: 2 }).delete()
    await sqlOf(tx)(workTable(globals)).where({ blog_id: 2 }).delete()
    for (const one of changes) await recordChange(tx, site, one)
    const rows = await sqlOf(tx)(workTable(globals)).where({ blog_id: 2 }).select('kind', 'name')
    const last = await sqlOf(tx)(sitesTable(globals)).where({ blog_id: 2 }).first('version')
    return {
      work: rows.map(({ kind, name }) => `${kind} ${name}`).sort(),
      versions: last?.version ?? 0,
    }
  })
}

it('a merged change has the work of all its changes, with one version', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 5 }), async (changes) => {
      const alone = await recordedOf(changes)
      const merged = await recordedOf([mergeChanges(changes)])
      expect(merged.work).toEqual(alone.work)
      expect(merged.versions).toBe(Math.min(1, alone.versions))
    }),
    { numRuns: 100 },
  )
})

it('a merged change builds nothing if none of its changes has work', () => {
  const nothing = { bake: true, work: [] }
  const unbuilt = { bake: false, work: workOn('menus') }
  expect(mergeChanges([nothing, unbuilt])).toEqual({ bake: false, work: [] })
})

it('a merged change bakes the frames that nothing uses', () => {
  const frame = '0000000000000001'
  const unused = { bake: true, work: [], frame }
  expect(mergeChanges([unused])).toEqual({ bake: true, work: workOn('frame', [frame]) })
  expect(mergeChanges([{ ...unused, bake: false }])).toEqual({ bake: false, work: [] })
})
