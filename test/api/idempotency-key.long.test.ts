import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { AppError } from '../../src/host/errors.ts'
import { KEPT_ANSWERS, RateLimits } from '../../src/record/auth/rate-limits.ts'
import { answersTable, pruneAnswers } from '../../src/record/idempotency/kept-answers.ts'
import { issueTokenFor, startApi } from '../support/api.ts'
import { useMenusApi } from '../support/menus-api.ts'
import { statementsOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

const api = await useMenusApi()
await api.send('post', '/frames', { slug: 'one', html: 'one', bake: false })
await api.makeMenu(['about-us'], { slug: 'kept', name: 'Kept' })

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
type Sent = { readonly as?: string; readonly token?: string; readonly headers?: object }

/** Sends a request with a key. @param path of the shop, or of the network */
async function send(
  key: string,
  method: Method,
  path: string,
  body?: object,
  { as = 'alice', token, headers = {} }: Sent = {},
) {
  const agent = await api.api.as()
  const request = agent[method](path.startsWith('/network') ? path : `/site/2${path}`)
    .set('Authorization', `Bearer ${token ?? (await api.api.token(as))}`)
    .set({ 'Idempotency-Key': key, ...headers })
  const answer = await (body === undefined ? request : request.send(body))
  return {
    status: answer.status,
    body: answer.body,
    etag: answer.headers.etag,
    isReplayed: answer.headers['idempotency-replayed'] === 'true',
    requestId: answer.headers['x-request-id'],
    /** Of the request that has written. */
    writtenBy: answer.headers['idempotency-request-id'] ?? answer.headers['x-request-id'],
  }
}

const entries = async () => (await api.send('get', '/history')).body.entries
const table = () => answersTable(api.network.globals)
const rows = () => api.network.db.sql(table())

describe('Idempotency-Key', () => {
  it.each<[Method, string, object | undefined, string?]>([
    ['post', '/frames', { slug: 'new', html: '<p>new</p>' }],
    ['post', '/frames/one/assign', { page: 3 }],
    ['post', '/menus', { name: 'Twice', location: 'footer_2', items: ['about-us'] }],
    ['delete', '/menus/kept', undefined],
    ['post', '/restore', { at: '2100-01-01T00:00:00Z' }],
    ['post', '/batch', { requests: [{ method: 'PUT', path: '/frames/one', body: { html: '3' } }] }],
    ['post', '/network/tokens', { user: 'alice', label: 'twice' }, 'admin'],
  ])('returns the first answer to the same request: %s %s', async (method, path, body, as) => {
    const key = randomUUID()
    const first = await send(key, method, path, body, { ...(as ? { as } : {}) })
    expect([first.status, first.isReplayed], JSON.stringify(first.body)).toEqual([200, false])
    const before = await entries()
    const second = await send(key, method, path, body, { ...(as ? { as } : {}) })
    expect(second).toEqual({ ...first, isReplayed: true, requestId: second.requestId })
    expect(second.requestId).not.toBe(first.requestId)
    expect(second.writtenBy).toBe(first.requestId)
    expect(await entries()).toEqual(before)
  })

  it('reports the effects like a request without a key', async () => {
    const { body } = await send(randomUUID(), 'put', '/frames/one', { html: '<p>effects</p>' })
    expect(body).toMatchObject({ bake: { status: 'ok' }, republish: { status: 'ok' } })
  })

  it.each<[string, Method, string, object, object?]>([
    ['body', 'put', '/frames/one', { html: 'other' }],
    ['path', 'put', '/frames/new', { html: 'same' }],
    ['method', 'patch', '/frames/one', { html: 'same', slug: 'one' }],
    ['condition', 'put', '/frames/one', { html: 'same' }, { 'If-Match': '"x"' }],
    ['query', 'put', '/frames/one?a=1', { html: 'same' }],
  ])('refuses another %s with the same key', async (_what, method, path, body, headers = {}) => {
    const key = randomUUID()
    expect((await send(key, 'put', '/frames/one', { html: 'same' })).status).toBe(200)
    const before = await entries()
    const answer = await send(key, method, path, body, { headers })
    expect([answer.status, answer.body.error]).toEqual([409, 'idempotency_key_reused'])
    expect(await entries()).toEqual(before)
  })

  it('belongs to a token', async () => {
    const key = randomUUID()
    const token = await issueTokenFor(api.network, 'alice')
    const body = (html: string) => ({ html, bake: false })
    const own = await send(key, 'put', '/frames/one', body('own'))
    const other = await send(key, 'put', '/frames/one', body('other'), { token })
    expect([own.status, other.status, other.isReplayed]).toEqual([200, 200, false])
    expect((await send(key, 'put', '/frames/one', body('own'))).body).toEqual(own.body)
    expect((await api.send('get', '/frames/one')).body.frame.html).toBe('other')
  })

  it('is free again after a request that failed, and after a dry run', async () => {
    const key = randomUUID()
    const write = (html: string, more = {}, headers = {}) =>
      send(key, 'put', '/frames/one', { html, bake: false, ...more }, { headers })
    const before = await rows()
    expect((await write('x', {}, { 'If-Match': '"old"' })).status).toBe(412)
    expect((await write('x', { url: '/' })).status).toBe(400)
    expect((await write('dry', { dry_run: true })).body).toMatchObject({ dry_run: true })
    const requests = [{ method: 'PUT', path: '/frames/one', body: { html: 'dry' } }]
    const dry = await send(key, 'post', '/batch', { requests, dry_run: true })
    expect(dry.body).toMatchObject({ success: true, dry_run: true })
    expect(await rows()).toEqual(before)
    expect((await api.send('get', '/frames/one')).body.frame.html).not.toBe('dry')
    expect((await write('corrected')).status).toBe(200)
    expect((await api.send('get', '/frames/one')).body.frame.html).toBe('corrected')
  })

  it('is free again after a day', async () => {
    const key = randomUUID()
    const write = (html: string) => send(key, 'put', '/frames/one', { html, bake: false })
    await write('first')
    const age = (hours: number) =>
      rows().update({ created_at: api.network.db.sql.raw('NOW(3) - INTERVAL ? HOUR', [hours]) })
    await age(23)
    expect((await write('second')).status).toBe(409)
    await age(25)
    expect(await write('second')).toMatchObject({ status: 200, isReplayed: false })
    expect(await write('second')).toMatchObject({ status: 200, isReplayed: true })
  })

  it.each(['', 'a b', 'é', 'x'.repeat(256)])('is refused if it is "%s"', async (key) => {
    const encoded = Buffer.from(key).toString('latin1')
    const answer = await send(encoded, 'put', '/frames/one', { html: 'x' })
    expect([answer.status, answer.body.code]).toEqual([400, 'rest_invalid_param'])
    expect(answer.body.data.params).toHaveProperty('Idempotency-Key')
  })

  it('is ignored where nothing is stored', async () => {
    const key = randomUUID()
    const before = await rows()
    for (const [method, path, body] of [
      ['get', '/frames', undefined],
      ['post', '/frames/rebake', { menus: true }],
      ['post', '/frames/rebake', { pages: true }],
      ['post', '/changed', {}],
    ] as const)
      expect(await send(key, method, path, body)).toMatchObject({ status: 200, isReplayed: false })
    expect(await rows()).toEqual(before)
  })

  it('lets many equal requests write once', async () => {
    const key = randomUUID()
    const before = (await entries()).length
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => send(key, 'post', '/frames', { slug: 'many', html: 'm' })),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(answers.map(({ body }) => JSON.stringify(body))).size).toBe(1)
    expect(answers.filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
    expect((await entries()).length).toBe(before + 1)
  })

  it('answers with the write if the first answer was that the executor is away', async () => {
    const apply = () =>
      Promise.reject(new AppError('internal_unavailable', 'The executor is away.'))
    const other = await use(
      startApi(api.network, {
        executor: { apply, rebake: apply, render: async () => undefined },
        effectsBudgetMs: 100,
      }),
    )
    await api.send('post', '/frames', { slug: 'shown', html: '<i></i>' })
    await api.send('post', '/frames/shown/assign', { page: 2 })
    const agent = await other.as('alice')
    // No work is recorded for a frame that nothing uses: nothing is pending.
    for (const [method, path, slug, status] of [
      ['put', '/frames/shown', 'shown', 'pending'],
      ['post', '/frames', 'away', 'skipped'],
    ] as const) {
      const key = randomUUID()
      const write = () =>
        agent[method](`/site/2${path}`).set('Idempotency-Key', key).send({ slug, html: 'a' })
      expect((await write()).body).toMatchObject({ error: 'internal_unavailable' })
      const repeated = await write()
      expect(repeated.headers['idempotency-replayed']).toBe('true')
      expect(repeated.body).toMatchObject({
        success: true,
        frame: { slug },
        bake: { status },
        rebaked: { status },
        republish: { status },
      })
      expect((await write()).body).toEqual(repeated.body)
    }
  })

  it('refuses a write whose answer is too large, and writes nothing', async () => {
    const title = () => randomBytes(30_000).toString('hex')
    const items = Array.from({ length: 20 }, () => ({ url: '/', title: title() }))
    const before = [await entries(), await rows()]
    const { status, body } = await send(randomUUID(), 'post', '/menus', { name: 'Large', items })
    expect([status, body.error]).toEqual([413, 'idempotent_answer_too_large'])
    expect([await entries(), await rows()]).toEqual(before)
  })

  it('costs no statement without the header', async () => {
    const write = (key?: string) =>
      statementsOf(api.network.db, async () => {
        const agent = await api.api.as('alice')
        const request = agent.put('/site/2/frames/one')
        if (key !== undefined) request.set('Idempotency-Key', key)
        expect((await request.send({ html: `${key}`, bake: false })).status).toBe(200)
      })
    const ofKeys = (statements: readonly string[]) =>
      statements
        .filter((text) => text.includes('svc_idempotency') || text.includes(':answers:'))
        .map((text) => text.slice(0, 6))
    expect(ofKeys(await write())).toEqual([])
    // One more stores the effects, on a connection of the workers.
    expect(ofKeys(await write(randomUUID()))).toEqual(['SELECT', 'INSERT', 'UPDATE'])
  })
})

describe('the limit of kept answers', () => {
  it('refuses further keys of a token, but neither its requests without one nor other tokens', async () => {
    const limits = new RateLimits({ rateLimitPerMinute: 0, authFailuresPerMinute: 0 })
    const limited = await use(startApi(api.network, { limits }))
    const [token, other] = [
      await issueTokenFor(api.network, 'alice'),
      await issueTokenFor(api.network, 'alice'),
    ]
    const put = async (as: string, key?: string) => {
      const { status, body } = await (await limited.as())
        .put('/site/2/frames/one')
        .set({ Authorization: `Bearer ${as}`, ...(key ? { 'Idempotency-Key': key } : {}) })
        .send({ html: '<p>limited</p>' })
      return `${status} ${body.code ?? ''}`
    }
    const counted = vi.spyOn(limits, 'countKept')
    const key = randomUUID()
    expect(await put(token, key)).toBe('200 ')
    const [[tokenId = 0, bytes] = []] = counted.mock.calls
    expect(bytes).toBeGreaterThan(100)
    await limits.countKept(tokenId, KEPT_ANSWERS.bytes)
    expect(await put(token, randomUUID())).toBe('429 too_many_requests')
    expect(await put(token, key)).toBe('200 ')
    expect(await put(token)).toBe('200 ')
    expect(await put(other, randomUUID())).toBe('200 ')
  })
})

describe('pruneAnswers', () => {
  it('deletes the answers that are older than a day', async () => {
    const { db, globals } = api.network
    const { signal } = new AbortController()
    await rows().delete()
    const add = (id: number, hours: number) =>
      db.sql(table()).insert({
        id: Buffer.alloc(32, id),
        request: Buffer.alloc(32),
        answer: Buffer.alloc(1),
        created_at: db.sql.raw('NOW(3) - INTERVAL ? HOUR', [hours]),
      })
    await add(1, 23)
    await add(2, 25)
    await add(3, 1000)
    expect(await pruneAnswers(db, globals, signal)).toBe(2)
    expect((await rows()).map(({ id }) => id[0])).toEqual([1])
    expect(await pruneAnswers(db, globals, signal)).toBe(0)
  })
})
