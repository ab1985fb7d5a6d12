import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { newOwner } from '../../../src/db/lease.ts'
import type { TaskRunner } from '../../../src/db/tasks/task-runner.ts'
import { takeTask } from '../../../src/db/tasks/tasks-table.ts'
import type { RunState } from '../../../src/network/plan/run-states.ts'
import {
  findRun,
  listRunSites,
  nameOfRunTask,
  type Run,
  requestRun,
} from '../../../src/network/plan/runs-table.ts'
import { listEntries } from '../../../src/record/history/read-history.ts'
import { eventually } from '../../support/eventually.ts'
import { useNetwork } from '../../support/network.ts'
import type { SqlDatabase } from '../../support/open-database.ts'
import { startRunWorker } from '../../support/run-worker.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { taskRow } from '../../support/tasks.ts'
import { describeFrame, recordRun } from './recorded-run.ts'

const network = await useNetwork()
const { db, globals } = network
const shop = createSiteFixture(db, await network.site(2))

const workers: TaskRunner[] = []
/** Sites whose building was started. */
const woken: number[] = []
/** Transactions of workers that have ended, such as renewals of leases. */
let written = 0
const noting: SqlDatabase = {
  ...db,
  write: (options, work) =>
    db.write(options, work).finally(() => {
      if (options.isWork) written += 1
    }),
}
function startWorker(): void {
  const wake = (blogId: number) => void woken.push(blogId)
  workers.push(startRunWorker({ db: noting, globals }, { wake }))
}
const stopWorkers = async () => void (await Promise.all(workers.splice(0).map((one) => one.stop())))
afterEach(async () => {
  await stopWorkers()
  woken.length = 0
})

const plan = (name: string, ids: readonly number[] = [2, 3]) =>
  recordRun(network, {
    state: 'planning',
    description: describeFrame(name, ids, '<p>1</p>'),
    sites: Object.fromEntries(ids.map((id) => [id, 'waiting'])),
  })
const request = ({ id }: Run, state: RunState) => {
  const author = { userId: 1, tokenId: null, label: 'cli', requestId: randomUUID() }
  const wanted = { id, state, author, maxFailures: null }
  return db.write({}, (tx) => requestRun(tx, globals, wanted, ['planned', 'done']))
}
const until = ({ id }: Run, state: RunState) =>
  eventually(async () => {
    const run = await findRun(db, globals, id)
    expect(run?.state).toBe(state)
    return run
  })
const statesOf = async ({ id }: Run) =>
  (await listRunSites(db, globals, id)).map(({ state }) => state)

/** Plans a run on two sites. */
async function planned(name: string): Promise<Run> {
  const run = await plan(name)
  await until(run, 'planned')
  return run
}

describe('a run', () => {
  it('is planned, applied and rolled back, by one of several workers', async () => {
    startWorker()
    startWorker()
    const run = await planned('whole')
    expect(await statesOf(run)).toEqual(['planned', 'planned'])
    await expect(shop.idOf('whole')).rejects.toThrow()
    await request(run, 'applying')
    await until(run, 'done')
    expect(await statesOf(run)).toEqual(['applied', 'applied'])
    expect(woken.toSorted()).toEqual([2, 3])
    const [entry] = await listEntries(db, globals, 2, { ref: 'whole', limit: 1 })
    expect(entry).toMatchObject({ request_id: run.id, ref: await shop.idOf('whole') })
    await request(run, 'rolling_back')
    await until(run, 'done')
    expect(await statesOf(run)).toEqual(['rolled_back', 'rolled_back'])
    await expect(shop.idOf('whole')).rejects.toThrow()
    // The rollback can be rolled back too.
    const [undone] = await listEntries(db, globals, 2, { ref: 'whole', limit: 1 })
    expect(undone).toMatchObject({ action: 'deleted', request_id: expect.any(String) })
    expect(undone?.request_id).not.toBe(run.id)
  })

  it('leaves out a site that its description does not select', async () => {
    startWorker()
    const run = await recordRun(network, {
      state: 'applying',
      description: describeFrame('narrowed', [3]),
      sites: { 2: 'planned', 3: 'planned' },
    })
    await until(run, 'done')
    expect(await statesOf(run)).toEqual(['skipped', 'applied'])
    expect((await listRunSites(db, globals, run.id))[0]?.message).toContain('does not select it')
  })

  it.each(['failed', 'refused', 'blocked'] as const)(
    'leaves out the other sites after too many failures: %s',
    async (before) => {
      startWorker()
      const description = describeFrame(`after-${before}`, [2, 3])
      const sites = { 2: before, 3: 'planned' } as const
      const record = (maxFailures: number) =>
        recordRun(network, { state: 'applying', description, sites, maxFailures })
      const [none, one] = [await record(0), await record(1)]
      await until(none, 'done')
      expect(await statesOf(none)).toEqual([before, 'skipped'])
      await until(one, 'done')
      expect(await statesOf(one)).toEqual([before, 'applied'])
    },
  )

  it('fails with the reason if its description does not fit together any more', async () => {
    startWorker()
    const description = { ...describeFrame('clash', [2]), bundles: {} }
    const run = await recordRun(network, { state: 'planning', description })
    expect((await until(run, 'failed'))?.message).toContain('There is no bundle "base".')
  })

  it('keeps the state of a site that cannot be rolled back, and can be rolled back again', async () => {
    startWorker()
    const run = await planned('again')
    await request(run, 'applying')
    await until(run, 'done')
    await db.sql.raw(
      `CREATE TRIGGER refuse_back BEFORE DELETE ON ${shop.site.tables.options} FOR EACH ROW
        IF OLD.option_name LIKE 'svc_frame%' THEN SIGNAL SQLSTATE '45000'; END IF`,
    )
    try {
      await request(run, 'rolling_back')
      await until(run, 'done')
    } finally {
      await db.sql.raw('DROP TRIGGER refuse_back')
    }
    expect(await statesOf(run)).toEqual(['applied', 'rolled_back'])
    expect((await listRunSites(db, globals, run.id))[0]?.message).toContain('unexpected error')
    await request(run, 'rolling_back')
    await until(run, 'done')
    expect(await statesOf(run)).toEqual(['rolled_back', 'rolled_back'])
    await expect(shop.idOf('again')).rejects.toThrow()
  })
})

describe('a run that another process has claimed', () => {
  it('is continued when that process is killed', async () => {
    startWorker()
    const run = await planned('killed')
    await stopWorkers()
    await request(run, 'applying')
    // The process with this claim never does anything.
    await takeTask(db, globals, { name: nameOfRunTask(run.id), owner: newOwner(), leaseMs: 1000 })
    startWorker()
    await until(run, 'done')
    expect(await statesOf(run)).toEqual(['applied', 'applied'])
  })

  it('is left to it', async () => {
    startWorker()
    const run = await planned('taken')
    const row = () => taskRow(network, nameOfRunTask(run.id))
    const other = newOwner()
    // One of its sites waits for this write.
    await db.write({ site: shop.site }, async () => {
      await request(run, 'applying')
      await eventually(async () =>
        expect(await row()).toMatchObject([{ owner: expect.any(String) }]),
      )
      await row().update({ owner: other, due_at: db.sql.raw('NOW(6) + INTERVAL 30 SECOND') })
      // The worker finds out at its next renewal.
      const renewed = written + 1
      await eventually(() => expect(written).toBeGreaterThanOrEqual(renewed))
    })
    // It has ended its work on the run when it plans another one.
    await planned('next')
    expect([await row(), (await findRun(db, globals, run.id))?.state]).toMatchObject([
      [{ owner: other }],
      'applying',
    ])
  })
})
