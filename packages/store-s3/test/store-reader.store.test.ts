import { randomBytes } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { ServedCopy } from '../../../src/build/publishing/static-copy-cache.ts'
import { type Address, parsePageUrl } from '../../../src/wordpress/permalinks/address.ts'
import { hidden, SHOP, shown } from '../../../test/build/publishing/publishing-fixture.ts'
import { openTestDatabase } from '../../../test/support/open-database.ts'
import { MAX_HTML_BYTES } from '../src/copy-object.ts'
import { MAX_OBJECT_BYTES } from '../src/store-client.ts'
import { StoreReader } from '../src/store-reader.ts'
import { assertUsable, useStore } from './store-fixture.ts'

const { relay, objects, open, publish, network } = await useStore()
const copies = open()
await assertUsable(copies)

setFlagsFromString('--expose_gc')
const collectGarbage: () => void = runInNewContext('gc')

const at = (path: string) => parsePageUrl(SHOP + path) as Address
const write = (html: string, path = 'a/') => publish(copies, [shown(7, path, html)])
const htmlOf = (copy: ServedCopy | undefined) => copy?.forms.get('identity')?.bytes.toString()
const damaged: string[] = []
const openReader = () => copies.openReader({ onDamage: (names) => damaged.push(...names) })

describe('the copies for visitors', () => {
  it('are read from the store once, and again when their records say so', async () => {
    await write('one')
    const reader = openReader()
    const first = await reader.find(at('a/'))
    expect(htmlOf(first)).toBe('one')
    expect(first?.owner?.url).toBe(`${SHOP}a/`)
    const compressed = first?.forms.get('gzip')?.bytes ?? Buffer.alloc(0)
    expect(gunzipSync(compressed).toString()).toBe('one')
    relay.requests.length = 0
    expect(await reader.find(at('a'))).toBe(first)
    expect(relay.requests).toEqual([])
    await write('two')
    expect(htmlOf(await reader.find(at('a/')))).toBe('two')
    await publish(copies, [hidden(7, 'a/')])
    expect(await reader.find(at('a/'))).toBeUndefined()
  })

  it('are not those that no record describes', async () => {
    await write('three')
    const location = copies.locate(`${SHOP}a/`) ?? ''
    const object = await objects.get(0, location)
    if (typeof object !== 'object') throw new Error('no object')
    await publish(copies, [hidden(7, 'a/')])
    const kept = Object.entries(object.headers).filter(([name]) =>
      /^x-amz-meta|^content-enc/.test(name),
    )
    const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
    await objects.put(0, location, object.body, { headers })
    expect(await openReader().find(at('a/'))).toBeUndefined()
    await objects.delete(0, location)
  })

  it('are served from memory while the store is away; others are rendered, without waiting again', async () => {
    await write('four')
    const reader = openReader()
    await reader.find(at('a/'))
    relay.interfere = () => ({ status: 503, code: 'SlowDown' })
    expect(htmlOf(await reader.find(at('a/')))).toBe('four')
    await expect(reader.find(at('b/'))).rejects.toThrow('503')
    relay.requests.length = 0
    expect(await reader.find(at('b/'))).toBeUndefined()
    expect(relay.requests).toEqual([])
  })

  it('are served while the database is away', async () => {
    await write('five')
    const db = openTestDatabase({ url: network.url })
    await db.close()
    const { globals } = network
    const reader = new StoreReader({ db, globals, prefix: 'live/', objects, onDamage: () => {} })
    expect(htmlOf(await reader.find(at('a/')))).toBe('five')
    // The store is asked whether it has changed.
    expect(htmlOf(await reader.find(at('a/')))).toBe('five')
    await write('six')
    expect(htmlOf(await reader.find(at('a/')))).toBe('six')
  })

  it('are read once for all visitors that come at the same time', async () => {
    await write('seven')
    relay.requests.length = 0
    const reader = openReader()
    const found = await Promise.all(Array.from({ length: 50 }, () => reader.find(at('a/'))))
    expect(found.map(htmlOf)).toEqual(found.map(() => 'seven'))
    expect(relay.requests.length).toBeLessThanOrEqual(2)
  })

  it('are kept up to 64 MB, however many large ones are read', async () => {
    const pages = 40
    const html = (n: number) => `${n} ${randomBytes(3 * 1024 * 1024).toString('base64')}`
    for (let n = 0; n < pages; n += 1)
      await objects.put(0, `live/net.test/shop/large-${n}/index.html`, Buffer.from(html(n)))
    const reader = openReader()
    collectGarbage()
    const before = process.memoryUsage().arrayBuffers
    for (let n = 0; n < pages; n += 1)
      expect(htmlOf(await reader.find(at(`large-${n}/`)))?.split(' ', 1)).toEqual([String(n)])
    collectGarbage()
    const grown = process.memoryUsage().arrayBuffers - before
    // What is kept, and what the last requests have not released yet.
    expect(grown / 1024 / 1024).toBeLessThan(130)
    relay.requests.length = 0
    await reader.find(at(`large-${pages - 1}/`))
    await reader.find(at('large-0/'))
    expect(relay.requests).toHaveLength(2)
  })

  it('are rendered if an object is larger than a page, and the store does not count as away', async () => {
    await write('eight')
    const key = 'live/net.test/shop/huge/index.html'
    damaged.length = 0
    const reader = openReader()
    const headers = { 'Content-Encoding': 'gzip' }
    await objects.put(0, key, gzipSync(Buffer.alloc(MAX_HTML_BYTES + 1)), { headers })
    expect(await reader.find(at('huge/'))).toBeUndefined()
    await objects.put(0, key, Buffer.alloc(MAX_OBJECT_BYTES + 1))
    expect(await reader.find(at('huge/'))).toBeUndefined()
    expect(damaged).toEqual([key, key])
    expect(htmlOf(await reader.find(at('a/')))).toBe('eight')
    await objects.delete(0, key)
  })

  it('are reported if they are damaged', async () => {
    damaged.length = 0
    await objects.put(0, 'live/net.test/shop/broken/index.html', Buffer.from('no gzip'), {
      headers: { 'Content-Encoding': 'gzip' },
    })
    expect(await openReader().find(at('broken/'))).toBeUndefined()
    expect(damaged).toEqual(['live/net.test/shop/broken/index.html'])
  })
})
