import { request as httpRequest, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { endpointsOn } from '../../src/api/endpoints.ts'
import {
  bodyBudget,
  MAX_BODY_BYTES,
  MAX_BODY_VALUES,
  MAX_OBJECT_MEMBERS,
} from '../../src/api/request-body.ts'
import { ByteBudget } from '../../src/host/concurrency/byte-budget.ts'
import { startApi, useApi } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { use } from '../support/use.ts'

const MEBIBYTE = 1024 * 1024

const { network, api: unlimited } = await useApi()
/** The one that is asked. */
let api = unlimited

const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

type Head = { readonly path: string; readonly headers?: Readonly<Record<string, string>> }

/** Sends the head of a request with a body of 16 MB and a part of the body; returns the first bytes of the response. */
async function sendUnfinished(
  login: string,
  { path, headers = {} }: Head,
  body: string,
): Promise<{ readonly socket: Socket; readonly answer: Promise<string> }> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1')
  sockets.push(socket)
  socket.on('error', () => {})
  const all = {
    Host: 'x',
    Authorization: `Bearer ${await api.token(login)}`,
    'Content-Type': 'application/json',
    'Content-Length': String(16 * MEBIBYTE),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
  const answer = new Promise<string>((resolve) => {
    socket.once('data', (chunk) => resolve(String(chunk)))
  })
  return { socket, answer }
}

describe('a site that the URL names', () => {
  it.each<[string, Head, string]>([
    ['the path', { path: '/site/3/frames' }, '404'],
    ['blog_id', { path: '/frames?blog_id=3' }, '403'],
    ['a path that is none', { path: '/site/2/none' }, '404'],
    ['a blog_id that is none', { path: '/frames?blog_id=x' }, '400'],
  ])('is rejected before the body has arrived: %s', async (_what, head, status) => {
    const { answer } = await sendUnfinished('alice', head, '{')
    expect(await answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  })

  it('is rejected with its own error, whatever is wrong with the body', async () => {
    const alice = await api.as('alice')
    for (const [type, body] of [
      ['application/json', '{'],
      ['text/plain', 'x'],
      ['application/json', `"${'x'.repeat(17 * MEBIBYTE)}"`],
    ]) {
      const { status, body: answer } = await alice
        .post('/site/3/frames')
        .set('Content-Type', String(type))
        .send(body)
      expect([status, answer.code]).toEqual([404, 'site_not_found'])
    }
  })

  it('can be overridden by blog_id in the body', async () => {
    const admin = await api.as('admin')
    const { body } = await admin
      .post('/frames?domain=net.test/docs')
      .send({ blog_id: 2, slug: 'x', html: 'x', dry_run: true })
    expect(body.site_id).toBe(2)
  })
})

describe('incomplete bodies', async () => {
  const budget = new ByteBudget('request bodies', 100_000, 60_000)
  const part = `{"html":"${'x'.repeat(40_000)}`
  const busy = '503 service_busy after 5 s'
  const limited = await use(startApi(network, { bodies: budget }))
  beforeAll(() => {
    api = limited
  })
  afterAll(() => {
    api = unlimited
  })
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await eventually(() => expect(budget.used).toBe(0))
  })

  const occupy = async (login: string, site: number): Promise<void> => {
    const used = budget.used + part.length
    await sendUnfinished(login, { path: `/site/${site}/frames` }, part)
    await eventually(() => expect(budget.used).toBe(used))
  }

  /** Status and code of the response to a write of this user. */
  const write = async (login: string, site: number, bytes = 30_000): Promise<string> => {
    const agent = await api.as(login)
    const { status, body, headers } = await agent
      .post(`/site/${site}/frames`)
      .send({ slug: 'x', html: 'x'.repeat(bytes), dry_run: true })
    const wait = headers['retry-after'] === undefined ? '' : ` after ${headers['retry-after']} s`
    return `${status} ${body.code ?? ''}${wait}`.trim()
  }

  it('use the memory budget of one user, not that of others', async () => {
    await occupy('alice', 2)
    expect(await write('alice', 2)).toBe(busy)
    expect(await write('bob', 3)).toBe('200')
    expect(await write('alice', 2, 10_000)).toBe('200')
  })

  it('use the memory budget of all users', async () => {
    await occupy('alice', 2)
    await occupy('bob', 3)
    expect(await write('admin', 2)).toBe(busy)
    expect(await write('admin', 2, 10_000)).toBe('200')
  })

  it('are rejected with a response that also reaches clients that send everything first', async () => {
    await occupy('alice', 2)
    expect(await write('alice', 2, 15 * MEBIBYTE)).toBe(busy)
  })

  it('release their memory when they are rejected or malformed', async () => {
    for (const body of ['{', '{"slug":"\xff"}', `{"a":[${'0,'.repeat(MAX_BODY_VALUES)}]}`]) {
      const agent = await api.as('alice')
      await agent.post('/site/2/frames').type('json').serialize(String).send(body)
      expect(budget.used).toBe(0)
    }
  })

  it('may use 64 MB in all and 32 MB per user', () => {
    const [all, one] = [bodyBudget(), bodyBudget().reserve('a')]
    one.grow(32 * MEBIBYTE)
    expect(() => one.grow(1)).toThrow('request bodies')
    for (const user of ['a', 'b']) all.reserve(user).grow(32 * MEBIBYTE)
    expect(() => all.reserve('c').grow(1)).toThrow('request bodies')
  })
})

describe('an endpoint without markup or a tree', () => {
  const others = endpointsOn('site').filter(({ maxBodyBytes }) => maxBodyBytes === MAX_BODY_BYTES)

  it('accepts 1 MB', async () => {
    // Markup, trees, checks of markup, and batches and previews of both.
    expect(endpointsOn('site').length - others.length).toBe(7)
    const alice = await api.as('alice')
    const send = (body: string | Buffer, encoding = 'identity') =>
      alice
        .post('/site/2/frames/rebake')
        .type('json')
        .set('Content-Encoding', encoding)
        .serialize((same) => same)
        .send(body)
    const body = (bytes: number) => `{"unknown":"${'x'.repeat(bytes - 14)}"}`
    expect((await send(body(MAX_BODY_BYTES))).body.error).toBe('nothing_to_rebake')
    const larger = body(MAX_BODY_BYTES + 1)
    for (const answer of [await send(larger), await send(gzipSync(larger), 'gzip')]) {
      expect([answer.status, answer.body]).toEqual([
        413,
        {
          code: 'rest_body_too_large',
          message: expect.stringContaining('larger than 1 MB'),
          data: { status: 413 },
        },
      ])
    }
  })
})

describe('a body of very many values', () => {
  it('is rejected before it has arrived completely', async () => {
    const body = `{"a":[${'0,'.repeat(MAX_BODY_VALUES)}`
    const { answer } = await sendUnfinished('alice', { path: '/site/2/frames' }, body)
    expect(await answer).toMatch(/^HTTP\/1\.1 413 /)
  })

  it.each([
    ['at the top', (members: string) => `{${members}}`],
    ['within lists', (members: string) => `{"items":[[1,2],{"a":{},${members}}]}`],
  ])('is rejected if one object has more than 1,000 members: %s', async (_what, wrap) => {
    const alice = await api.as('alice')
    const send = async (count: number) => {
      const members = Array.from({ length: count }, (_, index) => `"x${index}":[0,{}]`)
      const put = alice
        .put('/site/2/menus/none/items')
        .type('json')
        .serialize((same) => same)
      return (await put.send(wrap(members.join()))).status
    }
    expect(await send(MAX_OBJECT_MEMBERS - 1)).not.toBe(413)
    expect(await send(MAX_OBJECT_MEMBERS + 1)).toBe(413)
  })

  it('is accepted for a tree of 10,000 items with all the fields of a response', async () => {
    const items = Array.from({ length: 10_000 }, (_, index) => ({
      at: String(index),
      id: index,
      title: 't',
      type: 'custom',
      page: null,
      url: '/',
      parent: 0,
      order: index,
      valid: true,
      target: '',
      classes: '',
      children: [],
    }))
    const alice = await api.as('alice')
    const { status, body } = await alice.put('/site/2/menus/none/items').send({ items })
    expect([status, body.error]).toEqual([404, 'menu_not_found'])
  })

  it('is rejected if it is too large compressed, even if it decompresses to nothing', async () => {
    const empty = gzipSync('')
    const body = Buffer.concat(Array.from({ length: 60_000 }, () => empty))
    expect(body.length).toBeGreaterThan(MAX_BODY_BYTES)
    const token = await api.token('alice')
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const headers = {
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        'Content-Encoding': 'gzip',
        'Transfer-Encoding': 'chunked',
      }
      const url = `${api.url}/site/2/frames/rebake`
      httpRequest(url, { method: 'POST', headers }, resolve).on('error', reject).end(body)
    })
    expect(answer.statusCode).toBe(413)
    answer.resume()
  })
})
