import { beforeEach, describe, expect, it } from 'vitest'
import { analyzeMarkup } from '../../../src/content/frames/frame-markup.ts'
import { FrameGraph } from '../../../src/content/frames/graph.ts'
import {
  cacheGraph,
  cachePart,
  getCachedGraph,
  getCachedPart,
  graphVersionOf,
  newVersionNonce,
  peekCachedGraph,
  readGraphVersion,
  versionIn,
} from '../../../src/content/frames/graph-cache.ts'
import { metaOf } from '../../../src/content/frames/record.ts'
import { Registry } from '../../../src/content/frames/registry.ts'
import { writeOptions } from '../../../src/wordpress/options/write-options.ts'
import { useNetwork } from '../../support/network.ts'

const network = await useNetwork()
const site = await network.site(2)
const other = await network.site(3)
beforeEach(() => network.db.cache.clear())

const record = { slug: 'a', html: '', created_at_gmt: '', updated_at_gmt: '', updated_by: 0 }
const frame = { id: '1', slug: 'a', meta: metaOf(record, analyzeMarkup('')) }
const registryOf = (size: number) =>
  new Registry(new Map(Array.from({ length: size }, (_, index) => [`id-${index}`, `f-${index}`])))

describe('the version of the graph', () => {
  it('changes with the registry and with the nonce', async () => {
    expect(await readGraphVersion(network.db, site)).toBeUndefined()
    const store = (name: string, value: string) =>
      network.db.write({}, (tx) => writeOptions(tx, site, [{ name, value }], 'off'))
    await store('svc_frames_version', 'alone')
    expect(await readGraphVersion(network.db, site)).toBeUndefined()
    await store('svc_frames', 'a:0:{}')
    expect(await readGraphVersion(network.db, site)).toBe(graphVersionOf('alone', 'a:0:{}'))
    await store('svc_frames_version', 'another')
    expect(await readGraphVersion(network.db, site)).toBe(graphVersionOf('another', 'a:0:{}'))
  })

  it('exists without a nonce, if only the legacy endpoint has written', () => {
    expect(versionIn(new Map([['svc_frames', 'digest']]))).toBe(' digest')
    expect(versionIn(new Map([['svc_frames_version', 'nonce']]))).toBeUndefined()
  })

  it('has a new nonce each time', () => {
    expect(newVersionNonce()).toMatch(/^[0-9a-f]{24}$/)
    expect(newVersionNonce()).not.toBe(newVersionNonce())
  })
})

describe('the cache', () => {
  it('returns a graph only for its site and its version', () => {
    const graph = new FrameGraph(registryOf(1), [])
    cacheGraph(network.db, site, 'v1', graph)
    expect(getCachedGraph(network.db, site, 'v1')).toBe(graph)
    expect(peekCachedGraph(network.db, site)).toEqual({ version: 'v1', graph })
    for (const version of ['v2', undefined])
      expect(getCachedGraph(network.db, site, version)).toBeUndefined()
    expect(getCachedGraph(network.db, other, 'v1')).toBeUndefined()
    expect(getCachedPart(network.db, site, 'v1')).toBeUndefined()
  })

  it('is empty at first', () => {
    expect(getCachedGraph(network.db, site, undefined)).toBeUndefined()
    expect(getCachedPart(network.db, site, undefined)).toBeUndefined()
    expect(peekCachedGraph(network.db, site)).toBeUndefined()
  })

  it('stores a part separately from the whole graph', () => {
    const part = { registry: registryOf(1), frames: new Map([[frame.id, frame]]) }
    cachePart(network.db, site, 'v1', part)
    expect(getCachedPart(network.db, site, 'v1')).toBe(part)
    for (const version of ['v2', undefined])
      expect(getCachedPart(network.db, site, version)).toBeUndefined()
    expect(getCachedPart(network.db, other, 'v1')).toBeUndefined()
    expect(getCachedGraph(network.db, site, 'v1')).toBeUndefined()
  })

  it('accounts for the memory of frames, and less for names', () => {
    const { cache } = network.db
    const sizeOf = (store: () => void): number => {
      cache.clear()
      store()
      return cache.calculatedSize
    }
    const whole = (size: number) => () =>
      cacheGraph(network.db, site, 'v', new FrameGraph(registryOf(size), []))
    const part = (names: number, frames: number) => () =>
      cachePart(network.db, site, 'v', {
        registry: registryOf(names),
        frames: new Map(Array.from({ length: frames }, (_, index) => [`id-${index}`, frame])),
      })
    expect(sizeOf(whole(0))).toBeGreaterThan(0)
    expect(sizeOf(part(0, 0))).toBeGreaterThan(0)
    expect(sizeOf(whole(1000))).toBeGreaterThan(900 * sizeOf(whole(0)))
    expect(sizeOf(part(1000, 1000))).toBeGreaterThan(sizeOf(whole(1000)))
    expect(sizeOf(part(1000, 0))).toBeLessThan(sizeOf(whole(1000)) / 2)
    expect(sizeOf(part(1000, 0))).toBeGreaterThan(100_000)
  })
})
