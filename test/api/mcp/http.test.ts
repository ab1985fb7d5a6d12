import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { type McpOptions, serveMcp } from '../../../src/api/mcp/serve-mcp.ts'
import { bodyBudget } from '../../../src/api/request-body.ts'
import { createLog } from '../../../src/host/log.ts'
import { RateLimits } from '../../../src/record/auth/rate-limits.ts'
import { TokenUse } from '../../../src/record/auth/tokens.ts'
import { startApi } from '../../support/api.ts'
import { connectMcp } from '../../support/mcp.ts'
import { useNetwork } from '../../support/network.ts'
import { use } from '../../support/use.ts'

const network = await useNetwork()
const tokenUse = new TokenUse(network.db, network.globals, createLog('silent'))
const api = await use(startApi(network, { basePath: '/wp-json/svc', tokenUse }))
const token = await api.token('alice')

const PATH = '/wp-json/svc/mcp'
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const post = () =>
  request(api.url)
    .post(PATH)
    .set('Authorization', `Bearer ${token}`)
    .set('Accept', 'application/json, text/event-stream')

describe('the MCP endpoint', () => {
  it('answers one message for each request, and keeps nothing between them', async () => {
    const response = await post().send(PING)
    expect(response.status).toBe(200)
    expect(response.text).toContain('"result":{}')
    expect(response.get('Mcp-Session-Id')).toBeUndefined()
    expect(response.get('X-Request-Id')).toBeDefined()
  })

  it('applies a plan at another instance than the one that has planned it', async () => {
    const other = await use(startApi(network))
    const [here, there] = await Promise.all([
      use(connectMcp(`${api.url}/wp-json/svc`, token)),
      use(connectMcp(other.url, token)),
    ])
    const body = { slug: 'two-instances', html: '<p>x</p>' }
    const { plan_id } = await here.call('create_frame', { site_id: 2, ...body })
    await there.call('apply_planned_write', { plan_id })
    expect((await here.call('get_frame', { site_id: 2, ref: body.slug })).frame.html).toBe(
      body.html,
    )
  })

  it('is opened again at the next request if that has failed', async () => {
    const opened: boolean[] = []
    const options = { bodies: bodyBudget(), basePath: '' } as unknown as McpOptions
    const mcp = serveMcp(options, async () => {
      opened.push(opened.length > 0)
      if (opened.length === 1) throw new Error('too many open files')
      return async () => Response.json({ answered: true })
    })
    const other = await use(startApi(network, { mcp }))
    const send = async () =>
      request(other.url)
        .post('/mcp')
        .set('Authorization', `Bearer ${await other.token('alice')}`)
        .send(PING)
    const failed = await send()
    expect([failed.status, failed.body.code]).toEqual([500, 'internal_error'])
    expect((await send()).body).toEqual({ answered: true })
    await send()
    // Not for each request.
    expect(opened).toEqual([false, true])
  })

  it('needs a token', async () => {
    const response = await request(api.url).post(PATH).send(PING)
    expect([response.status, response.body.code]).toEqual([401, 'missing_token'])
    const wrong = await request(api.url).post(PATH).set('Authorization', 'Bearer op_x').send(PING)
    expect([wrong.status, wrong.body.code]).toEqual([401, 'invalid_token'])
  })

  it.each(['http://net.test', 'http://127.0.0.1', 'null'])(
    'refuses requests of browsers, from %s',
    async (origin) => {
      const response = await post().set('Origin', origin).send(PING)
      expect(response.status).toBe(403)
    },
  )

  it('refuses a list of messages, of which each would be one request of the rate limit', async () => {
    const response = await post().send([PING, PING])
    expect([response.status, response.body.code]).toEqual([400, 'rest_invalid_json'])
  })

  it('refuses what is not JSON, and methods that need a session', async () => {
    const text = await post().type('text').send('x')
    expect(text.status).toBe(415)
    for (const method of ['get', 'delete', 'put', 'options', 'trace'] as const) {
      const agent = request(api.url)[method](PATH)
      const response = await agent.set('Authorization', `Bearer ${await api.token('alice')}`)
      expect([method, response.status, response.get('Allow')]).toEqual([method, 405, 'POST'])
    }
  })

  it('refuses subscriptions, which would stay open', async () => {
    const session = await use(connectMcp(`${api.url}/wp-json/svc`, token))
    await expect(session.client.listen({ toolsListChanged: true })).rejects.toThrow()
  })

  it('counts failures of tools for the token, refused and other ones', async () => {
    const session = await use(connectMcp(`${api.url}/wp-json/svc`, await api.token('bob')))
    await session.fail('list_frames', { site_id: 1 })
    await session.fail('list_frames', { site_id: 999 })
    await session.fail('get_menu', { site_id: 1, ref: 'main' })
    await tokenUse.storeFailures()
    const { db, globals } = network
    const rows = await db
      .sql(`${globals.basePrefix}svc_token_failures`)
      .join(`${globals.basePrefix}svc_tokens`, 'id', 'token_id')
      .select('refused', 'failed')
    expect(rows.some(({ refused }) => refused === 3)).toBe(true)
  })

  it('counts each message in the limit of the token', async () => {
    const limits = new RateLimits({ rateLimitPerMinute: 4, authFailuresPerMinute: 0 })
    const limited = await use(startApi(network, { limits }))
    const send = async () =>
      request(limited.url)
        .post('/mcp')
        .set('Authorization', `Bearer ${await limited.token('alice')}`)
        .set('Accept', 'application/json, text/event-stream')
        .send(PING)
    const statuses = []
    for (let sent = 0; sent < 5; sent += 1) statuses.push((await send()).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429])
  })
})
