import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Change, Touched } from '../../src/change.ts'
import { mergeChanges } from '../../src/work/merge-changes.ts'
import { recordChange } from '../../src/work/record-work.ts'
import { sitesTable, workTable } from '../../src/work/work-tables.ts'
import { cloneNetwork, type TestNetwork } from '../support/network.ts'

let network: TestNetwork
beforeAll(async () => {
  network = await cloneNetwork()
})
afterAll(() => network.drop())

const id = fc.constantFrom('0000000000000001', '0000000000000002', '0000000000000003')
const touched: fc.Arbitrary<Touched> = fc.oneof(
  fc.record({ kind: fc.constantFrom('menus', 'pages', 'settings') }),
  fc.record({ kind: fc.constant('dataset'), name: fc.constantFrom('a', 'b') }),
  fc.record({
    kind: fc.constant('frame'),
    id,
    slugs: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
  }),
)

/** The changes that writes return. */
const change: fc.Arbitrary<Change> = fc.record(
  {
    bake: fc.boolean(),
    frame: id,
    frames: fc.array(id, { maxLength: 2 }),
    touched: fc.array(touched, { maxLength: 3 }),
    pages: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 }),
    isUsed: fc.boolean(),
    unbound: fc.boolean(),
    all: fc.boolean(),
    copies: fc.boolean(),
  },
  { requiredKeys: ['bake', 'touched', 'pages'] },
)

/** The work that is recorded for changes one after the other. */
async function workOf(changes: readonly Change[]): Promise<{ work: string[]; versions: number }> {
  const { db, globals } = network
  const site = await network.site(2)
  return db.write({ site, dryRun: true }, async (tx) => {
    await tx.sql(sitesTable(globals)).where({ blog_id: 2 }).delete()
    await tx.sql(workTable(globals)).where({ blog_id: 2 }).delete()
    for (const one of changes) await recordChange(tx, site, one)
    const rows = await tx.sql(workTable(globals)).where({ blog_id: 2 }).select('kind', 'name')
    const last = await tx.sql(sitesTable(globals)).where({ blog_id: 2 }).first('version')
    return {
      work: rows.map(({ kind, name }) => `${kind} ${name}`).sort(),
      versions: last?.version ?? 0,
    }
  })
}

it('has the work of all its changes, with one version', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 5 }), async (changes) => {
      const alone = await workOf(changes)
      const merged = await workOf([mergeChanges(changes)])
      expect(merged.work).toEqual(alone.work)
      expect(merged.versions).toBe(Math.min(1, alone.versions))
    }),
    { numRuns: 100 },
  )
})
