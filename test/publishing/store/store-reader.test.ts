import { gunzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { createLog } from '../../../src/log.ts'
import type { ServedCopy } from '../../../src/publishing/static-copy-cache.ts'
import { StoreReader } from '../../../src/publishing/store/store-reader.ts'
import { type Address, parseUrl } from '../../../src/wordpress/permalinks/address.ts'
import { openTestDatabase } from '../../support/open-database.ts'
import { hidden, SHOP, shown } from '../publishing-fixture.ts'
import { useStore } from './store-fixture.ts'

const { relay, objects, open, publish, network } = await useStore()
const copies = open()
await copies.assertWritable()
afterEach(() => {
  relay.interfere = () => undefined
  relay.requests.length = 0
})

let version = 0
const at = (path: string) => parseUrl(SHOP + path) as Address
const write = (html: string, path = 'a/') => publish(copies, ++version, [shown(7, path, html)])
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
    await publish(copies, ++version, [hidden(7, 'a/')])
    expect(await reader.find(at('a/'))).toBeUndefined()
  })

  it('are not those that no record describes', async () => {
    await write('three')
    const location = copies.locate(`${SHOP}a/`) ?? ''
    const object = await objects.get(0, location)
    if (typeof object !== 'object') throw new Error('no object')
    await publish(copies, ++version, [hidden(7, 'a/')])
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
    const db = openTestDatabase({ url: network.url, poolSize: 1, log: createLog('silent') })
    await db.close()
    const { globals } = network
    const reader = new StoreReader({ db, globals, prefix: 'live/', objects, onDamage: () => {} })
    expect(htmlOf(await reader.find(at('a/')))).toBe('five')
    // The store is asked whether it has changed.
    expect(htmlOf(await reader.find(at('a/')))).toBe('five')
    await write('six')
    expect(htmlOf(await reader.find(at('a/')))).toBe('six')
  })

  it('are reported if they are damaged', async () => {
    await objects.put(0, 'live/net.test/shop/broken/index.html', Buffer.from('no gzip'), {
      headers: { 'Content-Encoding': 'gzip' },
    })
    expect(await openReader().find(at('broken/'))).toBeUndefined()
    expect(damaged).toEqual(['live/net.test/shop/broken/index.html'])
  })
})
