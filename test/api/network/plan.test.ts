import { createHash } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'
import { startRunWorker } from '../../support/run-worker.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use } from '../../support/use.ts'

const api = await useMenusApi()
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
/** Plans a description, and waits for it. */
const planned = async (body: object) => {
  const { body: answer } = await send('post', '/plans', body)
  expect(answer, JSON.stringify(answer)).toMatchObject({ success: true })
  return until(answer.plan.id, 'planned')
}
const createPlan = async (name: string): Promise<string> =>
  (await planned(description(name, '<p>1</p>'))).plan.id

describe('plans over HTTP', () => {
  it('plans, applies and takes back in the background', async () => {
    const id = await createPlan('http-plan')
    expect(await until(id, 'planned')).toMatchObject({
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
    const id = await createPlan('http-canary')
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

  it('is done when the canary reaches the last site', async () => {
    const id = await createPlan('http-whole-canary')
    await send('post', `/plans/${id}/apply`, { canary: 5 })
    expect(await until(id, 'done')).toMatchObject({ plan: { sites: { applied: 2 } } })
  })

  it('blocks sites whose frames have errors, unless it refuses nothing', async () => {
    const body = description('http-mistake', '<b data-op-bind="site.titel"></b>')
    const refused = await planned(body)
    expect(refused).toMatchObject({ plan: { sites: { blocked: 2 } } })
    expect(refused.results[0].message).toContain('"site.title"')
    const allowed = await planned({ ...body, refuses: 'nothing' })
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
    const id = await createPlan('http-pages')
    const first = await send('get', `/plans/${id}?limit=1`)
    expect(first.body).toMatchObject({ results: [{ site_id: 2 }], next: 2 })
    const second = await send('get', `/plans/${id}?limit=1&after=2`)
    expect(second.body).toMatchObject({ results: [{ site_id: 3 }], next: null })
  })

  it('rejects what is no description, and a plan that is not ready', async () => {
    expect(await send('post', '/plans', { version: 1 })).toMatchObject({ status: 400 })
    const id = await createPlan('http-early')
    expect((await send('post', `/plans/${id}/rollback`)).body.error).toBe('plan_not_ready')
  })

  it('reports a description that does not fit together', async () => {
    const sites = [{ match: { id: 2 }, bundles: ['missing'] }]
    const { status, body } = await send('post', '/plans', {
      ...description('http-wrong', ''),
      sites,
    })
    expect([status, body.error]).toEqual([400, 'bad_description'])
    expect(body.problems).toEqual([
      { at: 'sites.0.bundles', message: 'There is no bundle "missing".' },
    ])
    const nowhere = { ...description('http-none', ''), sites: [{ match: { id: 99 } }] }
    const { body: answer } = await send('post', '/plans', nowhere)
    expect(answer.warnings).toEqual([
      'Selection 1 ({"id":[99]}) matches no site.',
      'No selection names the bundle "base".',
    ])
  })
})

const applied = async (body: object, options: object = {}) => {
  const { plan } = await planned(body)
  await send('post', `/plans/${plan.id}/apply`, options)
  return until(plan.id, 'done')
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('a plan of some sites', () => {
  it('is limited to selected ones', async () => {
    const body = { ...description('http-only', '<p>1</p>'), only: [3] }
    expect((await planned(body)).results).toMatchObject([{ site_id: 3, address: 'net.test/docs' }])
    const { status, body: answer } = await send('post', '/plans', { ...body, only: [1] })
    expect([status, answer.message]).toEqual([400, 'The description does not select site 1.'])
  })
})

describe('the details of a plan', () => {
  it('are the diffs of the sites of a page, and the titles of their pages', async () => {
    await shop.frame('http-shown', '<p>old</p>')
    const page = await shop.page({ slug: 'http-page', title: 'Shown here' })
    await shop.assign('http-shown', [page], { bake: false })
    const { plan } = await planned(description('http-shown', '<p>new</p>'))
    const { body } = await send('get', `/plans/${plan.id}?details=1&limit=1`)
    expect(body.results).toMatchObject([
      { site_id: 2, pages: 1, page_ids: [page], steps: [{ action: 'replaced' }] },
    ])
    expect(body.results[0].steps[0].diff).toContain('-<p>old</p>\n')
    expect(body.names.pages).toEqual({ 2: { [page]: 'Shown here' } })
    const { body: plain } = await send('get', `/plans/${plan.id}?limit=1`)
    expect(plain.results[0].steps[0].diff).toBeUndefined()
    // What the site would not get any more has no diff.
    await shop.frame('http-shown', '<p>newer</p>')
    const { body: moved } = await send('get', `/plans/${plan.id}?details=1&limit=1`)
    expect(moved.results[0].steps[0].diff).toBeUndefined()
  })
})

describe('a single change', () => {
  it('has a title, and its sites do not drift', async () => {
    const body = { ...description('http-single', '<p>1</p>'), title: 'Push of frames' }
    const { plan } = await applied(body)
    expect(plan).toMatchObject({ name: '', title: 'Push of frames' })
    const { body: listed } = await send('get', '/plans?limit=1')
    expect(listed.plans).toMatchObject([{ title: 'Push of frames' }])
    expect((await send('get', '/drift?name=http-single')).body).toMatchObject({ total: 0 })
    const ofSite = await api.as('admin')('get', '/site/2/history?ref=http-single')
    const ofNetwork = await send('get', '/history?ref=http-single')
    for (const { body: history } of [ofSite, ofNetwork])
      expect(history.entries[0]).toMatchObject({ request_id: plan.id, run: 'Push of frames' })
    const [other] = (await api.as('admin')('get', '/site/2/history?ref=http-shown')).body.entries
    expect(other.run).toBeNull()
  })

  it('replaces a text, and nothing else with it', async () => {
    const replace = { from: 'one.test', to: 'www.one.test' }
    const body = { ...description('http-replaced', '<p>1</p>'), replace }
    expect((await send('post', '/plans', body)).body.error).toBe('bad_description')
  })
})

describe('a frame that its author has seen', () => {
  const plan = (frame: object) =>
    planned({
      version: 1,
      name: 'seen',
      sites: [{ match: { id: 2 }, bundles: ['base'] }],
      bundles: { base: { frames: [frame] } },
    })
  const conflictOf = async (frame: object): Promise<string | undefined> => {
    const [site] = (await plan(frame)).results
    return site.problems[0] && `${site.problems[0].reason}: ${site.problems[0].message}`
  }

  it('is found by its id, and keeps the slug that it has got', async () => {
    await shop.frame('seen-id', '1')
    const id = await shop.idOf('seen-id')
    const before = sha256('1')
    const kept = await plan({ slug: 'seen-before', html: '2', id, before })
    expect(kept.results[0].steps).toMatchObject([{ name: 'seen-id', action: 'replaced' }])
    const renamed = { slug: 'seen-after', html: '2', id, before }
    const found = await plan({ ...renamed, formerly: ['seen-id'] })
    expect(found.results[0].steps).toMatchObject([{ action: 'renamed', from: 'seen-id' }])
    expect(await conflictOf({ ...renamed, formerly: ['seen-former'] })).toContain(
      '"seen-former" was renamed to "seen-id"',
    )
    await shop.frame('seen-after', 'other')
    expect(await conflictOf({ ...renamed, formerly: ['seen-id'] })).toContain('slug_taken')
  })

  it('has no markup if it is to be absent', async () => {
    const frames = [{ slug: 'seen-absent', absent: true, html: '' }]
    const both = { ...description('seen', ''), bundles: { base: { frames } } }
    expect((await send('post', '/plans', both)).status).toBe(400)
  })
})

describe('a menu that is fitted to a site', () => {
  const plan = async (menu: object, id = 2) => {
    const { results } = await planned({
      version: 1,
      name: 'fitted',
      sites: [{ match: { id }, bundles: ['base'] }],
      bundles: { base: { menus: [{ name: 'Fitted', slug: 'fitted', items: [], ...menu }] } },
    })
    return results[0]
  }

  it('gets a number, and is not assigned to locations of other themes', async () => {
    await shop.menu({ name: 'Fitted twin', items: [] })
    const locations = [{ location: 'header', theme: 'another' }]
    const site = await plan({ name: 'Fitted twin', locations, adapt: true })
    expect(site).toMatchObject({ state: 'planned', steps: [{ kind: 'menu', action: 'created' }] })
    expect(site.warnings.map(({ reason }: { reason: string }) => reason)).toEqual([
      'location_of_another_theme',
      'name_changed',
    ])
    const taken = await plan({ name: 'Fitted twin' })
    expect(taken.problems).toMatchObject([{ reason: 'name_taken' }])
  })

  it('links the pages of a language, which the site must have', async () => {
    const items = [{ page: 'about-us' }]
    expect(await plan({ items, lang: 'fr' })).toMatchObject({ state: 'planned', problems: [] })
    expect((await plan({ items, lang: 'xx' })).problems).toMatchObject([
      { kind: 'menu', reason: 'unknown_language' },
    ])
  })
})
