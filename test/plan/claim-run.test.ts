import { beforeEach, describe, expect, it } from 'vitest'
import { releaseLease, renewLease } from '../../src/db/lease.ts'
import { claimRun } from '../../src/plan/claim-run.ts'
import { RUN_STATES } from '../../src/plan/run-states.ts'
import { runsTable, setRunState } from '../../src/plan/runs-table.ts'
import { cloneNetwork } from '../support/network.ts'
import { timed } from '../support/timings.ts'
import { use } from '../support/use.ts'
import { recordRun } from './recorded-run.ts'

const network = await use(cloneNetwork())
const { db, globals } = network
beforeEach(() => db.sql(runsTable(globals)).delete())

const claim = (leaseMs = 30_000) => claimRun(timed(db, { plan: { leaseMs } }), globals)
const stateOf = async (id: string) => (await db.sql(runsTable(globals)).where({ id }))[0].state

describe('a claim of a run', () => {
  it.each(RUN_STATES)('is for runs that a background worker continues: %s', async (state) => {
    await recordRun(network, { state })
    const isWorked = ['planning', 'applying', 'trying', 'rolling_back'].includes(state)
    expect((await claim())?.run.state).toBe(isWorked ? state : undefined)
  })

  it('excludes other processes until it is released', async () => {
    const { id } = await recordRun(network, { state: 'applying' })
    const first = await claim()
    expect(first?.run.id).toBe(id)
    expect(await claim()).toBeUndefined()
    if (first) await releaseLease(db, first.lease)
    expect((await claim())?.run.id).toBe(id)
  })

  it('is for the run that has waited longest', async () => {
    const [one, other] = [
      await recordRun(network, { state: 'applying' }),
      await recordRun(network, { state: 'planning' }),
    ]
    const due = (id: string, due_at: string) =>
      db.sql(runsTable(globals)).where({ id }).update({ due_at })
    await due(one.id, '2020-01-02')
    await due(other.id, '2020-01-01')
    expect((await claim())?.run.id).toBe(other.id)
    expect((await claim())?.run.id).toBe(one.id)
  })

  it('ends by itself; the process that had it cannot renew it when another one has claimed the run', async () => {
    await recordRun(network, { state: 'applying' })
    const [killed, later] = [await claim(0), await claim()]
    if (!killed || !later) throw new Error('the run was not claimed')
    expect(later.run.id).toBe(killed.run.id)
    expect(await renewLease(db, killed.lease)).toBe(false)
    expect(await renewLease(db, later.lease)).toBe(true)
  })

  it('is lost as soon as the state of the run changes', async () => {
    const { id } = await recordRun(network, { state: 'applying' })
    const claimed = await claim()
    if (!claimed) throw new Error('the run was not claimed')
    await setRunState(db, globals, claimed.run, 'done')
    expect(await stateOf(id)).toBe('done')
    expect(await renewLease(db, claimed.lease)).toBe(false)
  })
})
