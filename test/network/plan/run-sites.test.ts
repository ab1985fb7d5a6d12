import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { writeAs } from '../../../src/db/database.ts'
import type { DesiredSite } from '../../../src/network/description/desired-site.ts'
import { createPlanContext } from '../../../src/network/plan/plan-context.ts'
import {
  applyRunSite,
  beginRollback,
  type RunTarget,
  rollBackRunSite,
} from '../../../src/network/plan/run-site.ts'
import type { RunSiteState } from '../../../src/network/plan/run-states.ts'
import { listRunSites, type Run, setRunSites } from '../../../src/network/plan/runs-table.ts'
import type { Step } from '../../../src/network/plan/site-plan.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { statementsOf } from '../../support/statements.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'
import { createPlannedSite, desiredSite, frame, menu } from './planned-site.ts'
import { describeFrame, recordRun } from './recorded-run.ts'

const network = await useTruth()
const { db, globals } = network
const site = await network.site(2)
const fixture = createSiteFixture(db, site)
const planned = createPlannedSite(network, site)

/** A run of one site, which has this state. */
const record = (state: RunSiteState = 'planned') =>
  recordRun(network, { description: describeFrame('applied', [2]), sites: { 2: state } })
const rows = ({ id }: Run) => listRunSites(db, globals, id)
const stored = async (run: Run) => (await rows(run))[0]

const describeFailure = vi.fn(() => 'described')
const apply = (
  run: Run,
  desired: Partial<DesiredSite> | RunTarget['desired'],
  more: Partial<RunTarget['planned']> = {},
) =>
  applyRunSite(
    db,
    {
      run,
      site,
      desired: typeof desired === 'function' ? desired : desiredSite(desired),
      planned: { digest: null, step_count: 1, ...more },
    },
    createPlanContext(1),
    { describeFailure },
  )

describe('a site of a run', () => {
  it('gets what it lacks; the result is stored with the writes', async () => {
    const run = await record()
    const outcome = await apply(run, { frames: [frame('applied', '1')] })
    expect(outcome.state).toBe('applied')
    expect(outcome.change).toBeDefined()
    expect(await stored(run)).toMatchObject({ state: 'applied', step_count: 1, message: null })
  })

  it('that lacks nothing is not locked', async () => {
    const frames = [frame('complete', '1')]
    await planned.settle({ frames })
    const run = await record()
    const statements = await statementsOf(db, async () => {
      const outcome = await apply(run, { frames }, { step_count: 0 })
      expect(outcome).toEqual({ state: 'applied' })
    })
    expect(statements.filter((sql) => sql.includes('FOR UPDATE'))).toEqual([])
    expect(await stored(run)).toMatchObject({ state: 'applied', step_count: 0 })
  })

  it('is refused if it has changed since the plan, and the message says what moved', async () => {
    const frames = [frame('moved', '1')]
    const { digest, steps } = await planned.plan({ frames })
    const run = await record('waiting')
    const plan = { state: 'planned', digest, steps } as const
    await db.write({}, (tx) => setRunSites(tx, globals, run.id, [2], plan, ['waiting']))
    await fixture.frame('moved', 'meanwhile')
    expect(await apply(run, { frames }, { digest })).toEqual({ state: 'refused' })
    expect(await stored(run)).toMatchObject({
      state: 'refused',
      message: expect.stringContaining(
        'frame moved: planned: created, now: replaced (the service, at ',
      ),
    })
    expect((await planned.plan({ frames: [frame('moved', 'meanwhile')] })).steps).toEqual([])
  })

  it('is blocked by what it lacks', async () => {
    const run = await record()
    const frames = [frame('blocked', '1')]
    const lacking = { frames, menus: [menu('blocked', [{ page: 'no-such-page' }])] }
    expect(await apply(run, lacking)).toEqual({ state: 'blocked' })
    expect(await stored(run)).toMatchObject({
      state: 'blocked',
      message: expect.stringMatching(/^menu blocked: Item 0: /),
    })
    expect((await planned.plan({ frames })).steps).toHaveLength(1)
  })

  it('fails with the description of the error, and is not tried again', async () => {
    const run = await record()
    const broken = new Error('broken')
    const fail = async () => Promise.reject(broken)
    expect(await apply(run, fail)).toEqual({ state: 'failed' })
    expect(describeFailure).toHaveBeenCalledExactlyOnceWith(broken)
    expect(await stored(run)).toMatchObject({ state: 'failed', message: 'described' })
    expect(await apply(run, { frames: [frame('again', '1')] })).toMatchObject({ state: 'failed' })
    expect((await planned.plan({ frames: [frame('again', '1')] })).steps).toHaveLength(1)
  })

  it.each(['applied', 'rolled_back', 'skipped'] as const)(
    'is written once, if another process has decided that it is %s',
    async (state) => {
      const desired = desiredSite({ frames: [frame(`raced-${state.replace('_', '-')}`, '1')] })
      const { digest } = await planned.plan(desired)
      const run = await record(state)
      expect(await apply(run, desired, { digest })).toEqual({ state })
      expect((await planned.plan(desired)).steps).toHaveLength(1)
    },
  )
})

const STEP: Step = { kind: 'frame', name: 'one', action: 'created', before: null, after: 'a' }

const setSteps = ({ id }: Run, blogIds: readonly number[], steps: readonly Step[]) =>
  db.write({}, (tx) => setRunSites(tx, globals, id, blogIds, { steps }, ['applied']))

/** Applies frames as a run. @returns the run, and the row of the site */
async function applied(...frames: ReturnType<typeof frame>[]) {
  const run = await recordRun(network, {
    description: describeFrame('taken', [2]),
    sites: { 2: 'applied' },
  })
  const { steps } = await planned.apply({ frames }, { runId: run.id })
  await setSteps(run, [2], steps)
  const [row] = await rows(run)
  if (!row) throw new Error('the run has no site')
  return { run, row }
}

const rollBack = (taken: Awaited<ReturnType<typeof applied>>) => {
  const author = { userId: 1, tokenId: null, label: 'cli', requestId: randomUUID() }
  const context = createPlanContext(1)
  return rollBackRunSite(writeAs(db, author), site, taken, context)
}

describe('the begin of a rollback', () => {
  const recordWritten = async () => {
    const sites = { 2: 'applied', 3: 'applied', 4: 'failed' } as const
    const run = await recordRun(network, { description: describeFrame('begun', [2, 3]), sites })
    await setSteps(run, [3], [STEP])
    return run
  }
  const states = async (run: Run) => (await rows(run)).map(({ state }) => state)

  it('finds the sites that the run has written to, and is done with those that lacked nothing', async () => {
    const run = await recordWritten()
    const written = await beginRollback(db, globals, run)
    expect(written.map(({ blog_id }) => blog_id)).toEqual([3])
    expect(await states(run)).toEqual(['rolled_back', 'applied', 'failed'])
  })
})

describe('the rollback of a site', () => {
  it('stores what cannot be restored as the message of the site', async () => {
    await fixture.frame('renamed', '1')
    const taken = await applied(frame('other-name', '1', ['renamed']))
    await fixture.frame('renamed', 'meanwhile')
    const { obstacles } = await rollBack(taken)
    expect(obstacles).toMatchObject([{ reason: 'slug_taken' }])
    expect(await rows(taken.run)).toMatchObject([
      { state: 'rolled_back', message: expect.stringMatching(/^frame renamed: The slug /) },
    ])
  })

  it('does not record a site whose state has changed meanwhile', async () => {
    const taken = await applied(frame('elsewhere', '1'))
    const row = { ...taken.row, state: 'failed' as const }
    await rollBack({ ...taken, row })
    expect(await rows(taken.run)).toMatchObject([{ state: 'applied' }])
  })
})
