import { afterAll, describe, expect, it, vi } from 'vitest'
import { newOwner, renewLease } from '../../../src/db/lease.ts'
import { claimRun } from '../../../src/plan/claim-run.ts'
import type { RunWorker } from '../../../src/plan/run-worker.ts'
import { runsTable } from '../../../src/plan/runs-table.ts'
import { eventually } from '../../support/eventually.ts'
import { startMenusApi } from '../../support/menus-api.ts'
import { startRunWorker } from '../../support/run-worker.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use } from '../../support/use.ts'

const api = await use(startMenusApi())
const shop = createSiteFixture(api.network.db, api.site)
const workers: RunWorker[] = []
const startWorker = () => void workers.push(startRunWorker(api.network))
// Two processes look for runs.
startWorker()
startWorker()
afterAll(() => Promise.all(workers.map((worker) => worker.stop())))

const description = (name: string, html: string) => ({
  version: 1,
  name,
  sites: [{ match: { id: [2, 3] }, bundles: ['base'] }],
  bundles: { base: { frames: [{ slug: name, html }] } },
})

const send = async (method: 'get' | 'post', path: string, body?: object) => {
  const agent = await api.api.as('admin')
  const request = agent[method](`/network${path}`)
  const { status, body: answer } = await (body ? request.send(body) : request)
  return { status, body: answer }
}
const until = (id: string, state: string) =>
  vi.waitUntil(
    async () => {
      const { body } = await send('get', `/plans/${id}?limit=200`)
      return body.plan.state === state ? body : undefined
    },
    { timeout: 20_000, interval: 50 },
  )
const createPlan = async (name: string, html: string): Promise<string> => {
  const { status, body } = await send('post', '/plans', description(name, html))
  expect(status, JSON.stringify(body)).toBe(200)
  return body.plan.id
}

describe('plans over HTTP', () => {
  it('plans, applies and takes back in the background', async () => {
    const id = await createPlan('http-plan', '<p>1</p>')
    const planned = await until(id, 'planned')
    expect(planned).toMatchObject({
      plan: { sites: { planned: 2 } },
      results: [
        { site_id: 2, steps: [{ kind: 'frame', name: 'http-plan', action: 'created' }] },
        { site_id: 3, steps_total: 1 },
      ],
      next: null,
    })
    expect((await send('post', `/plans/${id}/apply`, {})).status).toBe(200)
    expect(await until(id, 'done')).toMatchObject({ plan: { sites: { applied: 2 } } })
    const frameId = await shop.idOf('http-plan')
    const { body } = await api.as('admin')('get', '/site/2/history?kind=frame&ref=http-plan')
    expect(body.entries[0]).toMatchObject({ ref: frameId, request_id: id })
    // Repeating starts nothing.
    expect((await send('post', `/plans/${id}/apply`, {})).body.plan.state).toBe('done')
    expect((await send('post', `/plans/${id}/rollback`)).status).toBe(200)
    expect(await until(id, 'done')).toMatchObject({ plan: { sites: { rolled_back: 2 } } })
    await expect(shop.idOf('http-plan')).rejects.toThrow()
  })

  it('can take a site back after its first rollback failed', async () => {
    const { sql } = api.network.db
    const id = await createPlan('http-again', '<p>1</p>')
    await until(id, 'planned')
    await send('post', `/plans/${id}/apply`, {})
    await until(id, 'done')
    await sql.raw(
      `CREATE TRIGGER refuse_back BEFORE DELETE ON ${api.site.tables.options} FOR EACH ROW
        IF OLD.option_name LIKE 'svc_frame%' THEN SIGNAL SQLSTATE '45000'; END IF`,
    )
    try {
      await send('post', `/plans/${id}/rollback`)
      const { plan, results } = await until(id, 'done')
      expect(plan.sites).toEqual({ applied: 1, rolled_back: 1 })
      expect(results[0].message).toContain('unexpected error')
    } finally {
      await sql.raw('DROP TRIGGER refuse_back')
    }
    await send('post', `/plans/${id}/rollback`)
    expect(await until(id, 'done')).toMatchObject({ plan: { sites: { rolled_back: 2 } } })
    await expect(shop.idOf('http-again')).rejects.toThrow()
  })

  it('pages the sites', async () => {
    const id = await createPlan('http-pages', '<p>1</p>')
    await until(id, 'planned')
    const first = await send('get', `/plans/${id}?limit=1`)
    expect(first.body).toMatchObject({ results: [{ site_id: 2 }], next: 2 })
    const second = await send('get', `/plans/${id}?limit=1&after=2`)
    expect(second.body).toMatchObject({ results: [{ site_id: 3 }], next: null })
  })

  it('refuses a site that has changed since, and says what moved', async () => {
    const id = await createPlan('http-moved', '<p>1</p>')
    await until(id, 'planned')
    await shop.frame('http-moved', 'meanwhile')
    await send('post', `/plans/${id}/apply`, { max_failures: 5 })
    const { results } = await until(id, 'done')
    expect(results).toMatchObject([{ state: 'refused' }, { state: 'applied' }])
    expect(results[0].message).toContain('frame http-moved: planned: created, now: replaced')
  })

  it('continues what a killed process has claimed', async () => {
    const { db, globals } = api.network
    const id = await createPlan('http-killed', '<p>1</p>')
    await until(id, 'planned')
    for (const worker of workers.splice(0)) await worker.stop()
    await send('post', `/plans/${id}/apply`, {})
    // The process with this claim never does anything.
    const killed = await claimRun(db, globals, 0)
    if (!killed) throw new Error('the run was not claimed')
    expect(killed.run.id).toBe(id)
    // Of two claims of one run, only the later one can be renewed.
    const later = await claimRun(db, globals, 1)
    expect(await renewLease(db, killed.lease)).toBe(false)
    expect(later && (await renewLease(db, later.lease))).toBe(true)
    startWorker()
    startWorker()
    expect(await until(id, 'done')).toMatchObject({ plan: { sites: { applied: 2 } } })
  })

  it('leaves a run that another process has taken', async () => {
    const { db, globals } = api.network
    for (const worker of workers.splice(0)) await worker.stop()
    startWorker()
    const id = await createPlan('http-taken', '<p>1</p>')
    await until(id, 'planned')
    const run = () => db.sql(runsTable(globals)).where({ id })
    const other = newOwner()
    // One of its sites waits for this write.
    await db.write({ site: api.site }, async () => {
      await send('post', `/plans/${id}/apply`, {})
      await eventually(async () => expect(await run()).not.toMatchObject([{ owner: null }]))
      await run().update({ owner: other, due_at: db.sql.raw('NOW(6) + INTERVAL 30 SECOND') })
      // The worker renews its lease every two seconds.
      await db.sql.raw('SELECT SLEEP(2.5)')
    })
    // The worker has ended its work on the run when it plans another one.
    await until(await createPlan('http-next', '<p>1</p>'), 'planned')
    expect(await run()).toMatchObject([{ state: 'applying', owner: other }])
    await run().update({ owner: null, due_at: '2000-01-01' })
    await until(id, 'done')
  })

  it('rejects what is no description, unknown plans, and other users', async () => {
    expect(await send('post', '/plans', { version: 1 })).toMatchObject({ status: 400 })
    expect((await send('get', '/plans/none')).body.error).toBe('plan_not_found')
    const id = await createPlan('http-early', '')
    await until(id, 'planned')
    expect((await send('post', `/plans/${id}/rollback`)).body.error).toBe('plan_not_ready')
    const alice = await api.api.as('alice')
    expect((await alice.post('/network/plans').send(description('http-alice', ''))).status).toBe(
      403,
    )
  })

  it('reports a description that does not fit together', async () => {
    const { body } = await send('post', '/plans', {
      ...description('http-wrong', ''),
      sites: [{ match: { id: 2 }, bundles: ['missing'] }],
    })
    const failed = await until(body.plan.id, 'failed')
    expect(failed.plan.message).toContain('missing')
  })
})
