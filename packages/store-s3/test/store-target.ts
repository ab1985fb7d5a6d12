import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { CopyOwner } from '../../../src/build/publishing/static-copy.ts'
import { forEachBounded } from '../../../src/host/concurrency/for-each.ts'
import { isCopy, opened, type TestTarget } from '../../../test/build/publishing/test-target.ts'
import { FAST } from '../../../test/support/timings.ts'
import { objectOf } from '../src/copy-object.ts'
import { StoreClient } from '../src/store-client.ts'
import { StoreCredentials } from '../src/store-credentials.ts'
import { StoreObjects } from '../src/store-objects.ts'
import { startObjectStore, storeAt } from './object-store.ts'
import { STORE_CREDENTIALS } from './store-keys.ts'

/** An S3 server with an empty bucket. */
export async function startStore(): Promise<TestTarget> {
  const server = await startObjectStore()
  await server.createBucket('copies')
  const address = server.address('copies')
  const client = new StoreClient(
    address,
    new StoreCredentials(STORE_CREDENTIALS, FAST.store),
    FAST.store,
  )
  const objects = new StoreObjects(client)
  const settings = { staticDir: undefined, openStore: storeAt(address) }
  const keys = async () => {
    const found: string[] = []
    for await (const page of objects.list(0, '')) found.push(...page)
    return found
  }
  const get = async (location: string) => {
    const object = await objects.get(0, location)
    return typeof object === 'object' ? object : undefined
  }
  return {
    staticDir: join(tmpdir(), 'wp-frames-no-folder'),
    setting: server.setting('copies'),
    settings,
    open: (options) => opened({ ...options, ...settings }),
    prepare: async () => {},
    locate: (path) => join(path, 'index.html'),
    files: async () => {
      const copies: string[] = []
      await forEachBounded((await keys()).filter(isCopy), 8, async (key) => {
        const headers = await objects.head(0, key)
        if (headers && !objectOf(headers).isPlaceholder) copies.push(key)
      })
      return copies.sort()
    },
    owners: async () => {
      const owners: CopyOwner[] = []
      for (const key of (await keys()).filter(isCopy)) {
        const headers = await objects.head(0, key)
        const facts = headers && objectOf(headers).facts
        if (facts) owners.push(facts)
      }
      return owners
    },
    read: async (location) => {
      const object = await get(location)
      if (!object) return undefined
      const { facts, etag } = objectOf(object.headers)
      const owner = facts && { site: facts.site, page: facts.page, url: facts.url }
      const html = gunzipSync(object.body).toString()
      return { html, owner, isWhole: true, fileTime: facts?.written ?? 0, tag: etag }
    },
    storeByHand: async (location, html) => {
      const headers = { 'Content-Encoding': 'gzip' }
      await objects.put(0, location, gzipSync(html), { headers })
    },
    duplicate: async (location, to) => {
      const object = await get(location)
      if (!object) throw new Error('no copy')
      const kept = Object.entries(object.headers).filter(
        ([name]) => name.startsWith('x-amz-meta-') || name === 'content-encoding',
      )
      const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
      await objects.put(0, to, object.body, { headers })
    },
    lose: async (location) => {
      await objects.delete(0, location)
    },
    clear: async () => {
      // As a folder that is emptied, except for what makes it the network's.
      for (const key of await keys()) if (key !== '.wp-frames') await objects.delete(0, key)
    },
    stop: async () => {
      client.close()
      await server.stop()
    },
  }
}
