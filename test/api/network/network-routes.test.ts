import { describe, expect, it } from 'vitest'
import { endpointsOn } from '../../../src/api/endpoints.ts'
import { createLog } from '../../../src/host/log.ts'
import type { TokenLimits } from '../../../src/record/auth/token-scopes.ts'
import { TokenUse } from '../../../src/record/auth/tokens.ts'
import { issueTokenFor, startApi } from '../../support/api.ts'
import { useNetwork } from '../../support/network.ts'
import { use } from '../../support/use.ts'
import { row } from '../route-rows.ts'

const network = await useNetwork()
const tokenUse = new TokenUse(network.db, network.globals, createLog('silent'))
const api = await use(startApi(network, { tokenUse }))

const ROWS = [
  row('get /sites', '200'),
  row('get /work', '200'),
  row('get /plans', '200'),
  row('get /drift', '200'),
  row('get /history', '200'),
  row('get /changes', '200'),
  row('get /history/:entry', '404'),
  row('post /plans', '200', {
    version: 1,
    name: 'row',
    bundles: {},
    sites: [{ match: { id: 2 } }],
  }),
  row('get /plans/:id', '404'),
  row('post /plans/:id/apply', '404', {}),
  row('post /plans/:id/rollback', '404'),
  row('get /tokens', '200'),
  row('get /webhooks', '200'),
  row('post /webhooks', '200', { url: 'https://example.com/' }),
  row('get /webhooks/:id', '404'),
  row('patch /webhooks/:id', '404', {}),
  row('delete /webhooks/:id', '404'),
  row('post /webhooks/:id/rotate', '404'),
  row('get /webhooks/:id/deliveries', '404'),
  row('post /webhooks/:id/test', '404'),
  row('post /webhooks/:id/replay', '404', { delivery: 1 }),
  row('post /tokens', '404', { user: 'nobody' }),
  row('post /tokens/:id/rotate', '404', undefined, '/tokens/999999/rotate'),
  row('delete /tokens/:id', '404', undefined, '/tokens/999999'),
]

const send = async (
  { route, path, body }: { route: string; path?: string; body?: object | undefined },
  token: string | undefined,
) => {
  const [method = 'get', pattern = ''] = route.split(' ')
  const agent = await api.as()
  const request = agent[method as 'get'](`/network${path ?? pattern}`)
  if (token !== undefined) request.set('Authorization', `Bearer ${token}`)
  const { status, body: answer } = await request.send(body)
  return { status, body: answer }
}

const limited = (limits: TokenLimits) => issueTokenFor(network, 'admin', { limits })

describe('the endpoints of the network', () => {
  it('all have a row', () => {
    expect(ROWS.map(({ route }) => route).sort()).toEqual(
      endpointsOn('network')
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    )
  })

  it.each(ROWS)('are for super administrators without limits on sites: $route', async (asked) => {
    const of = async (token: string | undefined) => {
      const { status, body } = await send(asked, token)
      return `${status} ${body.code ?? ''}`.trim()
    }
    const isRead = endpointsOn('network').some(
      ({ method, path, scope }) => `${method} ${path}` === asked.route && scope === 'read',
    )
    expect(await of(await api.token('admin'))).toBe(asked.answer)
    for (const login of ['alice', 'bob', 'carol'])
      expect(await of(await api.token(login)), login).toBe('403 insufficient_role')
    expect(await of(undefined)).toBe('401 missing_token')
    expect(await of(await limited({ scope: 'all', sites: [1] }))).toBe('403 insufficient_scope')
    expect(await of(await limited({ scope: 'read', sites: null }))).toBe(
      isRead ? asked.answer : '403 insufficient_scope',
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
