import { describe, expect, it } from 'vitest'
import { deliveriesTable } from '../../../src/changes/webhooks/deliveries-table.ts'
import { MAX_SITE_WEBHOOKS, webhooksTable } from '../../../src/changes/webhooks/webhooks-table.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { makeChange, startWorker } from '../../changes/webhooks/webhook-fixture.ts'
import { issueTokenFor, useApi } from '../../support/api.ts'
import { eventually } from '../../support/eventually.ts'
import { use } from '../../support/use.ts'
import { startReceiver, verify } from '../../support/webhook-receiver.ts'

const { network, api } = await useApi()
const { db, globals } = network
await use(startWorker(network, { timings: { retrySeconds: [60] } }))
const url = 'https://example.com/hooks/1'
const secrets: string[] = []
const responses: string[] = []

/** Sends a request as this user, and keeps what a response other than that with a new secret says. */
async function send(
  method: 'get' | 'post' | 'patch' | 'delete',
  path: string,
  body?: object,
  login = 'admin',
) {
  const agent = await api.as(login)
  const { status, body: answer, text } = await agent[method](path).send(body)
  if (answer.secret === undefined) responses.push(text)
  else secrets.push(answer.secret)
  return { status, ...answer }
}

const create = async (path: string, body: object, login?: string) =>
  send('post', path, body, login) as Promise<{
    status: number
    code?: string
    data?: { params: Record<string, string> }
    webhook: { id: number; since: string }
    secret: string
  }>

describe('webhooks of a site', () => {
  it('are created, read, changed and deleted, with an entry of the history for each', async () => {
    const { status, webhook, secret } = await create('/site/2/webhooks', {
      url,
      types: ['published', 'changed'],
    })
    expect(status).toBe(200)
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(webhook).toMatchObject({
      site_id: 2,
      url,
      types: ['published', 'changed'],
      kinds: null,
      sites: null,
      enabled: true,
      tries: 0,
    })
    const path = `/site/2/webhooks/${webhook.id}`
    // Its cursor may have moved behind its own creation.
    const { since: _, ...shown } = webhook
    expect(await send('get', path)).toMatchObject({ webhook: shown })
    expect((await send('get', '/site/2/webhooks')).webhooks).toMatchObject([shown])
    const changed = await send('patch', path, { kinds: ['frame'], enabled: false })
    expect(changed.webhook).toMatchObject({
      url,
      types: ['published', 'changed'],
      kinds: ['frame'],
      enabled: false,
      disabled_reason: 'request',
    })
    const { secret: next } = await send('post', `${path}/rotate`)
    expect(next).not.toBe(secret)
    expect((await send('get', path)).webhook.former_secret_until).not.toBeNull()
    expect(await send('delete', path)).toMatchObject({ id: webhook.id })
    expect(await send('get', path)).toMatchObject({ status: 404, error: 'webhook_not_found' })
    const { entries } = await send('get', '/site/2/history?kind=webhook')
    expect(entries.map(({ action, user_id }: never) => [action, user_id])).toEqual([
      ['deleted', 1],
      ['replaced', 1],
      ['replaced', 1],
      ['created', 1],
    ])
    expect(entries[0]).toMatchObject({ name: 'example.com', ref: String(webhook.id) })
  })

  it('belong to their site', async () => {
    const { webhook } = await create('/site/2/webhooks', { url }, 'alice')
    for (const path of [`/site/3/webhooks/${webhook.id}`, `/network/webhooks/${webhook.id}`]) {
      for (const [method, more, body] of [
        ['get', '', undefined],
        ['patch', '', { enabled: true }],
        ['delete', '', undefined],
        ['post', '/rotate', undefined],
        ['post', '/test', undefined],
        ['post', '/replay', { delivery: 1 }],
        ['get', '/deliveries', undefined],
      ] as const)
        expect(await send(method, `${path}${more}`, body)).toMatchObject({
          status: 404,
          error: 'webhook_not_found',
        })
    }
    expect(await create('/site/2/webhooks', { url, sites: [3] })).toMatchObject({ status: 400 })
  })

  it('have no quiet time any more: the field is refused', async () => {
    const { webhook } = await create('/site/2/webhooks', { url })
    for (const [method, path] of [
      ['post', '/site/2/webhooks'],
      ['patch', `/site/2/webhooks/${webhook.id}`],
    ] as const)
      expect(await send(method, path, { url, quiet_seconds: 5 })).toMatchObject({
        status: 400,
        code: 'rest_invalid_param',
        data: { params: { quiet_seconds: expect.any(String) } },
      })
  })

  it('need a token with all rights', async () => {
    for (const scope of ['read', 'frames', 'menus'] as const) {
      const token = await issueTokenFor(network, 'admin', { limits: { scope, sites: null } })
      const agent = (await api.as()).set('Authorization', `Bearer ${token}`)
      for (const path of ['/site/2/webhooks', '/network/webhooks'])
        expect((await agent.get(path)).status).toBe(403)
    }
  })

  it('have an address that is allowed', async () => {
    for (const bad of ['http://example.com/', 'https://[::1]/', 'https://167772161/', 'nonsense']) {
      const { status, data } = await create('/site/2/webhooks', { url: bad })
      expect({ bad, status }).toEqual({ bad, status: 400 })
      expect(data?.params.url).toMatch(/^must/)
    }
  })

  it('name each type and kind once at most', async () => {
    for (const filter of [
      { types: Array(1000).fill('published') },
      { kinds: Array(1000).fill('page') },
    ])
      expect(await create('/site/2/webhooks', { url, ...filter })).toMatchObject({ status: 400 })
  })

  it('are limited in number', async () => {
    const path = '/site/5/webhooks'
    const attempts = Array.from({ length: MAX_SITE_WEBHOOKS + 2 }, () => create(path, { url }))
    const statuses = (await Promise.all(attempts)).map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(MAX_SITE_WEBHOOKS).fill(200), 409, 409])
  })
})

describe('deliveries', () => {
  it('are tested, listed and sent again, with signatures of both secrets after a rotation', async () => {
    const receiver = await use(startReceiver())
    const { webhook, secret } = await create('/site/3/webhooks', { url: receiver.url })
    const path = `/site/3/webhooks/${webhook.id}`
    const test = await send('post', `${path}/test`)
    expect(test.delivery).toMatchObject({
      type: 'test',
      status: 'delivered',
      http_status: 204,
      try: 0,
    })
    expect(receiver.messages[0]?.body).toMatchObject({ type: 'test', data: { events: [] } })
    receiver.answer = () => ({ status: 503 })
    expect((await send('post', `${path}/test`)).delivery).toMatchObject({
      status: 'failed',
      http_status: 503,
    })
    receiver.answer = () => ({ status: 200 })
    await send('patch', path, { enabled: true })
    await makeChange(network, 3, 'delivered')
    await eventually(async () => {
      const { deliveries } = await send('get', `${path}/deliveries`)
      expect(deliveries).toHaveLength(3)
    })
    const page = await send('get', `${path}/deliveries?limit=1`)
    expect(page.deliveries).toMatchObject([{ try: 1, status: 'delivered', events: 1 }])
    expect(page.next).toBe(page.deliveries[0].id)
    const rest = await send('get', `${path}/deliveries?before=${page.next}`)
    expect(rest).toMatchObject({ deliveries: [{ type: 'test' }, { type: 'test' }], next: null })
    const { secret: next } = await send('post', `${path}/rotate`)
    const again = await send('post', `${path}/replay`, { delivery: page.deliveries[0].id })
    expect(again.delivery).toMatchObject({
      message_id: page.deliveries[0].message_id,
      status: 'delivered',
    })
    const [sent, resent] = receiver.messages.slice(-2)
    expect(resent?.text).toBe(sent?.text)
    expect(resent?.signatures).toHaveLength(2)
    for (const one of [secret, next]) if (resent) verify(one, resent)
    expect(() => sent && verify(next, sent)).toThrow()
    // The former secret ends.
    await db
      .sql(webhooksTable(globals))
      .where({ id: webhook.id })
      .update({ previous_until: '2020-01-01 00:00:00' })
    await send('post', `${path}/test`)
    const last = receiver.messages.at(-1)
    expect(last?.signatures).toHaveLength(1)
    expect(() => last && verify(secret, last)).toThrow()
    expect(await send('post', `${path}/replay`, { delivery: 999_999 })).toMatchObject({
      status: 404,
      error: 'delivery_not_found',
    })
  })

  it('are not sent again as something else', async () => {
    const receiver = await use(startReceiver())
    const { webhook } = await create('/site/3/webhooks', { url: receiver.url })
    const path = `/site/3/webhooks/${webhook.id}`
    await makeChange(network, 3, 'lost')
    const [delivery] = await eventually(async () => {
      const { deliveries } = await send('get', `${path}/deliveries`)
      expect(deliveries).toHaveLength(1)
      return deliveries
    })
    // Another database, where the cursor is unknown.
    await db
      .sql(deliveriesTable(globals))
      .where({ id: delivery.id })
      .update({ since: '1-00000000' })
    expect(await send('post', `${path}/replay`, { delivery: delivery.id })).toMatchObject({
      status: 404,
      error: 'delivery_not_found',
    })
    expect(receiver.messages).toHaveLength(1)
    await send('delete', path)
  })

  it('go on from another cursor', async () => {
    const receiver = await use(startReceiver())
    const { webhook } = await create('/network/webhooks', { url: receiver.url, sites: [3] })
    await makeChange(network, 3, 'first')
    await eventually(() => expect(receiver.eventIds()).toHaveLength(1))
    const path = `/network/webhooks/${webhook.id}`
    expect(await send('patch', path, { since: 'nonsense' })).toMatchObject({ status: 400 })
    await send('patch', path, { since: webhook.since })
    await eventually(() => expect(receiver.eventIds()).toHaveLength(2))
    expect(new Set(receiver.eventIds()).size).toBe(1)
    await send('delete', path)
  })
})

it('no response and no entry of the history contains a secret', async () => {
  const entries = await db.sql(historyTable(globals)).where({ kind: 'webhook' }).select('state')
  const stored = JSON.stringify(entries)
  expect(secrets.length).toBeGreaterThan(5)
  for (const secret of secrets) {
    const bare = secret.slice('whsec_'.length)
    for (const text of [stored, ...responses]) expect(text).not.toContain(bare)
  }
  // The path of an address is a secret of many receivers.
  expect(stored).not.toContain('/hooks/1')
})
