import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { beforeEach, describe, expect, it } from 'vitest'
import { pagesTable } from '../../../src/content/work/work-tables.ts'
import { parseStoreAddress } from '../../../src/host/config/store-address.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { useFront } from '../../../test/support/front.ts'
import { FAST } from '../../../test/support/timings.ts'
import { use } from '../../../test/support/use.ts'
import { pendingWork } from '../../../test/support/work-rows.ts'
import { StoreClient } from '../src/store-client.ts'
import { StoreCredentials } from '../src/store-credentials.ts'
import { StoreObjects } from '../src/store-objects.ts'
import { startObjectStore } from './object-store.ts'
import { STORE_CREDENTIALS } from './store-keys.ts'
import { startStoreRelay } from './store-relay.ts'

const server = await use(startObjectStore())
const relay = await use(startStoreRelay(server.endpoint))
await server.createBucket('copies')
const address = parseStoreAddress(`s3://copies/live?endpoint=${relay.endpoint}`)
if (typeof address === 'string') throw new Error(address)
const staticStore = { address, credentials: STORE_CREDENTIALS }
const front = await useFront({
  staticDir: undefined,
  staticStore,
  timings: { store: { rewriteMs: 1000 } },
})
await front.executor.copies?.open()
front.executor.start()

const ABOUT = 'live/net.test/shop/about-us/index.html'
const { db, globals } = front.network
const client = new StoreClient(
  address,
  new StoreCredentials(STORE_CREDENTIALS, FAST.store),
  FAST.store,
)
const objects = new StoreObjects(client)
const shown = async (key: string) => {
  const object = await objects.get(0, key)
  return typeof object === 'object' ? gunzipSync(object.body).toString() : undefined
}

/** When objects were written, by key, in milliseconds since 1970. */
const writes = new Map<string, number[]>()
beforeEach(() => {
  writes.clear()
  relay.interfere = ({ method, url = '' }) => {
    const key = url.slice('/copies/'.length)
    if (method === 'PUT') writes.set(key, [...(writes.get(key) ?? []), Date.now()])
    return undefined
  }
})

it('a page whose object the store refuses for the moment is tried again soon, however often it has failed', async () => {
  await front.frame(2, 'refused', '<p>refused</p>')
  relay.interfere = ({ method, url }) =>
    method === 'PUT' && url?.includes('net.test')
      ? { status: 503, code: 'SlowDown', headers: { 'Retry-After': '0.01' } }
      : undefined
  const { statics } = await front.assign(2, 'refused', [10])
  expect(statics.get(10)).toMatchObject({ published: false, reason: 'failed' })
  const row = () => db.sql(pagesTable(globals)).where({ blog_id: 2, page_id: 10 })
  await row().update({ tries: 8, due_at: db.sql.raw('NOW(6)') })
  await eventually(async () => {
    const [found] = await pendingWork(front.network, 2)
    expect(found).toMatchObject({ name: '10', tries: 9 })
    expect(found?.due_in).toBeLessThanOrEqual(2)
  })
  relay.interfere = () => undefined
  await front.executor.finish(2)
  expect(await shown('live/net.test/shop/about-us/team/index.html')).toBe('<p>refused</p>')
})

describe('the object of a page that changes several times in a second', () => {
  it('is written once in a second, at last with the last version, and delays no other page', async () => {
    await front.frame(2, 'often', '<p>0</p>')
    await front.frame(2, 'once', '<p>once</p>')
    await front.assign(2, 'often', [7])
    for (let edition = 1; edition <= 8; edition += 1) {
      void front.frame(2, 'often', `<p>${edition}</p>`)
      await sleep(150)
    }
    const { statics } = await front.assign(2, 'once', [8])
    // Another claim of the site may have written it already, before this client waited for it.
    expect(statics.get(8)).toMatchObject({ published: true })
    const once = front.executor.copies?.locate(statics.get(8)?.url ?? '') ?? ''
    expect(await shown(once)).toBe('<p>once</p>')
    await front.executor.finish(2)
    expect(await shown(ABOUT)).toBe('<p>8</p>')
    const at = writes.get(ABOUT) ?? []
    expect(at.length).toBeGreaterThanOrEqual(2)
    for (const [index, time] of at.entries())
      if (index > 0) expect(time - (at[index - 1] ?? 0)).toBeGreaterThan(950)
    expect(at.length).toBeLessThanOrEqual(4)
  })

  it('is reported to the client that waits for it', async () => {
    await front.frame(2, 'waits', '<p>a</p>')
    const first = await front.assign(2, 'waits', [9])
    const url = first.statics.get(9)?.url ?? ''
    await front.frame(2, 'other', '<p>b</p>')
    const { statics } = await front.assign(2, 'other', [9])
    expect(statics.get(9)).toMatchObject({ published: true, changed: true, url })
    const key = front.executor.copies?.locate(url) ?? ''
    expect(await shown(key)).toBe('<p>b</p>')
  })
})
