import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  type ServedCopy,
  StaticCopyCache,
} from '../../../src/build/publishing/static-copy-cache.ts'
import { type Address, parsePageUrl } from '../../../src/wordpress/permalinks/address.ts'
import { hidden, shown, usePublishingFixture } from './publishing-fixture.ts'

const ABOUT = 'http://net.test/about/'

const shop = await usePublishingFixture(true)
const staticDir = shop.staticDir

const at = (url: string) => parsePageUrl(url) as Address
const write = (version: number, page = 7, url = ABOUT) =>
  shop.publish(version, [{ ...shown(page, '', `version ${version}`), url }])

/** The version in each form of a copy. */
function versionsOf(copy: ServedCopy | undefined): number[] {
  return [...(copy?.forms ?? [])].map(([coding, { bytes }]) => {
    const html =
      coding === 'gzip' ? gunzipSync(bytes) : coding === 'br' ? brotliDecompressSync(bytes) : bytes
    return Number(html.toString().slice('version '.length))
  })
}

describe('StaticCopyCache', () => {
  it('reads a copy once while it does not change', async () => {
    await write(1)
    const copies = new StaticCopyCache(staticDir)
    const first = await copies.find(at(ABOUT))
    expect(versionsOf(first)).toEqual([1, 1, 1])
    expect(first?.owner?.url).toBe(ABOUT)
    expect(await copies.find(at(`${ABOUT}?utm_source=x`))).toBe(first)
    expect(await copies.find(at('http://net.test/about'))).toBe(first)
    await write(2)
    expect(versionsOf(await copies.find(at(ABOUT)))).toEqual([2, 2, 2])
  })

  it('finds nothing before a copy is written and after it is removed', async () => {
    const copies = new StaticCopyCache(staticDir)
    const url = 'http://net.test/other/'
    expect(await copies.find(at(url))).toBeUndefined()
    await write(1, 8, url)
    expect(versionsOf(await copies.find(at(url)))).toEqual([1, 1, 1])
    await shop.publish(2, [hidden(8, '')])
    expect(await copies.find(at(url))).toBeUndefined()
  })

  it('serves copies that are too large to be cached', async () => {
    await write(3)
    const copies = new StaticCopyCache(staticDir, { maxBytes: 1 })
    const first = await copies.find(at(ABOUT))
    expect(versionsOf(first)).toEqual([3, 3, 3])
    expect(await copies.find(at(ABOUT))).not.toBe(first)
  })

  it('never mixes versions or goes back while copies are written', async () => {
    const copies = new StaticCopyCache(staticDir)
    const folder = join(staticDir, 'net.test/about')
    let writing = true
    const writer = (async () => {
      for (let version = 10; version < 60; version += 1) await write(version)
      writing = false
    })()
    let newest = 0
    let reads = 0
    while (writing) {
      const versions = versionsOf(await copies.find(at(ABOUT)))
      expect(new Set(versions).size).toBe(1)
      expect(versions[0]).toBeGreaterThanOrEqual(newest)
      newest = versions[0] ?? 0
      // Like a web server that does not compare times: a compressed form is never older than the HTML.
      const html = (await readFile(join(folder, 'index.html'))).toString()
      const zipped = gunzipSync(await readFile(join(folder, 'index.html.gz'))).toString()
      expect(Number(zipped.slice(8))).toBeGreaterThanOrEqual(Number(html.slice(8)))
      reads += 1
    }
    await writer
    expect(reads).toBeGreaterThan(20)
    expect(versionsOf(await copies.find(at(ABOUT)))).toEqual([59, 59, 59])
  })
})
