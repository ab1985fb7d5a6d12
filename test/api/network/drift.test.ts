import { describe, expect, it } from 'vitest'
import { createClient } from '../../../packages/client/src/index.ts'
import { useApi } from '../../support/api.ts'
import { startRunWorker } from '../../support/run-worker.ts'
import { use } from '../../support/use.ts'

const { network, api } = await useApi()
await use(startRunWorker(network))
const admin = await api.as('admin')
const client = createClient({ url: api.url, token: await api.token('admin') })

const read = async (query = '') => {
  const { status, body } = await admin.get(`/network/drift${query}`)
  expect({ query, status, body }).toMatchObject({ query, status: 200 })
  return body
}

async function apply(name: string, ids: number[], html: string): Promise<string> {
  const { plan } = await client.createPlan({
    body: {
      version: 1,
      name,
      sites: [{ match: { id: ids }, bundles: ['base'] }],
      bundles: { base: { frames: [{ slug: `${name}-frame`, html }] } },
    },
  })
  await client.waitForPlan(plan.id, { intervalSeconds: 0.05 })
  await client.applyPlan({ id: plan.id, body: {} })
  expect((await client.waitForPlan(plan.id, { intervalSeconds: 0.05 })).state).toBe('done')
  return plan.id
}

describe('GET /network/drift', () => {
  it('names what differs, what a repair would change, and who changed it', async () => {
    const plan = await apply('shared', [2, 3, 4], '<p>wanted</p>')
    const none = await read()
    expect(none.results).toMatchObject(
      [2, 3, 4].map((site_id) => ({
        site_id,
        description: 'shared',
        plan,
        drift: [],
        drift_total: 0,
        problems: [],
      })),
    )
    const alice = await api.as('alice')
    const written = await alice.put('/site/2/frames/shared-frame').send({ html: '<p>changed</p>' })
    const { results } = await read()
    expect(results[0]).toMatchObject({
      site_id: 2,
      address: 'net.test/shop',
      drift_total: 1,
      drift: [
        {
          kind: 'frame',
          name: 'shared-frame',
          action: 'replaced',
          by: { user_id: 2, request_id: written.headers['x-request-id'] },
        },
      ],
    })
    expect(results[0].drift[0].diff).toContain('-<p>changed</p>')
    expect(results[0].drift[0].diff).toContain('+<p>wanted</p>')
    expect(results.slice(1)).toMatchObject([{ drift_total: 0 }, { drift_total: 0 }])
  })

  it('gives pages of sites, and selects a description', async () => {
    await apply('other', [3], '<p>other</p>')
    const first = await read('?limit=2')
    expect(first).toMatchObject({
      total: 3,
      next: 3,
      results: [
        { site_id: 2, description: 'shared' },
        { site_id: 3, description: 'other' },
        { site_id: 3, description: 'shared' },
      ],
    })
    expect(await read('?limit=2&after=3')).toMatchObject({
      next: null,
      results: [{ site_id: 4 }],
    })
    expect(await read('?name=other')).toMatchObject({
      total: 1,
      results: [{ site_id: 3, description: 'other' }],
    })
    const { status } = await admin.get('/network/drift?limit=21')
    expect(status).toBe(400)
  })
})
