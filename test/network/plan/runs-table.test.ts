import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { newOwner } from '../../../src/db/lease.ts'
import { takeTask } from '../../../src/db/tasks/tasks-table.ts'
import { RUN_STATES } from '../../../src/network/plan/run-states.ts'
import {
  createRun,
  findDueRun,
  findRun,
  listLastApplied,
  listRunSites,
  listRuns,
  messageOfProblems,
  nameOfRunTask,
  pruneRuns,
  type RunSiteResult,
  readRunDescription,
  readRunPlans,
  requestRun,
  runSitesTable,
  runsTable,
  setRunSites,
  setRunState,
  titleOf,
} from '../../../src/network/plan/runs-table.ts'
import type { Step } from '../../../src/network/plan/site-plan.ts'
import { useNetwork } from '../../support/network.ts'
import { parseDescription } from '../../support/parse-description.ts'
import { taskRow } from '../../support/tasks.ts'
import { FAST } from '../../support/timings.ts'
import { describeFrame, recordRun } from './recorded-run.ts'

const network = await useNetwork()
const { db, globals } = network
const setState = (...args: Tail<Parameters<typeof setRunState>>) =>
  db.write({}, (tx) => setRunState(tx, ...args))
type Tail<T> = T extends [unknown, ...infer Rest] ? Rest : never
const sitesOf = (id: string) => listRunSites(db, globals, id)
const store = (id: string, result: RunSiteResult, before: Parameters<typeof setRunSites>[5]) =>
  db.write({}, (tx) => setRunSites(tx, globals, id, [2], result, before))

const STEP: Step = { kind: 'frame', name: 'one', action: 'created', before: null, after: 'a' }

describe('a stored run', () => {
  it('has its description, its author and the counts of its sites', async () => {
    const description = describeFrame('stored', [2, 3], '<p>Größe</p>')
    const sites = { 2: 'applied', 3: 'applied', 4: 'failed' } as const
    const { id } = await recordRun(network, { description, sites })
    expect(await readRunDescription(db, globals, id)).toEqual(description)
    const [run] = await listRuns(db, globals, { limit: 10, id })
    expect(run).toMatchObject({ name: 'stored', user_id: 1, sites: { applied: 2, failed: 1 } })
  })

  it('stays as it is if it is stored again', async () => {
    const description = describeFrame('again', [2])
    const { id } = await recordRun(network, { description, sites: { 2: 'applied' } })
    const author = { userId: 2, tokenId: null, label: 'cli', requestId: id }
    const other = { id, author, state: 'failed', description: describeFrame('other', [2]) } as const
    const sites = [2, 3].map((blogId) => ({ blogId, state: 'waiting' as const }))
    await db.write({}, (tx) => createRun(tx, globals, other, sites))
    expect(await findRun(db, globals, id)).toMatchObject({ state: 'done', name: 'again' })
    expect((await sitesOf(id)).map(({ blog_id, state }) => [blog_id, state])).toEqual([
      [2, 'applied'],
      [3, 'waiting'],
    ])
  })

  it('changes its state only from the expected one', async () => {
    const run = await recordRun(network, { state: 'planning' })
    await setState(globals, { ...run, state: 'applying' }, 'done')
    expect((await findRun(db, globals, run.id))?.state).toBe('planning')
    await setState(globals, run, 'failed', 'x'.repeat(5000))
    const { state, message } = (await findRun(db, globals, run.id)) ?? {}
    expect([state, message]).toEqual(['failed', `${'x'.repeat(4000)}…`])
  })

  it('gets the author and the limit of a request, if it is ready for it', async () => {
    const run = await recordRun(network, { state: 'planned', maxFailures: 9 })
    const author = { userId: 3, tokenId: 4, label: 'deploy', requestId: randomUUID() }
    const options = { maxFailures: 1, canary: 2, bake: false }
    const request = { id: run.id, state: 'applying', author, ...options } as const
    expect(await db.write({}, (tx) => requestRun(tx, globals, request, ['done']))).toBe(false)
    expect(await findRun(db, globals, run.id)).toEqual(run)
    expect(await db.write({}, (tx) => requestRun(tx, globals, request, ['done', 'planned']))).toBe(
      true,
    )
    expect(await findRun(db, globals, run.id)).toMatchObject({
      state: 'applying',
      user_id: 3,
      token_id: 4,
      label: 'deploy',
      max_failures: 1,
      canary: 2,
      bake: 0,
    })
  })
})

describe('the title of a run', () => {
  const titled = async (more: object) => {
    const description = parseDescription({ ...describeFrame('named', [2]), ...more })
    const run = await recordRun(network, { description })
    return [titleOf(run), run.name]
  }

  it('is that of a single change, which no description is found by', async () => {
    expect(await titled({ title: 'Push of frames' })).toEqual(['Push of frames', ''])
    const replace = { bundles: {}, replace: { from: 'a', to: 'b' } }
    expect(await titled(replace)).toEqual(['Replacement of texts', ''])
  })

  it('has the name of a description', async () => {
    expect(await titled({})).toEqual(['Description named', 'named'])
  })
})

describe('the result of a site', () => {
  it('is stored if the site still has the state before', async () => {
    const { id } = await recordRun(network, { sites: { 2: 'planned' } })
    await store(id, { state: 'failed' }, ['waiting', 'applied'])
    expect(await sitesOf(id)).toMatchObject([{ state: 'planned', applied_at: null }])
    await store(id, { state: 'applied' }, ['planned', 'failed'])
    expect(await sitesOf(id)).toMatchObject([
      { state: 'applied', applied_at: expect.stringMatching(/^\d{4}-.*\.\d{3}$/) },
    ])
  })

  it('leaves alone what it does not contain', async () => {
    const { id } = await recordRun(network, { sites: { 2: 'waiting' } })
    const digest = 'ab'.repeat(32)
    const pages = { total: 7, ids: [1, 2] }
    await store(id, { state: 'planned', digest, steps: [STEP], pages }, ['waiting'])
    await store(id, { state: 'refused', message: 'It has changed.' }, ['planned'])
    expect(await sitesOf(id)).toMatchObject([
      { state: 'refused', digest, step_count: 1, page_count: 7, message: 'It has changed.' },
    ])
  })

  it('has the steps without their diffs, and what the plan found besides', async () => {
    const { id } = await recordRun(network, { sites: { 2: 'waiting', 3: 'waiting' } })
    const of = { kind: 'menu', name: 'main', at: '0.1' } as const
    const problem = { ...of, reason: 'wrong', message: 'It is.' }
    const notes = { problems: [problem], warnings: [] } as const
    const pages = { total: 9, ids: [4, 5] }
    await store(id, { steps: [{ ...STEP, diff: '+x' }], ...notes, pages }, ['waiting'])
    expect(await readRunPlans(db, globals, id, [2, 3])).toEqual(
      new Map([
        [2, { steps: [STEP], ...notes, pages: [4, 5] }],
        [3, { steps: [], problems: [], warnings: [], pages: [] }],
      ]),
    )
  })

  it('can be rolled back when a later attempt has failed, but not twice', async () => {
    const { id } = await recordRun(network, { sites: { 2: 'applied', 3: 'planned' } })
    const applied = async () =>
      (await listRunSites(db, globals, id, { isApplied: true })).map(({ blog_id }) => blog_id)
    await store(id, { state: 'failed' }, ['applied'])
    expect(await applied()).toEqual([2])
    await store(id, { state: 'rolled_back' }, ['failed'])
    expect(await applied()).toEqual([])
  })
})

it('the sites of a run are listed in pages, by state', async () => {
  const sites = { 2: 'applied', 3: 'failed', 4: 'applied', 5: 'applied' } as const
  const { id } = await recordRun(network, { sites })
  const idsOf = async (options: Parameters<typeof listRunSites>[3]) =>
    (await listRunSites(db, globals, id, options)).map(({ blog_id }) => blog_id)
  expect(await idsOf({ limit: 2 })).toEqual([2, 3])
  expect(await idsOf({ after: 3, limit: 2 })).toEqual([4, 5])
  expect(await idsOf({ states: ['applied'], after: 2 })).toEqual([4, 5])
})

it('the message of problems lists the first twenty, and counts the others', () => {
  const problems = Array.from({ length: 23 }, (_, at) => ({
    kind: 'menu',
    name: `m${at}`,
    message: 'It exists.',
  }))
  const lines = messageOfProblems(problems).split('\n')
  expect(lines[0]).toBe('menu m0: It exists.')
  expect(lines.slice(19)).toEqual(['menu m19: It exists.', 'and 3 more problems'])
  expect(messageOfProblems(problems.slice(0, 20)).split('\n')).toHaveLength(20)
})

it('pruning deletes old runs, except the last one of each description and site', async () => {
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

const dueRun = async () => (await findDueRun(db, globals))?.id

describe('a run for a background worker', () => {
  it.each(RUN_STATES)('is one that a background worker continues: %s', async (state) => {
    const { id } = await recordRun(network, { state })
    const isWorked = ['planning', 'applying', 'trying', 'rolling_back'].includes(state)
    expect(await dueRun()).toBe(isWorked ? id : undefined)
  })

  it('is none that another process has, until its lease ends', async () => {
    const { id } = await recordRun(network, { state: 'applying' })
    const lease = { name: nameOfRunTask(id), owner: newOwner(), leaseMs: 3000 }
    await takeTask(db, globals, lease)
    expect(await dueRun()).toBeUndefined()
    await taskRow(network, lease.name).update({ due_at: db.sql.raw('NOW(6)') })
    expect(await dueRun()).toBe(id)
  })

  it('is the one that has waited longest', async () => {
    const [one, other] = [
      await recordRun(network, { state: 'applying' }),
      await recordRun(network, { state: 'planning' }),
    ]
    const created = (id: string, created_at: string) =>
      db.sql(runsTable(globals)).where({ id }).update({ created_at })
    await created(one.id, '2020-01-02')
    await created(other.id, '2020-01-01')
    expect(await dueRun()).toBe(other.id)
  })
})

beforeEach(async () => {
  for (const table of [runSitesTable(globals), runsTable(globals)]) await db.sql(table).delete()
})

const at = (second: number) => `2026-01-01 00:00:0${second}.000`
const record = (name: string, second: number, sites: Parameters<typeof recordRun>[1]) =>
  recordRun(network, {
    description: describeFrame(name, [2, 3]),
    appliedAt: at(second),
    ...sites,
  })
const last = async (name?: string) =>
  (await listLastApplied(db, globals, name)).map(({ run_id, name, blog_id }) => [
    name,
    blog_id,
    run_id,
  ])

describe('the last applied runs', () => {
  it('are one for each description and site', async () => {
    const both = await record('one', 1, { sites: { 2: 'applied', 3: 'applied' } })
    const later = await record('one', 2, { sites: { 3: 'applied' } })
    const other = await record('other', 1, { sites: { 3: 'applied' } })
    expect(await last()).toEqual([
      ['one', 2, both.id],
      ['one', 3, later.id],
      ['other', 3, other.id],
    ])
    expect(await last('other')).toEqual([['other', 3, other.id]])
  })

  it('do not contain one that was rolled back, but the one before', async () => {
    const kept = await record('one', 1, { sites: { 2: 'applied' } })
    const taken = await record('one', 2, { sites: { 2: 'applied' } })
    await db
      .sql(runSitesTable(globals))
      .where({ run_id: taken.id })
      .update({ state: 'rolled_back' })
    expect(await last()).toEqual([['one', 2, kept.id]])
  })

  it('contain one whose later attempt has failed: the site has what the first one wrote', async () => {
    const run = await record('one', 1, { sites: { 2: 'applied' } })
    await db.sql(runSitesTable(globals)).where({ run_id: run.id }).update({ state: 'failed' })
    expect(await last()).toEqual([['one', 2, run.id]])
  })

  it('contain no run that was only planned, and no single change', async () => {
    await record('one', 1, { sites: { 2: 'planned' } })
    const description = { ...describeFrame('one', [2]), title: 'Push of frames' }
    await record('one', 2, { description, sites: { 2: 'applied' } })
    expect(await last()).toEqual([])
  })
})
