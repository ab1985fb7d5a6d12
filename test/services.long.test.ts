import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CliServices, Listening, Roles } from '../src/cli/cli-context.ts'
import { parseConfig } from '../src/host/config/config.ts'
import { openServices } from '../src/services.ts'
import { issueTokenFor } from './support/api.ts'
import { eventually } from './support/eventually.ts'
import { freePort } from './support/free-port.ts'
import { useNetwork } from './support/network.ts'
import { batchSetting } from './support/open-database.ts'
import { FAST } from './support/timings.ts'
import { useFolder } from './support/use.ts'
import { pendingWork } from './support/work-rows.ts'

/** The composed, listening service: the endpoints for operators and their programs. */

const network = await useNetwork()
const folder = await useFolder('services')

const AWAY = 'mysql://nobody@127.0.0.1:9/none'

let services: CliServices
let listening: Listening
const start = async (roles: Roles, env: Record<string, string> = {}): Promise<void> => {
  services = await openServices(
    parseConfig({
      ...batchSetting,
      DATABASE_URL: network.url,
      TABLE_PREFIX: network.globals.basePrefix,
      PORT: '0',
      FRONT_PORT: String(await freePort()),
      STATIC_DIR: join(folder, 'static'),
      LOG_LEVEL: 'silent',
      ...env,
    }),
    { isServer: true, timings: FAST },
  )
  listening = await services.listen(roles)
}
afterEach(async () => {
  await listening.close()
  await services.close()
})

type Asked = { readonly host?: string; readonly agent?: Agent; readonly token?: string }

const ask = (address: string, { host, agent, token }: Asked = {}) =>
  new Promise<{ status: number; body: string; connection: string | undefined }>(
    (resolve, reject) => {
      const headers = {
        ...(host === undefined ? {} : { Host: host }),
        ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      }
      get(address, { agent, headers }, async (response) => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, body: await text(response), connection: headers.connection })
      }).on('error', reject)
    },
  )

const API: Roles = { api: true, front: false }
const FRONT: Roles = { api: false, front: true }
const EXECUTOR: Roles = { api: false, front: false, executor: true }
const KEY = { EXECUTOR_KEY: 'a secret of 32 bytes, or a little more' }
const ROLES: [string, Roles, Record<string, string>][] = [
  ['api', API, {}],
  ['front', FRONT, {}],
  ['executor', EXECUTOR, KEY],
]
const origin = () =>
  new URL(listening.apiUrl ?? listening.frontUrl ?? listening.executorUrl ?? '').origin

it('a process deletes planned writes that expired', async () => {
  const { db, globals } = network
  const table = `${globals.basePrefix}svc_planned_writes`
  const planned = {
    token_id: 1,
    blog_id: 2,
    endpoint: 'createFrame',
    input: '',
    digest: Buffer.alloc(32),
    created_at: '2026-01-01 00:00:00',
  }
  await db.sql(table).insert({ ...planned, id: 'expired' })
  // The first round begins at once.
  const random = vi.spyOn(Math, 'random').mockReturnValue(0)
  await start(API)
  random.mockRestore()
  await eventually(async () => expect(await db.sql(table)).toEqual([]))
})

describe('/healthz and /readyz', () => {
  it.each([
    ['api', API, { BASE_PATH: '/wp-json/svc/v1', RATE_LIMIT_PER_MINUTE: '1' }],
    ['front', FRONT, {}],
    ['executor', EXECUTOR, KEY],
  ])('stand at the root of the %s, for everybody', async (_name, roles, env) => {
    await start(roles, env)
    for (let time = 0; time < 5; time += 1) {
      expect(await ask(`${origin()}/healthz`)).toMatchObject({
        status: 200,
        body: '{"status":"ok"}',
      })
      const { status, body } = await ask(`${origin()}/readyz`)
      expect([status, JSON.parse(body)]).toEqual([
        200,
        { status: 'ready', parts: { database: 'up', static: 'up' } },
      ])
    }
  })

  it.each(ROLES)(
    'report that the database of the %s is unreachable, without details',
    async (_name, roles, env) => {
      await start(roles, { DATABASE_URL: AWAY, ...env })
      expect((await ask(`${origin()}/healthz`)).status).toBe(200)
      const { status, body } = await ask(`${origin()}/readyz`)
      expect([status, body]).toEqual([
        503,
        '{"status":"unready","parts":{"database":"down","static":"up"}}',
      ])
    },
  )

  it('report that the folder of static copies is not writable', async () => {
    const above = join(folder, 'above')
    await start(API, { STATIC_DIR: join(above, 'static') })
    await rename(above, join(folder, 'away'))
    await writeFile(above, '')
    const { status, body } = await ask(`${origin()}/readyz`)
    expect([status, JSON.parse(body).parts]).toEqual([503, { database: 'up', static: 'down' }])
  })

  it('report that the folder of static copies is not mounted', async () => {
    const staticDir = join(folder, 'mounted')
    const partsOf = async () => JSON.parse((await ask(`${origin()}/readyz`)).body).parts
    await start(API, { STATIC_DIR: staticDir })
    expect(await partsOf()).toEqual({ database: 'up', static: 'up' })
    await listening.close()
    await services.close()
    await rename(staticDir, join(folder, 'unmounted'))
    await mkdir(staticDir)
    await start(API, { STATIC_DIR: staticDir })
    expect(await partsOf()).toEqual({ database: 'up', static: 'down' })
    expect(await readdir(staticDir)).toEqual([])
  })

  it.each(ROLES)(
    'report that a newer version has changed the tables of the running %s, if it cannot work with them',
    async (_name, roles, env) => {
      const { db, globals } = network
      const migrations = () => db.sql(`${globals.basePrefix}svc_migrations`)
      const add = (name: string) => migrations().insert({ name, applied_at: '2026-01-01' })
      const read = async () => JSON.parse((await ask(`${origin()}/readyz`)).body)
      await start(roles, env)
      await add('9001-more.sql')
      expect(await read()).toMatchObject({ status: 'ready' })
      await add('9002-renamed-incompatible.sql')
      await eventually(async () =>
        expect(await read()).toMatchObject({
          status: 'unready',
          parts: { migrations: 'down' },
          reasons: { migrations: expect.stringContaining('9002-renamed-incompatible.sql') },
        }),
      )
      await migrations().where('name', 'like', '9%').delete()
      await eventually(async () => expect(await read()).toMatchObject({ status: 'ready' }))
    },
  )

  it('omit the folder if another process builds pages, or copies are turned off', async () => {
    const elsewhere = { EXECUTOR_URL: 'http://127.0.0.1:9', ...KEY }
    for (const env of [elsewhere, { STATIC_DIR: '' }]) {
      await start(API, env)
      const { body } = await ask(`${origin()}/readyz`)
      expect(JSON.parse(body).parts).toEqual({ database: 'up' })
      await listening.close()
      await services.close()
    }
    await start(API)
  })

  it('report unreachable counters, but stay ready', async () => {
    await start(API, { REDIS_URL: 'redis://:hidden@127.0.0.1:9' })
    const { status, body } = await ask(`${origin()}/readyz`)
    expect([status, JSON.parse(body)]).toEqual([
      200,
      { status: 'ready', parts: { database: 'up', static: 'up', counters: 'down' } },
    ])
  })

  it('do not answer on the hosts of sites', async () => {
    await start(FRONT)
    for (const host of ['net.test', 'net.test:80', 'elsewhere.test']) {
      const { status, body } = await ask(`${origin()}/healthz`, { host })
      expect([status, body]).toEqual([404, expect.stringContaining('<!doctype html>')])
    }
    for (const host of ['localhost', '192.0.2.1:8081', '[::1]:8081']) {
      expect((await ask(`${origin()}/healthz`, { host })).status).toBe(200)
    }
  })

  it('report on open connections that the process is stopping', async () => {
    await start(API)
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    await ask(`${origin()}/readyz`, { agent })
    const closing = listening.close()
    expect(await ask(`${origin()}/readyz`, { agent })).toEqual({
      status: 503,
      body: '{"status":"stopping","parts":{}}',
      connection: 'close',
    })
    await closing
    agent.destroy()
  })
})

it('a process renders pages in the process of the front, if the executor of EXECUTOR_URL is down', async () => {
  await start(API, { STATIC_DIR: '' })
  const headers = {
    Authorization: `Bearer ${await issueTokenFor(network, 'alice')}`,
    'Content-Type': 'application/json',
  }
  for (const [path, body] of [
    ['', { slug: 'own', html: '<p>rendered here</p>', bake: false }],
    ['/own/assign', { page: 7 }],
  ] as const) {
    const url = `${listening.apiUrl}/site/2/frames${path}`
    const { status } = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    expect(status).toBe(200)
  }
  await listening.close()
  await services.close()
  await start(FRONT, { STATIC_DIR: '', EXECUTOR_URL: 'http://127.0.0.1:9', ...KEY })
  const { status, body } = await ask(`${listening.frontUrl}/shop/about-us/`, { host: 'net.test' })
  expect([status, body]).toEqual([200, '<p>rendered here</p>'])
})

it('a process leaves the work of runs to the executor of EXECUTOR_URL', async () => {
  await start(API, { EXECUTOR_URL: 'http://127.0.0.1:9', ...KEY })
  const headers = {
    Authorization: `Bearer ${await issueTokenFor(network, 'admin')}`,
    'Content-Type': 'application/json',
  }
  const call = async (path: string, body?: object) => {
    const method = body ? 'POST' : 'GET'
    const url = `${listening.apiUrl}/network/plans${path}`
    const response = await fetch(url, { method, headers, body: body && JSON.stringify(body) })
    return ((await response.json()) as { plan: { id: string; state: string } }).plan
  }
  const { id } = await call('', {
    version: 1,
    name: 'apart',
    sites: [{ match: { id: [2] }, bundles: ['base'] }],
    bundles: { base: { frames: [{ slug: 'apart', html: 'x' }] } },
  })
  const until = (state: string) =>
    eventually(async () => expect((await call(`/${id}`)).state).toBe(state))
  await until('planned')
  await call(`/${id}/apply`, {})
  await until('done')
  // The process ends after the slices that it has begun.
  await listening.close()
  await services.close()
  const work = async () => (await pendingWork(network)).filter(({ kind }) => kind === 'frame')
  expect(await work()).toMatchObject([{ blog_id: 2, tries: 0 }])
  await start(API)
  await eventually(async () => expect(await work()).toEqual([]))
})

describe('DRAIN_SECONDS', () => {
  it('answers requests on new connections while /readyz answers 503', async () => {
    await start(API, { DRAIN_SECONDS: '2' })
    let isClosed = false
    const closing = listening.close().then(() => {
      isClosed = true
    })
    expect((await ask(`${origin()}/readyz`)).status).toBe(503)
    expect((await ask(`${origin()}/site/2/menus`)).status).toBe(401)
    expect(isClosed).toBe(false)
    await closing
  })
})

describe('/metrics', () => {
  const scrape = async () => (await ask(`${listening.metricsUrl}/metrics`)).body
  /** The sample of this name with these labels. */
  const sample = (page: string, name: string, labels: string): number =>
    Number(
      page
        .split('\n')
        .find((line) => line.startsWith(`${name}{${labels}} `))
        ?.split(' ')[1],
    )

  it('is off by default', async () => {
    await start(API)
    expect(listening.metricsUrl).toBeUndefined()
    expect((await ask(`${origin()}/metrics`)).status).toBe(404)
  })

  it('has its own port, without other routes', async () => {
    await start(API, { METRICS_PORT: String(await freePort()) })
    expect(new URL(listening.metricsUrl ?? '').hostname).toBe('127.0.0.1')
    expect((await ask(`${origin()}/metrics`)).status).toBe(404)
    expect((await ask(`${listening.metricsUrl}/site/2/frames`)).status).toBe(404)
  })

  it('counts requests by route template, in both kinds of addressing', async () => {
    await start(API, { METRICS_PORT: String(await freePort()), BASE_PATH: '/svc' })
    const token = await issueTokenFor(network, 'alice')
    const paths = ['site/2/frames/none', 'site/2/frames/other', 'frames/none?blog_id=2']
    for (const path of paths) await ask(`${listening.apiUrl}/${path}`, { token })
    for (const path of ['site/2/what', 'site/2/ever'])
      await ask(`${listening.apiUrl}/${path}`, { token })
    await ask(`${listening.apiUrl}/site/2/frames`)
    await ask(`${origin()}/healthz`)
    const page = await scrape()
    const requests = page.split('\n').filter((line) => line.startsWith('wp_frames_http_requests'))
    expect(requests.toSorted()).toEqual([
      'wp_frames_http_requests_total{part="api",method="GET",route="/frames/:ref",status="404"} 3',
      'wp_frames_http_requests_total{part="api",method="GET",route="none",status="401"} 1',
      'wp_frames_http_requests_total{part="api",method="GET",route="none",status="404"} 2',
    ])
    const seconds = 'wp_frames_http_request_duration_seconds_count'
    expect(sample(page, seconds, 'part="api",method="GET",route="/frames/:ref"')).toBe(3)
    expect(page).not.toContain(token.slice(3, 20))
  })

  it('counts bakes, purges, keys of the object cache and connections', async () => {
    await start(
      { api: true, front: true },
      {
        METRICS_PORT: String(await freePort()),
        PAGE_CACHE_PURGE: 'http://127.0.0.1:9',
        OBJECT_CACHE_URL: 'redis://127.0.0.1:9',
      },
    )
    const token = await issueTokenFor(network, 'alice')
    const post = (path: string, body: object) =>
      fetch(`${listening.apiUrl}/site/2${path}`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      }).then((answer) => answer.json())
    await post('/frames', { slug: 'counted', html: '<p>counted</p>' })
    await post('/frames', { slug: 'around', html: '<!-- svc/frame {"name":"counted"} /-->' })
    await post('/frames/counted/assign', { page: 2 })
    await post('/frames/rebake', { frames: ['counted'] })
    const host = 'net.test'
    await ask(`${listening.frontUrl}/shop/none/`, { host })
    // On a busy machine the purge follows the answer, and is repeated.
    const page = await eventually(async () => {
      const text = await scrape()
      expect(sample(text, 'wp_frames_purged_addresses_total', 'outcome="failed"')).toBeGreaterThan(
        0,
      )
      return text
    })
    expect(sample(page, 'wp_frames_bakes_total', 'outcome="baked"')).toBe(2)
    // Work that is tried again, such as the purge, finds frames that are baked.
    expect(sample(page, 'wp_frames_bakes_total', 'outcome="not_needed"')).toBeGreaterThan(0)
    expect(sample(page, 'wp_frames_build_duration_seconds_count', 'work="apply"')).toBe(4)
    expect(sample(page, 'wp_frames_object_cache_keys_total', 'outcome="failed"')).toBeGreaterThan(0)
    const labels = 'part="front",method="GET",route="page",status="404"'
    expect(sample(page, 'wp_frames_http_requests_total', labels)).toBe(1)
    for (const state of ['used', 'free', 'waiting']) {
      const labels = `pool="reads",state="${state}"`
      expect(sample(page, 'wp_frames_db_connections', labels)).toBeGreaterThanOrEqual(0)
    }
    expect(sample(page, 'wp_frames_db_connections_limit', 'pool="previews"')).toBe(2)
    expect(page).toContain('process_resident_memory_bytes')
  })
})
