import { describe, expect, it } from 'vitest'
import { endpointsOn } from '../../../src/api/endpoints.ts'
import { createLog } from '../../../src/host/log.ts'
import { issueToken, TokenUse } from '../../../src/record/auth/tokens.ts'
import { startApi } from '../../support/api.ts'
import { cloneNetwork } from '../../support/network.ts'
import { use } from '../../support/use.ts'

const network = await use(cloneNetwork())
const tokenUse = new TokenUse(network.db, network.globals, createLog('silent'))
const api = await use(startApi(network, { tokenUse }))

const ROWS = [
  { route: 'get /sites', answer: 200 },
  { route: 'get /work', answer: 200 },
  { route: 'get /plans', answer: 200 },
  { route: 'get /drift', answer: 200 },
  { route: 'get /history', answer: 200 },
  { route: 'get /changes', answer: 200 },
  { route: 'get /history/:entry', path: '/history/999999', answer: 404 },
  {
    route: 'post /plans',
    body: { version: 1, name: 'row', bundles: {}, sites: [{ match: { id: 2 } }] },
    answer: 200,
  },
  { route: 'get /plans/:id', path: '/plans/none', answer: 404 },
  { route: 'post /plans/:id/apply', path: '/plans/none/apply', body: {}, answer: 404 },
  { route: 'post /plans/:id/rollback', path: '/plans/none/rollback', answer: 404 },
  { route: 'get /tokens', answer: 200 },
  { route: 'get /webhooks', answer: 200 },
  { route: 'post /webhooks', body: { url: 'https://example.com/' }, answer: 200 },
  { route: 'get /webhooks/:id', path: '/webhooks/none', answer: 404 },
  { route: 'patch /webhooks/:id', path: '/webhooks/none', body: {}, answer: 404 },
  { route: 'delete /webhooks/:id', path: '/webhooks/none', answer: 404 },
  { route: 'post /webhooks/:id/rotate', path: '/webhooks/none/rotate', answer: 404 },
  { route: 'get /webhooks/:id/deliveries', path: '/webhooks/none/deliveries', answer: 404 },
  { route: 'post /webhooks/:id/test', path: '/webhooks/none/test', answer: 404 },
  {
    route: 'post /webhooks/:id/replay',
    path: '/webhooks/none/replay',
    body: { delivery: 1 },
    answer: 404,
  },
  { route: 'post /tokens', body: { user: 'nobody' }, answer: 404 },
  { route: 'post /tokens/:id/rotate', path: '/tokens/999999/rotate', answer: 404 },
  { route: 'delete /tokens/:id', path: '/tokens/999999', answer: 404 },
]

const send = async (
  { route, path, body }: { route: string; path?: string; body?: object },
  token: string | undefined,
) => {
  const [method = 'get', pattern = ''] = route.split(' ')
  const agent = await api.as()
  const request = agent[method as 'get'](`/network${path ?? pattern}`)
  if (token !== undefined) request.set('Authorization', `Bearer ${token}`)
  const { status, body: answer } = await request.send(body)
  return { status, body: answer }
}

const limited = async (limits: Parameters<typeof issueToken>[2]['limits'], userId = 1) => {
  const { db, globals } = network
  const request = { userId, now: new Date(), ...(limits ? { limits } : {}) }
  return db.write({}, (tx) => issueToken(tx, globals, request))
}

describe('the endpoints of the network', () => {
  it('all have a row', () => {
    expect(ROWS.map(({ route }) => route).sort()).toEqual(
      endpointsOn('network')
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    )
  })

  it.each(ROWS)('are for super administrators without limits on sites: $route', async (row) => {
    const of = async (token: string | undefined) => {
      const { status, body } = await send(row, token)
      return `${status} ${body.code ?? ''}`.trim()
    }
    const isRead = endpointsOn('network').some(
      ({ method, path, scope }) => `${method} ${path}` === row.route && scope === 'read',
    )
    expect(await of(await api.token('admin'))).toBe(String(row.answer))
    for (const login of ['alice', 'bob', 'carol'])
      expect(await of(await api.token(login)), login).toBe('403 insufficient_role')
    expect(await of(undefined)).toBe('401 missing_token')
    expect(await of((await limited({ scope: 'all', sites: [1] })).token)).toBe(
      '403 insufficient_scope',
    )
    expect(await of((await limited({ scope: 'read', sites: null })).token)).toBe(
      isRead ? String(row.answer) : '403 insufficient_scope',
    )
  })

  it('issue a token with limits, list it, and revoke it', async () => {
    const admin = await api.token('admin')
    const body = { user: 'alice', label: 'narrow', scope: 'menus', sites: [2] }
    const { body: issued } = await send({ route: 'post /tokens', body }, admin)
    expect(issued).toMatchObject({ label: 'narrow', scope: 'menus', sites: [2], user_id: 2 })
    const shop = await api.as()
    const put = () =>
      shop
        .post('/site/2/frames')
        .set('Authorization', `Bearer ${issued.token}`)
        .send({ slug: 'no' })
    expect((await put()).body.code).toBe('insufficient_scope')
    await tokenUse.storeFailures()
    const list = async (query = '') => {
      const { body } = await send({ route: 'get /tokens', path: `/tokens${query}` }, admin)
      return body.tokens?.find(({ id }: { id: number }) => id === issued.id) ?? body.error
    }
    const listed = { login: 'alice', scope: 'menus', sites: [2], refused: 1, failed: 0 }
    expect(await list()).toMatchObject(listed)
    expect(await list('?user=alice')).toMatchObject(listed)
    expect(await list('?user=bob')).toBeUndefined()
    expect(await list('?user=nobody')).toBe('user_not_found')
    await send({ route: 'delete /tokens/:id', path: `/tokens/${issued.id}` }, admin)
    expect((await put()).status).toBe(401)
    const { body: history } = await send(
      { route: 'get /history', path: '/history?kind=token' },
      admin,
    )
    expect(history.entries.slice(0, 2)).toMatchObject([
      { action: 'revoked', name: 'narrow', user_id: 1 },
      { action: 'issued', name: 'narrow', user_id: 1 },
    ])
  })

  it('reject limits that are none', async () => {
    const admin = await api.token('admin')
    for (const more of [{ scope: 'most' }, { sites: [] }, { expires_at: '2001-01-01' }]) {
      const { status } = await send(
        { route: 'post /tokens', body: { user: 'alice', ...more } },
        admin,
      )
      expect({ more, status }).toEqual({ more, status: 400 })
    }
  })
})
