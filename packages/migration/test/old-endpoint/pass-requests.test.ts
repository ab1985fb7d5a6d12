import { once } from 'node:events'
import { request as sendRequest } from 'node:http'
import { createServer } from 'node:net'
import { beforeEach, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../../src/host/hash.ts'
import { startApi } from '../../../../test/support/api.ts'
import { eventually } from '../../../../test/support/eventually.ts'
import { freePort } from '../../../../test/support/free-port.ts'
import { useNetwork } from '../../../../test/support/network.ts'
import { use } from '../../../../test/support/use.ts'
import { legacyAt, startOldEndpoint } from '../old-endpoint.ts'

const network = await useNetwork()
const old = await use(startOldEndpoint())
const answerEmpty = old.answer
const api = await use(startApi(network, { basePath: '/wp-json/svc/v1', ...legacyAt(old.url) }))
const base = `${api.url}/wp-json/svc/v1`
const token = await api.token('alice')

beforeEach(() => {
  old.received.length = 0
  old.answer = answerEmpty
})

/**
 * A raw request: fetch would normalize it. One that is answered before its body is sent needs a connection of its own (`agent: false`): Node takes the
 * listeners from a connection that is kept, and an error of it would then end the process.
 */
async function send(
  method: string,
  path: string,
  {
    headers = {},
    body,
    url = base,
    agent,
  }: {
    headers?: Readonly<Record<string, string | undefined>>
    body?: Buffer
    url?: string
    agent?: false
  } = {},
) {
  const { port, pathname } = new URL(url)
  const outgoing = sendRequest({
    agent,
    port,
    method,
    path: `${pathname.replace(/\/$/, '')}${path}`,
    headers,
  })
  outgoing.end(body)
  const [response] = await once(outgoing, 'response')
  // It may be answered before its body is sent, and then the connection ends.
  outgoing.on('error', () => {})
  const chunks: Buffer[] = await response.toArray()
  return {
    status: response.statusCode as number,
    headers: response.headers as Record<string, string>,
    raw: response.rawHeaders as string[],
    body: Buffer.concat(chunks).toString(),
  }
}

describe('a request that this service does not serve', () => {
  it('reaches the old endpoint with its method, path, query and body', async () => {
    await send('PATCH', '/site/2/translations/%C3%A4%2F1?x=%20+&x=2&%5B%5D=', {
      headers: { 'Content-Type': 'application/json', 'Content-Length': '7' },
      body: Buffer.from('{"a":1}'),
    })
    expect(old.received).toMatchObject([
      {
        method: 'PATCH',
        url: '/old/v1/site/2/translations/%C3%A4%2F1?x=%20+&x=2&%5B%5D=',
        body: '{"a":1}',
        headers: { 'content-type': 'application/json', 'content-length': '7' },
      },
    ])
  })

  it.each([
    ['GET', '/styles?blog_id=2'],
    ['POST', '/pages?domain=net.test/shop'],
    ['DELETE', '/site/2/menus/26/location'],
    ['OPTIONS', '/site/2/frames'],
    ['GET', ''],
    ['POST', '/sites'],
    ['PUT', '/site/2'],
  ])('is passed: %s %s', async (method, path) => {
    expect((await send(method, path)).status).toBe(200)
    expect(old.received).toMatchObject([{ method, url: `/old/v1${path}` }])
  })

  it.each([
    ['GET', '/site/2/frames'],
    ['HEAD', '/site/2/frames/'],
    ['GET', '/menus?blog_id=2'],
    ['GET', '/site/2/pages'],
    ['GET', '/SITE/2/frames/header'],
    ['GET', '/me'],
    ['GET', '/network/nothing'],
    ['DELETE', '/mcp'],
    ['GET', '/docs/nothing'],
  ])('is not passed if it is our own: %s %s', async (method, path) => {
    await send(method, path, { headers: { 'X-Svc-Key': token } })
    expect(old.received).toEqual([])
  })

  it('keeps the headers of the client, except those of the connection', async () => {
    await send('GET', '/site/2/media', {
      headers: {
        Authorization: 'Bearer op_x',
        'X-Svc-Blog-Id': '2',
        Cookie: 'a=b',
        Connection: 'close, X-Hop',
        'X-Hop': '1',
        TE: 'trailers',
        Forwarded: 'for=1.2.3.4',
        'X-Forwarded-For': '1.2.3.4',
        'X-Forwarded-Host': 'evil.test',
        Host: 'net.test',
      },
    })
    const [{ headers } = { headers: {} }] = old.received
    expect(headers).toMatchObject({
      host: new URL(old.url).host,
      authorization: 'Bearer op_x',
      'x-svc-blog-id': '2',
      cookie: 'a=b',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-host': 'net.test',
      'x-forwarded-proto': 'http',
      via: '1.1 wp-frames',
    })
    for (const name of ['x-hop', 'te', 'forwarded']) expect(headers).not.toHaveProperty(name)
  })

  it('appends to the addresses of a trusted proxy', async () => {
    const behind = await use(startApi(network, { trustProxy: 'loopback', ...legacyAt(old.url) }))
    const headers = { 'X-Forwarded-For': '1.2.3.4', 'X-Forwarded-Proto': 'https' }
    await send('GET', '/media', { url: behind.url, headers: { ...headers, Via: '1.1 nginx' } })
    expect(old.received[0]?.headers).toMatchObject({
      'x-forwarded-for': '1.2.3.4, 127.0.0.1',
      'x-forwarded-proto': 'https',
      via: '1.1 nginx, 1.1 wp-frames',
    })
  })

  it('gets the answer untouched', async () => {
    const sent = [
      ['Date', 'Sat, 01 Jan 2000 00:00:00 GMT'],
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
      ['X-RateLimit-Remaining', '7'],
      ['content-TYPE', 'image/png'],
      ['Content-Length', '3'],
    ].flat()
    old.answer = (_request, response) =>
      void response.writeHead(418, 'A teapot', sent).end(Buffer.from([0, 255, 10]))
    const { status, raw, body } = await send('GET', '/site/2/media/1')
    expect([status, body]).toEqual([418, Buffer.from([0, 255, 10]).toString()])
    const ofConnection = ['Connection', 'keep-alive', 'Keep-Alive', 'timeout=600']
    expect(raw.filter((text) => !ofConnection.includes(text))).toEqual(sent)
  })

  it.each([204, 304])('gets a %d without a body', async (code) => {
    old.answer = (_request, response) => void response.writeHead(code).end()
    expect(await send('GET', '/site/2/media/1')).toMatchObject({ status: code, body: '' })
  })

  it('has its large body streamed, and a large answer too', async () => {
    const bytes = Buffer.alloc(6_000_000, 'abcdefg')
    old.answer = (_request, response) => void response.writeHead(201).end(bytes)
    for (const headers of [
      { 'Content-Length': String(bytes.length) },
      { 'Transfer-Encoding': 'chunked' },
    ]) {
      const { status, body } = await send('POST', '/site/2/media', { headers, body: bytes })
      expect([status, sha256Hex(body)]).toEqual([201, sha256Hex(bytes)])
      expect(sha256Hex(old.received.at(-1)?.body ?? '')).toBe(sha256Hex(bytes))
    }
  })

  it.each([
    [{ 'Content-Length': '9000000' }, []],
    [{ 'Transfer-Encoding': 'chunked' }, ['(aborted)']],
  ])('may not be larger than the limit: %j', async (headers, arrived) => {
    const { status, body } = await send('POST', '/site/2/media', {
      headers,
      body: Buffer.alloc(9_000_000),
      agent: false,
    })
    expect([status, JSON.parse(body).code]).toEqual([413, 'rest_body_too_large'])
    await eventually(async () => expect(old.received.map(({ body }) => body)).toEqual(arrived))
  })

  it.each([
    '/site/2/media/../../../../wp-admin/',
    '/site/2/%2e%2e/%2e%2e/x',
    '/media/..%5c..%2fx',
    '/media/%2e%2e/%2e%2e/%2e%2e/wp-admin/%ff',
    '/media/%252e%252e/x',
    '/media/..;/x',
    '/media/%00',
  ])('may not lead out of the old endpoint: %s', async (path) => {
    expect((await send('GET', path)).status).toBe(404)
    expect(old.received).toEqual([])
  })

  it('cannot choose another route of WordPress by a parameter', async () => {
    const names = ['rest_route', 'Rest%5Froute', 'rest.route', 'rest%20route', '+rest_route[]']
    await send('GET', `/media?${names.map((name) => `${name}=/wp/v2/users`).join('&')}&a=1`)
    expect(old.received[0]?.url).toBe('/old/v1/media?a=1')
  })

  it('is refused if it has come back', async () => {
    old.answer = async ({ headers: { via = '' } }, response) => {
      const again = await send('GET', '/site/2/media', { headers: { Via: via } })
      response.writeHead(again.status).end(again.body)
    }
    const { status, body } = await send('GET', '/site/2/media')
    expect([status, JSON.parse(body).code]).toEqual([508, 'legacy_loop'])
    expect(old.received).toHaveLength(1)
  })

  it('is answered 502 while the old endpoint is away, and says nothing of it', async () => {
    const port = await freePort()
    const away = await use(startApi(network, { ...legacyAt(`http://127.0.0.1:${port}/v1`) }))
    const { status, headers, body } = await send('GET', '/site/2/media', { url: away.url })
    expect(status).toBe(502)
    expect(headers['retry-after']).toBe('5')
    expect(JSON.parse(body)).toMatchObject({ code: 'legacy_unavailable', data: { status: 502 } })
    expect(body).not.toContain(String(port))
  })

  it('is answered 502 if the old endpoint is silent, and its own answers go on', async () => {
    const slow = await use(startApi(network, { ...legacyAt(old.url, '', { timeoutMs: 100 }) }))
    old.answer = () => {}
    const { status, body } = await send('GET', '/site/2/media', { url: slow.url })
    expect([status, JSON.parse(body).message]).toEqual([
      502,
      expect.stringContaining('0.1 seconds'),
    ])
    expect(
      (await send('GET', '/site/2/frames', { url: slow.url, headers: { 'X-Svc-Key': token } }))
        .status,
    ).toBe(200)
  })

  it('has its body framed as it was parsed, whatever the headers of the connection say', async () => {
    const smuggled = Buffer.from('POST /wp-admin/x HTTP/1.1\r\nHost: a\r\n\r\n')
    for (const method of ['GET', 'DELETE', 'POST']) {
      const headers = {
        Connection: 'close, Content-Length, Host',
        'Content-Length': String(smuggled.length),
      }
      await send(method, '/site/2/media', { headers, body: smuggled })
      expect(old.received.splice(0)).toMatchObject([
        {
          method,
          body: smuggled.toString(),
          headers: { 'content-length': String(smuggled.length) },
        },
      ])
    }
  })

  it('cannot say that it comes from another address', async () => {
    const headers = {
      'X-Forwarded-For': '6.6.6.6',
      X_Forwarded_For: '6.6.6.6',
      'X-Real-IP': '6.6.6.6',
      'Client-IP': '6.6.6.6',
    }
    await send('GET', '/media', { headers })
    const behind = await use(startApi(network, { trustProxy: 1, ...legacyAt(old.url) }))
    await send('GET', '/media', {
      url: behind.url,
      headers: { 'X-Forwarded-For': '6.6.6.6, 9.9.9.9' },
    })
    expect(JSON.stringify(old.received)).not.toContain('6.6.6.6')
    expect(old.received[1]?.headers['x-forwarded-for']).toBe('9.9.9.9, 127.0.0.1')
  })

  it('is answered 502 if the old endpoint does not speak HTTP any more', async () => {
    old.answer = ({ socket }) =>
      void socket.end(
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
      )
    expect((await send('GET', '/site/2/media')).status).toBe(502)
    old.answer = ({ socket }) => void socket.end('HTTP/1.1 099 What\r\nContent-Length: 0\r\n\r\n')
    expect((await send('GET', '/site/2/media')).status).toBe(502)
    old.answer = ({ socket }) =>
      void socket.end('HTTP/1.1 201 a\u0001b\r\nContent-Length: 0\r\n\r\n')
    expect([201, 502]).toContain((await send('POST', '/site/2/media')).status)
  })

  it('is answered 400 if its body does not arrive', async () => {
    const slow = await use(startApi(network, { ...legacyAt(old.url, '', { timeoutMs: 100 }) }))
    const outgoing = sendRequest(`${slow.url}/site/2/media`, {
      method: 'POST',
      headers: { 'Content-Length': '10' },
    })
    outgoing.write('1234')
    const [response] = await once(outgoing, 'response')
    outgoing.on('error', () => {})
    expect(response.statusCode).toBe(400)
    outgoing.destroy()
  })

  it('can be answered before its body is sent, which is then discarded', async () => {
    // As nginx does it: it answers, and reads on without keeping anything.
    const early = createServer({ allowHalfOpen: true }, (socket) => {
      socket.once('data', () => socket.end('HTTP/1.1 413 Too large\r\nContent-Length: 2\r\n\r\n{}'))
      socket.on('error', () => {}).resume()
    }).listen(0, '127.0.0.1')
    await once(early, 'listening')
    const legacy = legacyAt(`http://127.0.0.1:${Object(early.address()).port}`)
    const before = await use(startApi(network, { ...legacy }))
    const body = Buffer.alloc(7_000_000)
    const headers = { 'Content-Length': String(body.length) }
    const sent = { url: before.url, headers, body, agent: false } as const
    const { status } = await send('POST', '/media', sent)
    expect(status).toBe(413)
    early.close()
  })

  it('does not make Node warn of listeners', async () => {
    const warnings: string[] = []
    const note = ({ name }: Error) => void warnings.push(name)
    process.on('warning', note)
    await send('GET', '/site/2/media')
    await send('POST', '/site/2/media')
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', note)
    expect(warnings).not.toContain('MaxListenersExceededWarning')
  })

  it('ends at the old endpoint when the client disconnects', async () => {
    const ended = new Promise((resolve) => {
      old.answer = (_request, response) => void response.once('close', resolve)
    })
    const outgoing = sendRequest(`${base}/site/2/media`)
      .on('error', () => {})
      .end()
    await eventually(async () => expect(old.received).toHaveLength(1))
    outgoing.destroy()
    await ended
  })

  it('breaks off with an answer that breaks off', async () => {
    old.answer = (_request, response) => {
      response.writeHead(200, { 'Content-Length': '10' }).write('{')
      setTimeout(() => response.destroy(), 20)
    }
    await expect(send('GET', '/site/2/media')).rejects.toThrow('aborted')
  })
})

it('decides who serves a path by what it means, and not by how it is written', async () => {
  const moved = await use(startApi(network, { ...legacyAt(old.url) }))
  for (const path of ['/site/2//frames/x', '//site/2/frames/x', '/site/2/%66rames/x/'])
    expect((await send('DELETE', path, { url: moved.url })).status).toBe(401)
  expect((await send('GET', '/%6eetwork/sites', { url: moved.url })).status).toBe(401)
  expect(old.received).toEqual([])
})

describe('a family of the old endpoint', () => {
  it('goes there in both addressings, also where this service has the path', async () => {
    const moved = await use(startApi(network, { ...legacyAt(old.url, 'pages,menus=old') }))
    for (const path of [
      '/site/2/pages',
      '/Pages?blog_id=2',
      '/site/2/menus/26',
      '/menus',
      '/site/2/%6Denus',
      '//site//2/menus',
    ])
      await send('GET', path, { url: moved.url })
    await send('POST', '/site/2/menus', { url: moved.url })
    expect(old.received.map(({ url }) => url)).toEqual([
      '/old/v1/site/2/pages',
      '/old/v1/Pages?blog_id=2',
      '/old/v1/site/2/menus/26',
      '/old/v1/menus',
      '/old/v1/site/2/%6Denus',
      '/old/v1//site//2/menus',
      '/old/v1/site/2/menus',
    ])
    const own = await send('GET', '/site/2/frames', {
      url: moved.url,
      headers: { 'X-Svc-Key': token },
    })
    expect(own.status).toBe(200)
  })
})
