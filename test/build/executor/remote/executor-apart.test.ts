import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { decodeJwt } from 'jose'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { createExecutorApp } from '../../../../src/build/executor/server/executor-app.ts'
import { readExecutorKey, wakeExecutorAt } from '../../../../src/build/executor/wake-up.ts'
import { createLog } from '../../../../src/host/log.ts'
import { startApi } from '../../../support/api.ts'
import { freePort } from '../../../support/free-port.ts'
import { type Listening, listen } from '../../../support/listen.ts'
import { createTestExecutor } from '../../../support/local-executor.ts'
import { useNetwork } from '../../../support/network.ts'
import { use, useFolder } from '../../../support/use.ts'

const SECRET = 'a secret of at least thirty-two bytes'
/** Longer than anything takes on a busy machine, in milliseconds. */
const LONG_MS = 20_000
const log = createLog('silent')

const network = await useNetwork()
const { db, globals } = network
const site = await network.site(2)
const port = await freePort()
const staticDir = await useFolder('static')
/** It builds when it is woken, and does not look for work by itself. */
const apart = await use(createTestExecutor({ ...network, staticDir }))

let server: Listening | undefined
async function hangUp(): Promise<void> {
  await server?.close()
  server = undefined
}

/** Serves this application at the executor's URL; the port stays the same. */
async function put(app: RequestListener): Promise<void> {
  await hangUp()
  server = await listen(app, port)
}
const executorApp = (key = SECRET) =>
  createExecutorApp({ executor: apart, keys: [readExecutorKey(key)], log })

afterAll(hangUp)
await put(executorApp())
afterEach(() => put(executorApp()))

const wakeWithin = (timeoutMs: number, at = port) =>
  wakeExecutorAt({ url: `http://127.0.0.1:${at}/`, key: readExecutorKey(SECRET), timeoutMs, log })

let budgetMs = LONG_MS
afterEach(() => {
  budgetMs = LONG_MS
})
/** The executor of a process with EXECUTOR_URL, on a machine without the folder of the copies. */
const ours = await use(
  createTestExecutor({
    ...network,
    log,
    staticDir: join(staticDir, 'not', 'here'),
    budget: () => budgetMs,
    wakeOther: wakeWithin(LONG_MS),
  }),
)
const api = await use(startApi(network, { executor: ours }))

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

const pages: { ID: number }[] = await db
  .sql(site.tables.posts)
  .where({ post_type: 'page', post_status: 'publish', post_password: '' })
  .orderBy('ID')
  .select('ID')
const [{ ID: page } = { ID: 0 }, { ID: otherPage } = { ID: 0 }] = pages

const fileOf = (url: string): string => {
  const { host, pathname } = new URL(url)
  return join(staticDir, host, pathname, 'index.html')
}

describe('an executor that is apart', () => {
  it('builds what it is woken for, and the answer says what was built', async () => {
    const slug = await newFrame('<h1 data-op-bind="page.title">?</h1>')
    const { body } = await send('post', `/frames/${slug}/assign`, { page })
    expect(body).toMatchObject({
      static: { published: true, changed: true, was_published: false, reason: null },
      republish: { status: 'ok' },
    })
    expect(body.pending).toBeUndefined()
    expect(await readFile(fileOf(body.static.url), 'utf8')).toBe(await apart.renderById(site, page))
    const embedding = await newFrame(`<!-- svc/frame {"name":"${slug}"} /-->`)
    await newFrame('unrelated')
    const written = await send('put', `/frames/${slug}`, { html: '<p>New</p>' })
    expect(written.body.bake).toMatchObject({
      status: 'ok',
      response: { baked: true, pages: [page], published: { published: true, pages: [page] } },
    })
    expect(written.body.rebaked).toMatchObject({
      status: 'ok',
      total: 1,
      baked: 1,
      frames: [{ slug: embedding, bake: 'baked', because: [expect.any(String)] }],
    })
    expect(await readFile(fileOf(body.static.url), 'utf8')).toBe('<p>New</p>')
    const cleared = await send('post', `/frames/${slug}/assign`, { page, clear: true })
    expect(cleared.body.static).toMatchObject({
      published: false,
      reason: 'no_frame',
      removed: true,
      was_published: true,
      was_url: body.static.url,
    })
    expect(existsSync(fileOf(body.static.url))).toBe(false)
  })

  it('publishes for an API whose settings have no static copies', async () => {
    const slug = await newFrame('<p>Seen</p>')
    const wakeOther = wakeWithin(LONG_MS)
    const unset = createTestExecutor({ ...network, budget: () => LONG_MS, wakeOther })
    const other = await startApi(network, { executor: unset })
    const assign = async (body: object) =>
      (await (await other.as('alice')).post(`/site/2/frames/${slug}/assign`).send(body)).body.static
    expect(await assign({ page: otherPage })).toMatchObject({ published: true, reason: null })
    expect(await assign({ page: otherPage, bake: false })).toMatchObject({ published: true })
    expect(await assign({ page: otherPage, clear: true })).toMatchObject({
      published: false,
      reason: 'no_frame',
      removed: true,
    })
    await other.close()
    await unset.close()
  })

  it('gets the site and the version of the recorded work, and nothing else', async () => {
    const asked: { url: string | undefined; claims: object; length: string | undefined }[] = []
    const answer = executorApp()
    await put((request, response) => {
      const { url, headers } = request
      const claims = decodeJwt(String(headers.authorization?.slice('Bearer '.length)))
      asked.push({ url, claims, length: headers['content-length'] })
      answer(request, response)
    })
    const slug = await newFrame()
    await send('post', `/frames/${slug}/assign`, { page: otherPage })
    const [{ version } = { version: 0 }] = await db
      .sql(`${globals.basePrefix}svc_sites`)
      .where({ blog_id: 2 })
      .select('version')
    expect(asked).toEqual([{ url: '/wake', claims: expect.any(Object), length: '0' }])
    const times = { iat: expect.any(Number), exp: expect.any(Number) }
    expect(asked[0]?.claims).toEqual({ site: 2, version, aud: 'wp-frames-executor', ...times })
  })

  it('if unreachable, makes writes answer 502, and builds them with the next wake-up', async () => {
    const slug = await newFrame('<p>Old</p>')
    const { body: bound } = await send('post', `/frames/${slug}/assign`, { page })
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
    await hangUp()
    const { status, body } = await send('post', `/frames/${slug}/assign`, { page })
    expect([status, body.static.reason, body.republish.status]).toEqual([
      200,
      'pending',
      'unavailable',
    ])
    expect((await send('get', `/frames/${slug}`)).body.frame.pages).toEqual([page])
  })

  it('is not woken for what no page shows, or without a build', async () => {
    await hangUp()
    const slug = await newFrame('<p>nobody shows it</p>')
    const { body } = await send('put', `/frames/${slug}`, { html: '<p>y</p>' })
    expect(body.bake).toMatchObject({ status: 'ok', response: { baked: true } })
    const unbuilt = await send('put', `/frames/${slug}`, { html: 'z', bake: false })
    expect([unbuilt.status, unbuilt.body.bake]).toEqual([200, { status: 'skipped' }])
    const assigned = await send('post', `/frames/${slug}/assign`, { page, bake: false })
    expect([assigned.status, assigned.body.republish.status]).toEqual([200, 'skipped'])
    const deleted = await send('delete', `/frames/${slug}`, { bake: false })
    expect([deleted.status, deleted.body.unbound_pages]).toEqual([200, [page]])
  })
})

describe('the wake-up', () => {
  it('is repeated once after a connection error', async () => {
    let asked = 0
    const answer = executorApp()
    await put((request, response) => {
      asked += 1
      if (asked > 1) return answer(request, response)
      request.socket.destroy()
    })
    await wakeWithin(LONG_MS)(site, 1)
    expect(asked).toBe(2)

    asked = 0
    const other = await listen((request) => {
      asked += 1
      request.socket.destroy()
    })
    await expect(wakeWithin(LONG_MS, other.port)(site, 1)).rejects.toMatchObject({
      code: 'internal_unavailable',
    })
    expect(asked).toBe(2)
    await other.close()
  })

  it.each<[string, number, RequestListener]>([
    ['a timeout', 100, () => {}],
    ...[200, 404, 500, 503].map((status): [string, number, RequestListener] => [
      `status ${status}`,
      LONG_MS,
      (_request, response) => void response.writeHead(status).end(),
    ]),
    ['a rejection', LONG_MS, executorApp(`${SECRET}, but another`)],
  ])('is not repeated after %s', async (_, timeoutMs, answer) => {
    let asked = 0
    await put((request, response) => {
      asked += 1
      answer(request, response)
    })
    await expect(wakeWithin(timeoutMs)(site, 1)).rejects.toMatchObject({
      code: 'internal_unavailable',
    })
    expect(asked).toBe(1)
  })

  it('is refused without a token, before a body has arrived', async () => {
    const { status } = await fetch(`http://127.0.0.1:${port}/wake`, { method: 'POST' })
    const others = await Promise.all(
      ['/', '/sites/2/effects'].map((path) =>
        fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST' }),
      ),
    )
    expect([status, ...others.map((answer) => answer.status)]).toEqual([401, 404, 404])
    expect((await fetch(`http://127.0.0.1:${port}/wake`)).status).toBe(404)
  })
})
