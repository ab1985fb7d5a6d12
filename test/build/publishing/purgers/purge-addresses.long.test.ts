import { afterEach, describe, expect, it } from 'vitest'
import { purgeAddresses } from '../../../../src/build/publishing/purgers/purge-addresses.ts'
import { createLog } from '../../../../src/host/log.ts'
import { freePort } from '../../../support/free-port.ts'
import { type PageCache, startPageCache } from '../../../support/page-cache.ts'
import { FAST } from '../../../support/timings.ts'

const SHOP = 'http://net.test/shop/'
const log = createLog('silent')

const caches: PageCache[] = []
afterEach(async () => {
  for (const cache of caches.splice(0)) await cache.stop()
})

async function startCache(...args: Parameters<typeof startPageCache>): Promise<PageCache> {
  const cache = await startPageCache(...args)
  caches.push(cache)
  return cache
}

const purge = (caches: readonly string[], urls: readonly string[]) =>
  purgeAddresses(caches, urls, { log, timeoutMs: FAST.publishing.addressPurgeMs })

/** The base URL of an unreachable cache. */
const deadBase = async (): Promise<string> => `http://127.0.0.1:${await freePort()}`

describe('purging', () => {
  it('sends PURGE to every cache for each URL under its own host, with and without trailing slash', async () => {
    const [one, two] = [await startCache(), await startCache()]
    const urls = [`${SHOP}about-us/`, 'https://brand.test/kontakt/']
    expect(await purge([one.base, `${two.base}/cache`], urls)).toEqual({
      status: 'ok',
      by: 'PURGE',
      urls,
      skipped: [],
    })
    const asked = ['net.test/shop/about-us', 'brand.test/kontakt'].flatMap((bare) => [
      `PURGE ${bare}`,
      `PURGE ${bare}/`,
    ])
    expect([...one.purged].sort()).toEqual([...asked].sort())
    const below = asked.map((line) => line.replace('.test/', '.test/cache/'))
    expect([...two.purged].sort()).toEqual(below.sort())
  })

  it.each([
    ['http://net.test/', ['net.test/']],
    [SHOP, ['net.test/shop', 'net.test/shop/']],
    [`${SHOP}about-us`, ['net.test/shop/about-us', 'net.test/shop/about-us/']],
    ['http://net.test:8081/a/', ['net.test:8081/a', 'net.test:8081/a/']],
    ['http://net.test/docs/?page_id=2&lang=fr', ['net.test/docs/?page_id=2&lang=fr']],
    [
      `${SHOP}%d8%a7/`,
      [
        'net.test/shop/%D8%A7',
        'net.test/shop/%D8%A7/',
        'net.test/shop/%d8%a7',
        'net.test/shop/%d8%a7/',
      ],
    ],
  ])('means exactly %s, however it is spelled', async (url, asked) => {
    const cache = await startCache()
    await purge([cache.base], [url])
    expect([...cache.purged].sort()).toEqual(asked.map((path) => `PURGE ${path}`).sort())
  })

  it('treats "not in the cache" as success', async () => {
    for (const status of [200, 204, 404, 412]) {
      const { base } = await startCache(() => status)
      expect(await purge([base], [SHOP])).toMatchObject({ status: 'ok' })
    }
  })

  it('reports the URLs that a cache rejected, and continues with the others', async () => {
    for (const status of [301, 403, 405, 500]) {
      const { base } = await startCache((path) => (path.includes('about') ? status : 200))
      expect(
        await purgeAddresses([base], [`${SHOP}about-us/`, SHOP], {
          log,
          timeoutMs: FAST.publishing.addressPurgeMs,
        }),
      ).toEqual({
        status: 'failed',
        by: 'PURGE',
        urls: [SHOP],
        skipped: [`${SHOP}about-us/`],
      })
    }
  })

  it('does not throw if a cache is unreachable, and still purges the others', async () => {
    const alive = await startCache()
    const urls = [SHOP, `${SHOP}about-us/`]
    expect(await purge([await deadBase(), alive.base], urls)).toEqual({
      status: 'failed',
      by: 'PURGE',
      urls: [],
      skipped: urls,
    })
    expect(alive.purged).toHaveLength(4)
  })

  it('stops using a cache that does not respond: further pages cost no time', async () => {
    const mute = await startCache(() => undefined)
    const urls = Array.from({ length: 500 }, (_, at) => `${SHOP}page-${at}/`)
    expect(await purge([mute.base], urls)).toMatchObject({
      status: 'failed',
      urls: [],
      skipped: urls,
    })
    expect(mute.purged.length).toBeLessThan(20)
  })

  it('limits concurrent requests', async () => {
    const cache = await startCache()
    const urls = Array.from({ length: 200 }, (_, at) => `${SHOP}page-${at}/`)
    expect(await purge([cache.base], urls)).toMatchObject({ status: 'ok', urls })
    expect(cache.purged).toHaveLength(400)
    expect(cache.mostAtOnce).toBeGreaterThan(1)
    expect(cache.mostAtOnce).toBeLessThanOrEqual(8)
  })
})
