import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { type Change, mergeChanges } from '../../../src/content/work/change.ts'
import {
  MAX_WORK_PER_SITE,
  MAX_WORK_PER_WRITE,
  recordChange,
} from '../../../src/content/work/record-work.ts'
import {
  type Work,
  type WorkKind,
  workOn,
  workOnEmbedders,
  workOnPage,
} from '../../../src/content/work/work.ts'
import { workTable } from '../../../src/content/work/work-tables.ts'
import { sitesTable } from '../../../src/wordpress/hosts/network-version.ts'
import { useNetwork } from '../../support/network.ts'
import { runsOf } from '../../support/runs-of.ts'
import { sqlOf } from '../../support/statements.ts'
import { forgetWork, pendingWork } from '../../support/work-rows.ts'

const network = await useNetwork()
const { db, globals } = network
const site = await network.site(2)
beforeEach(() => forgetWork(network))

const recordChangeOf = (change: Change) =>
  db.write({ site }, (tx) => recordChange(tx, site, change))
const record = (work: readonly Work[]) => recordChangeOf({ bake: true, work })
const pages = (...ids: number[]) => workOn('page', ids)
const FRAME = workOn('frame', ['f1'])
const recorded = async () =>
  (await pendingWork(network)).map(({ kind, name }) => `${kind} ${name}`.trim()).sort()

describe('recorded work', () => {
  it('has one row for each thing and page, with the version of the last write', async () => {
    const first = await record([...FRAME, ...pages(4), ...workOnEmbedders('f1', ['a'])])
    const second = await record([...FRAME, ...workOn('menus'), ...pages(3), ...FRAME])
    expect(second.version).toBe(first.version + 1)
    const rows = (await pendingWork(network)).map(
      ({ kind, name, version }) => `${`${kind} ${name}`.trim()} ${version - first.version}`,
    )
    expect(rows.sort()).toEqual([
      'embeds a 0',
      'embeds f1 0',
      'frame f1 1',
      'menus 1',
      'page 3 1',
      'page 4 0',
    ])
  })

  it('is nothing if the client wants no build, except for pages that lost their frame', async () => {
    const work = [...FRAME, ...pages(4)]
    expect(await recordChangeOf({ bake: false, work })).toMatchObject({ version: 0 })
    expect(await recorded()).toEqual([])
    await recordChangeOf({ bake: false, work: [...work, workOnPage(3, true)] })
    expect(await recorded()).toEqual(['page 3'])
  })

  it('is a single row if a write touches very much', async () => {
    await record(pages(...Array.from({ length: MAX_WORK_PER_WRITE + 1 }, (_, at) => at + 1)))
    expect(await recorded()).toEqual(['all'])
  })

  it('is a row for everything if a name does not fit into its column', async () => {
    await record(workOn('dataset', ['x'.repeat(300)]))
    expect(await recorded()).toEqual(['all'])
  })

  it('disappears with a transaction that is rolled back', async () => {
    await db.write({ site, dryRun: true }, (tx) =>
      recordChange(tx, site, { bake: true, work: [...workOn('menus'), ...pages(3)] }),
    )
    expect(await recorded()).toEqual([])
  })

  it('gets versions in the order of the commits', async () => {
    const versions = await Promise.all(Array.from({ length: 20 }, () => record(pages(1))))
    const sorted = versions.map(({ version }) => version).sort((a, b) => a - b)
    expect(new Set(sorted).size).toBe(20)
    expect((sorted[19] ?? 0) - (sorted[0] ?? 0)).toBe(19)
  })

  it('is due at once when it is touched again, although it has failed', async () => {
    await record([...FRAME, ...pages(3)])
    for (const table of ['svc_work', 'svc_pages'])
      await db
        .sql(globals.basePrefix + table)
        .whereNotNull('due_at')
        .update({ tries: 3, due_at: db.sql.raw('NOW(6) + INTERVAL 60 SECOND') })
    const due = async () => (await pendingWork(network)).map(({ due_in }) => due_in < 0)
    expect(await due()).toEqual([false, false])
    await record([...FRAME, ...pages(3)])
    expect(await due()).toEqual([true, true])
  })

  it('becomes a row for everything while nothing is built for long; single frames and pages stay', async () => {
    const names = Array.from({ length: MAX_WORK_PER_SITE + 1 }, (_, at) => `d${at}`)
    const row = {
      blog_id: 2,
      kind: 'dataset',
      version: 1,
      since: '2026-01-01',
      due_at: '2026-01-01',
    }
    await db.sql(workTable(globals)).insert(names.map((name) => ({ ...row, name })))
    await record([...FRAME, ...pages(3)])
    // A process counts at one of so many of its writes.
    for (let writes = 0; writes < 64; writes += 1) await record(FRAME)
    expect(await recorded()).toEqual(['all', 'frame f1', 'page 3'])
  })
})

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
    { numRuns: runsOf(100) },
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
