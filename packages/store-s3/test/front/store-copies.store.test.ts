import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { parseStoreAddress } from '../../../../src/host/config/store-address.ts'
import { runCommand } from '../../../../test/support/cli.ts'
import { useFront } from '../../../../test/support/front.ts'
import { use } from '../../../../test/support/use.ts'
import { startObjectStore } from '../object-store.ts'
import { STORE_CREDENTIALS } from '../store-keys.ts'
import { startStoreRelay } from '../store-relay.ts'

const ABOUT = 7
const URL_OF_ABOUT = 'http://net.test/shop/about-us/'
const KEY = 'live/net.test/shop/about-us/index.html'

const server = await use(startObjectStore())
const relay = await use(startStoreRelay(server.endpoint))
await server.createBucket('copies')
const target = `s3://copies/live?endpoint=${relay.endpoint}`
const address = parseStoreAddress(target)
if (typeof address === 'string') throw new Error(address)
const front = await useFront({
  staticDir: undefined,
  staticStore: { address, credentials: STORE_CREDENTIALS },
})
afterEach(() => {
  relay.interfere = () => undefined
})

const inStore = async (key = KEY) => {
  const response = await fetch(`${server.endpoint}/copies/${key}`)
  return response.status === 200 ? response.text() : undefined
}

async function publish(html: string) {
  await front.frame(2, 'page', html)
  return front.assign(2, 'page', [ABOUT])
}

describe('a network whose static copies are in a store', () => {
  it('publishes pages there, serves them from there, and removes them', async () => {
    const { statics } = await publish('<p>one</p>')
    expect(statics.get(ABOUT)).toMatchObject({ published: true, url: URL_OF_ABOUT })
    expect(await inStore()).toBe('<p>one</p>')
    relay.requests.length = 0
    const plain = await front.ask(URL_OF_ABOUT)
    expect([plain.status, plain.body]).toEqual([200, '<p>one</p>'])
    const packed = await front.ask(URL_OF_ABOUT, { headers: { 'Accept-Encoding': 'gzip' } })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'gzip' })
    expect(gunzipSync(packed.bytes).toString()).toBe('<p>one</p>')
    const { etag = '' } = plain.headers
    const again = await front.ask(URL_OF_ABOUT, { headers: { 'If-None-Match': etag } })
    expect(again.status).toBe(304)
    expect(relay.requests.filter((request) => request.includes('net.test'))).toHaveLength(1)

    await front.assign(2, 'page', [ABOUT], { clear: true })
    expect(await inStore()).toBeUndefined()
    expect((await front.ask(URL_OF_ABOUT)).status).toBe(404)
  })

  it('stores writes and renders pages while the store is away, and publishes them afterwards', async () => {
    await publish('<p>one</p>')
    relay.interfere = () => ({ status: 503, code: 'SlowDown', headers: { 'Retry-After': '0.01' } })
    await publish('<p>two</p>')
    expect((await front.ask(URL_OF_ABOUT)).body).toBe('<p>two</p>')
    expect(await inStore()).toBe('<p>one</p>')
    relay.interfere = () => undefined
    await front.executor.finish(2)
    expect(await inStore()).toBe('<p>two</p>')
  })
})

describe('serve', () => {
  const start = async (setting: string) => {
    const env = {
      DATABASE_URL: front.network.url,
      STATIC_TARGET: setting,
      AWS_ACCESS_KEY_ID: 'id-of-the-test',
      AWS_SECRET_ACCESS_KEY: 'secret-of-the-test',
      PORT: '0',
      FRONT_PORT: '0',
    }
    return runCommand(['serve'], env)
  }

  it('does not start with a bucket that does not exist', async () => {
    const { code, stderr } = await start(`s3://missing-bucket?endpoint=${relay.endpoint}`)
    expect(code).toBe(1)
    expect(stderr).toContain('the bucket "missing-bucket" does not exist at')
    expect(stderr).not.toMatch(/\n\s+at |secret-of-the-test/)
  })
})
