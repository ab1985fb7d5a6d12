import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { writeAs } from '../../../src/db/database.ts'
import { createPlanContext } from '../../../src/network/plan/plan-context.ts'
import { beginRollback, rollBackRunSite } from '../../../src/network/plan/roll-back-run-site.ts'
import { listRunSites, type Run, setRunSites } from '../../../src/network/plan/runs-table.ts'
import type { Step } from '../../../src/network/plan/site-plan.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'
import { createPlannedSite, frame } from './planned-site.ts'
import { describeFrame, recordRun } from './recorded-run.ts'

const network = await useTruth()
const { db, globals } = network
const site = await network.site(2)
const fixture = createSiteFixture(db, site)
const planned = createPlannedSite(network, site)

const STEP: Step = { kind: 'frame', name: 'one', action: 'created', before: null, after: 'a' }

const stored = ({ id }: Run) => listRunSites(db, globals, id)
const setSteps = ({ id }: Run, blogIds: readonly number[], steps: readonly Step[]) =>
  db.write({}, (tx) => setRunSites(tx, globals, id, blogIds, { steps }, ['applied']))

/** Applies frames as a run. @returns the run, and the row of the site */
async function apply(...frames: ReturnType<typeof frame>[]) {
  const run = await recordRun(network, {
    description: describeFrame('taken', [2]),
    sites: { 2: 'applied' },
  })
  const { steps } = await planned.apply({ frames }, { runId: run.id })
  await setSteps(run, [2], steps)
  const [row] = await stored(run)
  if (!row) throw new Error('the run has no site')
  return { run, row }
}

const rollBack = (taken: Awaited<ReturnType<typeof apply>>) => {
  const author = { userId: 1, tokenId: null, label: 'cli', requestId: randomUUID() }
  const context = createPlanContext(1)
  return rollBackRunSite(writeAs(db, author), site, taken, context)
}

describe('the begin of a rollback', () => {
  const record = async () => {
    const sites = { 2: 'applied', 3: 'applied', 4: 'failed' } as const
    const run = await recordRun(network, { description: describeFrame('begun', [2, 3]), sites })
    await setSteps(run, [3], [STEP])
    return run
  }
  const states = async (run: Run) => (await stored(run)).map(({ state }) => state)

  it('finds the sites that the run has written to, and is done with those that lacked nothing', async () => {
    const run = await record()
    const written = await beginRollback(db, globals, run)
    expect(written.map(({ blog_id }) => blog_id)).toEqual([3])
    expect(await states(run)).toEqual(['rolled_back', 'applied', 'failed'])
  })
})

describe('the rollback of a site', () => {
  it('stores what cannot be restored as the message of the site', async () => {
    await fixture.frame('renamed', '1')
    const taken = await apply(frame('other-name', '1', ['renamed']))
    await fixture.frame('renamed', 'meanwhile')
    const { obstacles } = await rollBack(taken)
    expect(obstacles).toMatchObject([{ reason: 'slug_taken' }])
    expect(await stored(taken.run)).toMatchObject([
      { state: 'rolled_back', message: expect.stringMatching(/^frame renamed: The slug /) },
    ])
  })

  it('does not record a site whose state has changed meanwhile', async () => {
    const taken = await apply(frame('elsewhere', '1'))
    const row = { ...taken.row, state: 'failed' as const }
    await rollBack({ ...taken, row })
    expect(await stored(taken.run)).toMatchObject([{ state: 'applied' }])
  })
})
