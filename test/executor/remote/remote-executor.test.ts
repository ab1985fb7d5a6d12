import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { SignJWT } from 'jose'
import supertest from 'supertest'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { skippedEffects } from '../../../src/executor/executor.ts'
import {
  bodyDigest,
  encodeEffects,
  readExecutorKey,
  readSigningKey,
  TOKEN_AUDIENCE,
} from '../../../src/executor/executor-protocol.ts'
import { createRemoteExecutor } from '../../../src/executor/remote-executor.ts'
import {
  createExecutorApp,
  MAX_EXECUTOR_BODY_BYTES,
} from '../../../src/executor/server/executor-app.ts'
import { createLog } from '../../../src/log.ts'
import { workOn, workOnEmbedders } from '../../../src/work/work.ts'
import { startApi } from '../../support/api.ts'
import { freePort } from '../../support/free-port.ts'
import { type Listening, listen } from '../../support/listen.ts'
import { createTestExecutor } from '../../support/local-executor.ts'
import { cloneNetwork } from '../../support/network.ts'
import { use, useFolder } from '../../support/use.ts'

const SECRET = 'a secret of at least thirty-two bytes'
/** Timeouts in milliseconds: one longer than any response on a busy machine, one that expires soon. */
const [LONG_TIMEOUT_MS, SHORT_TIMEOUT_MS] = [20_000, 200]
const log = createLog('silent')
const MEBIBYTE = 1024 * 1024

let server: Listening | undefined
const network = await use(cloneNetwork())
const site = await network.site(2)
const port = await freePort()
const staticDir = await useFolder('static')
const local = await use(createTestExecutor({ ...network, log, staticDir }))

const executorApp = (key = SECRET): RequestListener => {
  const { db, globals } = network
  return createExecutorApp({ db, globals, executor: local, keys: [readExecutorKey(key)], log })
}

/** A request that builds nothing. */
const NOTHING = { work: [], limit: 1 }

const remote = (timeoutMs = LONG_TIMEOUT_MS) =>
  createRemoteExecutor({
    url: `http://127.0.0.1:${port}/`,
    key: readSigningKey(SECRET),
    timeoutMs,
    log,
  })

/** Serves this application at the executor's URL; the port stays the same. */
async function put(app: RequestListener): Promise<void> {
  await hangUp()
  server = await listen(app, port)
}

async function hangUp(): Promise<void> {
  await server?.close()
  server = undefined
}

afterAll(hangUp)
await put(executorApp())
const api = await use(startApi(network, { executor: { ...remote(), render: local.render } }))

const sockets: Socket[] = []

/** Serves this application at the executor's URL until the end of the test. */
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  return put(executorApp())
})

const send = async (method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object) => {
  const request = (await api.as('alice'))[method](`/site/2${path}`)
  const { status, body: answer } = await (body === undefined ? request : request.send(body))
  return { status, body: answer }
}

let frames = 0
const newFrame = async (html = 'x'): Promise<string> => {
  frames += 1
  const slug = `frame-${frames}`
  expect((await send('post', '/frames', { slug, html })).status).toBe(200)
  return slug
}

const page = async (): Promise<number> => {
  const row = await network.db
    .sql(site.tables.posts)
    .where({ post_type: 'page', post_status: 'publish', post_password: '' })
    .orderBy('ID')
    .first('ID')
  return row.ID
}

const fileOf = (url: string): string => {
  const { host, pathname } = new URL(url)
  return join(staticDir, host, pathname, 'index.html')
}

describe('an executor in another process', () => {
  it('bakes and publishes like a local executor', async () => {
    const slug = await newFrame('<h1 data-op-bind="page.title">?</h1>')
    const id = await page()
    const { body } = await send('post', `/frames/${slug}/assign`, { page: id })
    expect(body).toMatchObject({ static: { published: true }, republish: { status: 'ok' } })
    expect(await readFile(fileOf(body.static.url), 'utf8')).toBe(await local.renderById(site, id))
    const written = await send('put', `/frames/${slug}`, { html: '<p>New</p>' })
    expect(written.body.bake).toMatchObject({
      status: 'ok',
      response: { baked: true, pages: [id] },
    })
    expect(await readFile(fileOf(body.static.url), 'utf8')).toBe('<p>New</p>')
    await send('post', `/frames/${slug}/assign`, { page: id, clear: true })
    expect(existsSync(fileOf(body.static.url))).toBe(false)
  })

  it('if unreachable, makes writes answer 502, keeps the change, and builds it with the next bake', async () => {
    const slug = await newFrame('<p>Old</p>')
    const id = await page()
    const { body: bound } = await send('post', `/frames/${slug}/assign`, { page: id })
    await hangUp()
    const { status, body } = await send('put', `/frames/${slug}`, { html: '<p>New</p>' })
    expect([status, body.success, body.error]).toEqual([502, false, 'internal_unavailable'])
    const read = await send('get', `/frames/${slug}`)
    expect(read.body.frame.html).toBe('<p>New</p>')
    expect(await readFile(fileOf(bound.static.url), 'utf8')).toBe('<p>Old</p>')
    expect((await send('post', '/menus', { name: 'Saved' })).status).toBe(502)
    expect((await send('get', '/menus')).body.menus).toContainEqual(
      expect.objectContaining({ name: 'Saved' }),
    )
    expect((await send('post', '/frames/rebake', { all: true })).status).toBe(502)

    await put(executorApp())
    expect((await send('post', '/frames/rebake', { all: true })).status).toBe(200)
    expect(await readFile(fileOf(bound.static.url), 'utf8')).toBe('<p>New</p>')
  })

  it('if unreachable, does not undo a page binding, and the response says so', async () => {
    const slug = await newFrame()
    const id = await page()
    await hangUp()
    const { status, body } = await send('post', `/frames/${slug}/assign`, { page: id })
    expect([status, body.static.reason, body.republish.status]).toEqual([
      200,
      'pending',
      'unavailable',
    ])
    expect((await send('get', `/frames/${slug}`)).body.frame.pages).toEqual([id])
  })

  it('gets no request for a change without a build, and does not delay it', async () => {
    const asked: unknown[] = []
    await put((request) => void asked.push(request.url))
    const made = await send('post', '/frames', { slug: 'unbuilt', html: 'x', bake: false })
    expect([made.status, made.body.bake]).toEqual([200, { status: 'skipped' }])
    expect((await send('put', '/frames/unbuilt', { html: 'y', bake: false })).status).toBe(200)
    expect(asked).toEqual([])
    await hangUp()
    const id = await page()
    await send('post', '/frames/unbuilt/assign', { page: id, bake: false })
    const deleted = await send('delete', '/frames/unbuilt', { bake: false })
    expect([deleted.status, deleted.body.unbound_pages]).toEqual([200, [id]])
  })

  it('gets the work of a change, and not the markup', async () => {
    const slug = await newFrame()
    await newFrame(`<!-- svc/frame {"name":"${slug}"} /-->`)
    const asked: string[] = []
    await put((request, response) => {
      void text(request).then((body) => {
        asked.push(body)
        response.end(JSON.stringify({ effects: encodeEffects(skippedEffects({ bake: true })) }))
      })
    })
    const { status, body } = await send('put', `/frames/${slug}`, { html: '<p>markup</p>' })
    expect(status).toBe(200)
    const { id } = body.frame
    const work = [...workOn('frame', [id]), ...workOnEmbedders(id, [slug])]
    expect(asked.map((sent) => JSON.parse(sent))).toEqual([
      { apply: { bake: true, work, frame: id, version: expect.any(Number) } },
    ])
  })

  it('gets one retry after a connection error', async () => {
    const tokens: (string | undefined)[] = []
    const answer = executorApp()
    await put((request, response) => {
      tokens.push(request.headers.authorization)
      if (tokens.length > 1) return answer(request, response)
      request.socket.destroy()
    })
    await newFrame()
    expect(tokens).toHaveLength(2)

    tokens.length = 0
    await put((request) => {
      tokens.push(request.headers.authorization)
      request.socket.destroy()
    })
    expect((await send('post', '/frames', { slug: 'twice', html: 'x' })).status).toBe(502)
    expect(tokens).toHaveLength(2)
  })

  it('gets no retry after a timeout', async () => {
    let asked = 0
    await put(() => {
      asked += 1
    })
    await expect(remote(SHORT_TIMEOUT_MS).rebake(site, NOTHING)).rejects.toMatchObject({
      code: 'internal_unavailable',
    })
    expect(asked).toBe(1)
  })

  it.each<[string, RequestListener]>([
    ...[404, 500, 503].map((status): [string, RequestListener] => [
      `status ${status}`,
      (_request, response) => void response.writeHead(status).end(),
    ]),
    ['a rejection', executorApp(`${SECRET}, but another`)],
  ])('gets no retry after %s', async (_, answer) => {
    let asked = 0
    await put((request, response) => {
      asked += 1
      answer(request, response)
    })
    await expect(remote().rebake(site, NOTHING)).rejects.toMatchObject({
      code: 'internal_unavailable',
    })
    expect(asked).toBe(1)
  })

  it('rejects unsigned requests', async () => {
    const asked = supertest(`http://127.0.0.1:${port}`)
    const post = async (path: string) => (await asked.post(path).send({ rebake: NOTHING })).status
    expect([
      await post('/sites/2/effects'),
      await post('/sites/x/effects'),
      await post('/'),
    ]).toEqual([401, 401, 404])
    expect((await asked.get('/sites/2/effects')).status).toBe(404)
  })

  const request = JSON.stringify({ rebake: NOTHING })
  const ask = (token: string) =>
    supertest(`http://127.0.0.1:${port}`)
      .post('/sites/2/effects')
      .set('Authorization', `Bearer ${token}`)
      .type('json')
      .send(request)
  const now = () => Math.floor(Date.now() / 1000)
  /** A token like those of the API, except for the given claims. */
  const forge = (claims: object = {}, secret = SECRET) =>
    new SignJWT({
      aud: TOKEN_AUDIENCE,
      iat: now(),
      exp: now() + 60,
      site: 2,
      body: bodyDigest(request),
      ...claims,
    })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(secret))
  /** `verify-request` has all the others. */
  it('does nothing for the token of another body', async () => {
    const { status, body } = await ask(await forge({ body: bodyDigest(`${request} `) }))
    expect([status, Object.keys(body)]).toEqual([401, ['error']])
    expect((await ask(await forge())).status).toBe(200)
  })

  /** Sends only the head of a request with a body of 16 MB. Returns the first bytes of the response. */
  const sendHead = (headers: Record<string, string>, body = '') => {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    socket.on('error', () => {})
    const all = { Host: 'x', 'Content-Length': String(16 * MEBIBYTE), ...headers }
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST /sites/2/effects HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
    return new Promise<string>((resolve) => socket.once('data', (chunk) => resolve(String(chunk))))
  }
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

  it('rejects an invalid token before the body has arrived', async () => {
    expect(await sendHead({})).toMatch(/^HTTP\/1\.1 401 /)
    for (const token of [await forge({ site: 3 }), await forge({}, `${SECRET}!`)])
      expect(await sendHead(bearer(token), '{')).toMatch(/^HTTP\/1\.1 401 /)
  })

  it('rejects a compressed body', async () => {
    const headers = { ...bearer(await forge()), 'Content-Encoding': 'gzip' }
    expect(await sendHead(headers)).toMatch(/^HTTP\/1\.1 415 /)
  })

  it('limits a body to 2 MB', async () => {
    const larger = await fetch(`http://127.0.0.1:${port}/sites/2/effects`, {
      method: 'POST',
      headers: bearer(await forge()),
      body: 'x'.repeat(MAX_EXECUTOR_BODY_BYTES + 1),
    })
    expect(larger.status).toBe(413)
  })
})
