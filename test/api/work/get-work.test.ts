import { beforeEach, describe, expect, it } from 'vitest'
import { type Executor, skippedEffects } from '../../../src/build/executor/executor.ts'
import type { Effects } from '../../../src/host/effects.ts'
import { useApi } from '../../support/api.ts'
import { buildElsewhere, endElsewhere, putWork } from '../../support/work-rows.ts'

/** Added to the effects of each change. */
let unfinished: Partial<Effects>
/** An executor whose budget ends before anything is built. */
const executor: Executor = {
  apply: async (_site, change) => ({ ...skippedEffects(change), ...unfinished }),
  rebake: async () => ({ ...skippedEffects({ bake: true }), ...unfinished }),
  render: async () => undefined,
}
const { network, api } = await useApi({ executor })
const agent = await api.as('alice')
beforeEach(() => {
  unfinished = {}
})

const NONE = { pages: 0, frames: 0, purges: 0 }

describe('GET /work', () => {
  it('reports that nothing is pending', async () => {
    expect((await agent.get('/site/2/work')).body).toEqual({
      success: true,
      site_id: 2,
      pending: NONE,
      running: NONE,
      failing: NONE,
      failures: [],
      oldest: null,
      names: { users: {}, pages: {} },
    })
  })

  it('reports what is pending, running and failing on the site only', async () => {
    await buildElsewhere(network, 2)
    await putWork(network, 2, [
      { name: '7', due: -1 },
      { name: '8', since: -900, tries: 2, due: 200, error: 'The disk is full.' },
      { kind: 'menus' },
    ])
    await putWork(network, 4, [{ name: '9', tries: 1, error: 'secret' }])
    const { status, body } = await agent.get('/site/2/work')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      pending: { pages: 2, frames: 1, purges: 0 },
      running: { pages: 1, frames: 0, purges: 0 },
      failing: { pages: 1, frames: 0, purges: 0 },
      failures: [{ kind: 'page', name: '8', tries: 2, error: 'The disk is full.' }],
    })
    expect(body.oldest.since).toBe(body.failures[0].since)
    expect(body.oldest.age_s).toBeGreaterThanOrEqual(900)
    expect(body.failures[0].next_try_in_s).toBeGreaterThan(100)
    expect(JSON.stringify(body)).not.toContain('secret')
    for (const blogId of [2, 4]) await putWork(network, blogId, [])
    await endElsewhere(network, 2)
  })
})

describe('GET /network/work', () => {
  it('reports the sites with work and what fails, to super administrators only', async () => {
    expect((await agent.get('/network/work')).status).toBe(403)
    const admin = await api.as('admin')
    await putWork(network, 2, [{ name: '8', since: -900, tries: 2, error: 'The disk is full.' }])
    await putWork(network, 3, [{ kind: 'menus' }])
    const { body } = await admin.get('/network/work')
    const work = { pages: 1, frames: 0, purges: 0 }
    expect(body).toMatchObject({
      total: { pending: { pages: 1, frames: 1 }, failing: work },
      sites_total: 2,
      sites: [{ site_id: 2, address: 'net.test/shop', pending: work }, { site_id: 3 }],
      failures: [{ site_id: 2, kind: 'page', name: '8', error: 'The disk is full.' }],
      names: { pages: { 2: { 8: expect.any(String) } } },
    })
    for (const blogId of [2, 3]) await putWork(network, blogId, [])
    expect((await admin.get('/network/work')).body).toMatchObject({
      total: { pending: NONE, oldest: null },
      sites: [],
    })
  })
})

describe('the response to a write whose effects are not finished', () => {
  const pending = { pages: 1850, frames: 1 }
  const PENDING = { ...pending, read_work_at: '/site/2/work' }

  it('says how much is pending, and where to read it', async () => {
    const { rebaked, republish } = skippedEffects({ bake: true })
    unfinished = {
      bake: { status: 'pending' },
      rebaked: { ...rebaked, status: 'pending' },
      republish: { ...republish, status: 'pending' },
      pending,
    }
    const states = {
      bake: { status: 'pending' },
      rebaked: { status: 'pending' },
      republish: { status: 'pending' },
      pending: PENDING,
    }
    const created = await agent.post('/site/2/frames').send({ slug: 'late', html: '<p>1</p>' })
    expect(created).toMatchObject({ status: 200, body: states })
    const assigned = await agent.post('/site/2/frames/late/assign').send({ page: 10 })
    expect(assigned).toMatchObject({
      status: 200,
      body: {
        static: { published: false, reason: 'pending' },
        republish: { status: 'pending' },
        pending: PENDING,
      },
    })
    const rebuilt = await agent.post('/site/2/frames/rebake').send({ all: true })
    expect(rebuilt.body.pending).toEqual(PENDING)
  })

  it('has no such field if everything is built', async () => {
    const { body } = await agent.post('/site/2/frames').send({ slug: 'done', html: '<p></p>' })
    expect(body).not.toHaveProperty('pending')
  })
})
