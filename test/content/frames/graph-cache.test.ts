import { expect, it } from 'vitest'
import { analyzeMarkup } from '../../../src/content/frames/frame-markup.ts'
import { FrameGraph } from '../../../src/content/frames/graph.ts'
import { cacheGraph, cachePart } from '../../../src/content/frames/graph-cache.ts'
import { metaOf } from '../../../src/content/frames/record.ts'
import { Registry } from '../../../src/content/frames/registry.ts'
import { useNetwork } from '../../support/network.ts'

const network = await useNetwork()
const site = await network.site(2)

const record = { slug: 'a', html: '', created_at_gmt: '', updated_at_gmt: '', updated_by: 0 }
const frame = { id: '1', slug: 'a', meta: metaOf(record, analyzeMarkup('')) }
const registryOf = (size: number) =>
  new Registry(new Map(Array.from({ length: size }, (_, index) => [`id-${index}`, `f-${index}`])))

it('the cache of graphs accounts for the memory of frames, and less for names', () => {
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
