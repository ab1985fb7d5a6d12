import { expect, it } from 'vitest'
import { pruneRuns } from '../../src/plan/prune-runs.ts'
import { listRunSites, listRuns } from '../../src/plan/runs-table.ts'
import { cloneNetwork } from '../support/network.ts'
import { FAST } from '../support/timings.ts'
import { use } from '../support/use.ts'
import { describeFrame, recordRun } from './recorded-run.ts'

const network = await use(cloneNetwork())

it('pruning deletes old runs, except the last one of each description and site', async () => {
  const { db, globals } = network
  const description = describeFrame('pruned', [2, 3])
  const both = { 2: 'applied', 3: 'applied' } as const
  const superseded = await recordRun(network, {
    description,
    sites: both,
    appliedAt: '2026-01-01 00:00:00.001',
  })
  const appliedAt = '2026-01-01 00:00:00.002'
  const first = await recordRun(network, { description, sites: { 2: 'applied' }, appliedAt })
  const second = await recordRun(network, { description, sites: { 3: 'applied' }, appliedAt })
  await pruneRuns(db, globals, { now: new Date() })
  expect(await listRuns(db, globals, { limit: 10 })).toHaveLength(3)
  const later = new Date(Date.now() + (FAST.plan.keptRunDays + 1) * 86_400_000)
  await pruneRuns(db, globals, { now: later })
  const kept = (await listRuns(db, globals, { limit: 10 })).map(({ id }) => id)
  expect(kept.sort()).toEqual([first.id, second.id].sort())
  expect(await listRunSites(db, globals, superseded.id)).toEqual([])
})
