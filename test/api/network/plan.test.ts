import { describe, expect, it, vi } from 'vitest'
import { startMenusApi } from '../../support/menus-api.ts'
import { startRunWorker } from '../../support/run-worker.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use } from '../../support/use.ts'

const api = await use(startMenusApi())
const shop = createSiteFixture(api.network.db, api.site)
await use(startRunWorker(api.network))

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

  it('applies to a canary first, lists the plan with its author, and rolls back before the rest', async () => {
    const id = await createPlan('http-canary', '<p>1</p>')
    await until(id, 'planned')
    const { body: tried } = await send('post', `/plans/${id}/apply`, { canary: 1 })
    expect(['trying', 'planned']).toContain(tried.plan.state)
    await vi.waitUntil(async () => (await until(id, 'planned'))?.plan.sites.applied === 1, {
      timeout: 20_000,
    })
    const { results } = await until(id, 'planned')
    expect(results.map(({ state }: { state: string }) => state)).toEqual(['applied', 'planned'])
    const { body } = await send('get', '/plans?limit=5')
    const listed = body.plans.find((plan: { id: string }) => plan.id === id)
    expect(listed).toMatchObject({ name: 'http-canary', steps: 2, sites: { applied: 1 } })
    expect(body.names.users[listed.user_id]).toBe('admin')
    expect((await send('post', `/plans/${id}/rollback`)).status).toBe(200)
    expect(await until(id, 'done')).toMatchObject({ plan: { sites: { rolled_back: 1 } } })
    expect((await send('post', `/plans/${id}/apply`, { canary: 0 })).status).toBe(400)
  })

  it('applies to all that are left when the canary reaches the last site', async () => {
    const id = await createPlan('http-whole-canary', '<p>1</p>')
    await until(id, 'planned')
    await send('post', `/plans/${id}/apply`, { canary: 1 })
    await vi.waitUntil(async () => (await until(id, 'planned'))?.plan.sites.applied === 1, {
      timeout: 20_000,
    })
    await send('post', `/plans/${id}/apply`, { canary: 5 })
    expect(await until(id, 'done')).toMatchObject({ plan: { sites: { applied: 2 } } })
  })

  it('blocks sites whose frames have errors, unless it refuses nothing', async () => {
    const body = description('http-mistake', '<b data-op-bind="site.titel"></b>')
    const plan = async (refusal: object) => {
      const { body: answer } = await send('post', '/plans', { ...body, ...refusal })
      return until(answer.plan.id, 'planned')
    }
    const refused = await plan({})
    expect(refused).toMatchObject({ plan: { sites: { blocked: 2 } } })
    expect(refused.results[0].message).toContain('"site.title"')
    const allowed = await plan({ refuses: 'nothing' })
    expect(allowed).toMatchObject({ plan: { sites: { planned: 2 } } })
    expect(allowed.results[0].message).toContain('"site.title"')
    const { id } = allowed.plan
    await send('post', `/plans/${id}/apply`, {})
    expect(await until(id, 'done')).toMatchObject({ plan: { sites: { applied: 2 } } })
    expect((await send('post', '/plans', { ...body, refuses: 'all' })).status).toBe(400)
  })

  it('finds no plan under an id that is not ASCII', async () => {
    expect((await send('get', '/plans/%C2%80')).status).toBe(404)
    for (const path of ['%E2%82%AC/apply', '%E2%82%AC/rollback'])
      expect((await send('post', `/plans/${path}`, {})).status).toBe(404)
  })

  it('pages the sites', async () => {
    const id = await createPlan('http-pages', '<p>1</p>')
    await until(id, 'planned')
    const first = await send('get', `/plans/${id}?limit=1`)
    expect(first.body).toMatchObject({ results: [{ site_id: 2 }], next: 2 })
    const second = await send('get', `/plans/${id}?limit=1&after=2`)
    expect(second.body).toMatchObject({ results: [{ site_id: 3 }], next: null })
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
