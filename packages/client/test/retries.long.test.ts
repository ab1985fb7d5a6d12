import { createServer } from 'node:http'
import { describe, expect, it, vi } from 'vitest'
import { startApi, useApi } from '../../../test/support/api.ts'
import { listen } from '../../../test/support/listen.ts'
import { type Client, type ClientOptions, createClient, type Retry } from '../src/index.ts'

const { network, api } = await useApi()
const token = await api.token('alice')

/** A client that records its retries, and each request with what became of it. */
function observed(options: Partial<ClientOptions>): {
  client: Client
  retries: Retry[]
} {
  const retries: Retry[] = []
  const onRetry = (retry: Retry) => retries.push(retry)
  return { client: createClient({ url: api.url, token, onRetry, ...options }), retries }
}

/** Sends requests, but replaces what the first ones return. */
function disturbed(...first: ((request: Request) => Promise<Response>)[]) {
  const keys: (string | null)[] = []
  const send = async (request: Request): Promise<Response> => {
    keys.push(request.headers.get('Idempotency-Key'))
    const disturb = first[keys.length - 1]
    return disturb ? disturb(request) : fetch(request)
  }
  return { send, keys }
}

const lost = async (): Promise<Response> => {
  throw new TypeError('fetch failed')
}
/** The request arrives, its response does not. */
const responseLost = async (request: Request): Promise<Response> => {
  await (await fetch(request)).text()
  return lost()
}
/** The connection ends within the response. */
const cut = async (request: Request): Promise<Response> => {
  const response = await fetch(request)
  const body = new ReadableStream({
    start: (controller) => controller.error(new TypeError('terminated')),
  })
  return new Response(body, response)
}
const refused =
  (status: number, headers: Record<string, string> = {}) =>
  async () =>
    new Response('', { status, headers })

const itemsOf = async (client: Client, menu: string) =>
  (await client.getMenu({ site_id: 2, ref: menu })).items.length

describe('requests are sent again', () => {
  it.each([
    ['before it arrives', lost],
    ['before the response', responseLost],
    ['within the response', cut],
  ])('when the connection is lost %s, and a write is stored once', async (when, disturb) => {
    const { send, keys } = disturbed(disturb)
    const { client, retries } = observed({ fetch: send })
    const plain = createClient({ url: api.url, token })
    const { menu } = await plain.createMenu({ site_id: 2, body: { name: `Lost ${when}` } })
    const body = { url: 'https://example.com/', title: 'Once' }
    const { item } = await client.createMenuItem({ site_id: 2, ref: String(menu.id), body })
    expect(item.title).toBe('Once')
    expect(await itemsOf(plain, String(menu.id))).toBe(1)
    expect(keys).toHaveLength(2)
    expect(keys[0]).toMatch(/^[\da-f-]{36}$/)
    expect(keys[1]).toBe(keys[0])
    expect(retries).toMatchObject([{ method: 'POST', attempt: 1, reason: expect.any(Error) }])
  })

  it('after the time that the service asks for', async () => {
    const { send } = disturbed(refused(429, { 'Retry-After': '1' }), refused(503))
    const { client, retries } = observed({ fetch: send })
    const timers = vi.spyOn(globalThis, 'setTimeout')
    await client.listFrames({ site_id: 2 })
    expect(timers.mock.calls.map(([, ms]) => ms)).toContain(1000)
    timers.mockRestore()
    expect(retries).toMatchObject([
      { reason: 429, waitSeconds: 1, attempt: 1 },
      { reason: 503, attempt: 2 },
    ])
  })

  it('when the rate limit of the service is reached', async () => {
    const { RateLimits } = await import('../../../src/record/auth/rate-limits.ts')
    const limits = new RateLimits({ rateLimitPerMinute: 1, authFailuresPerMinute: 0 })
    const limited = await startApi(network, { limits })
    const { client, retries } = observed({ url: limited.url, maxWaitSeconds: 0.5 })
    await client.listFrames({ site_id: 2 })
    // The service asks for more than the client may wait.
    await expect(client.listFrames({ site_id: 2 })).rejects.toMatchObject({
      code: 'too_many_requests',
      fields: { retry_after: expect.any(Number) },
    })
    expect(retries).toEqual([])
    await limited.close()
  })

  it('after pauses that double up to the longest wait', async () => {
    const { send, keys } = disturbed(lost, lost, lost, lost)
    const { client, retries } = observed({ fetch: send, maxWaitSeconds: 0.3 })
    await client.listMenus({ site_id: 2 })
    expect(keys).toHaveLength(5)
    expect(Math.max(...retries.map(({ waitSeconds }) => waitSeconds))).toBe(0.3)
  })

  it('when a proxy cannot reach the service', async () => {
    const { send, keys } = disturbed(refused(502, { 'Content-Type': 'text/html' }))
    await observed({ fetch: send }).client.listMenus({ site_id: 2 })
    expect(keys).toHaveLength(2)
  })
})

describe('requests are not sent again', () => {
  it('more often than asked', async () => {
    const { send, keys } = disturbed(lost, lost, lost)
    const { client } = observed({ fetch: send, retries: 1 })
    await expect(client.listMenus({ site_id: 2 })).rejects.toMatchObject({
      code: 'connection_failed',
      status: 0,
      message: expect.stringContaining('fetch failed'),
    })
    expect(keys).toHaveLength(2)
  })

  it('when the service has answered with an error', async () => {
    const { send, keys } = disturbed()
    const { client } = observed({ fetch: send })
    await expect(client.getFrame({ site_id: 2, ref: 'no' })).rejects.toThrow()
    expect(keys).toHaveLength(1)
  })

  it('when the executor of the service did not respond, because the write is stored', async () => {
    const unavailable = refused(502, { 'Content-Type': 'application/json' })
    const { send, keys } = disturbed(unavailable)
    const { client } = observed({ fetch: send })
    await expect(client.listMenus({ site_id: 2 })).rejects.toThrow()
    expect(keys).toHaveLength(1)
  })

  it('when the answer is too large even without a key', async () => {
    const body = { success: false, error: 'idempotent_answer_too_large', message: 'x' }
    const tooLarge = async () => Response.json(body, { status: 413 })
    const { send, keys } = disturbed(tooLarge, tooLarge, tooLarge, tooLarge)
    const create = observed({ fetch: send }).client.createMenu({
      site_id: 2,
      body: { name: 'Refused' },
    })
    await expect(create).rejects.toMatchObject({ code: body.error })
    expect(keys).toEqual([expect.any(String), null])
  })

  it('when a write has no key', async () => {
    const { send, keys } = disturbed(lost)
    const { client } = observed({ fetch: send, idempotencyKeys: false })
    const create = client.createMenu({ site_id: 2, body: { name: 'No key' } })
    await expect(create).rejects.toMatchObject({ code: 'connection_failed' })
    expect(keys).toEqual([null])
  })

  it('when the caller aborts', async () => {
    const { send, keys } = disturbed(refused(503, { 'Retry-After': '30' }))
    const { client } = observed({ fetch: send })
    const signal = AbortSignal.timeout(50)
    await expect(client.listMenus({ site_id: 2 }, { signal })).rejects.toThrow('timeout')
    expect(keys).toHaveLength(1)
  })
})

it('a wait for a plan ends when the caller aborts, also from within onProgress', async () => {
  const fetch = async () => Response.json({ success: true, plan: { state: 'planning' } })
  const { client } = observed({ fetch })
  const aborter = new AbortController()
  const onProgress = () => aborter.abort(new Error('enough'))
  const { signal } = aborter
  const started = performance.now()
  const wait = client.waitForPlan('id', { signal, onProgress, intervalSeconds: 5 })
  await expect(wait).rejects.toThrow('enough')
  expect(performance.now() - started).toBeLessThan(4000)
})

it.each(['planning', 'trying', 'applying', 'rolling_back'])(
  'a wait for a plan goes on while it is %s',
  async (state) => {
    const states = [state, state, 'planned'].values()
    const fetch = async () => Response.json({ success: true, plan: { state: states.next().value } })
    const { client } = observed({ fetch })
    const plan = await client.waitForPlan('id', { intervalSeconds: 0.001 })
    expect(plan.state).toBe('planned')
  },
)

it('a response that never comes is aborted by the caller', async () => {
  const silent = createServer(() => {})
  const server = await listen((request, response) => silent.emit('request', request, response))
  const { client } = observed({ url: `http://127.0.0.1:${server.port}` })
  const signal = AbortSignal.timeout(50)
  await expect(client.listMenus({ site_id: 2 }, { signal })).rejects.toThrow('timeout')
  await server.close()
})

it('the key of a caller is sent', async () => {
  const { send, keys } = disturbed()
  const { client } = observed({ fetch: send })
  const headers = { 'Idempotency-Key': 'my-key' }
  await client.createMenu({ site_id: 2, body: { name: 'With a key' } }, { headers })
  expect(keys).toEqual(['my-key'])
})
