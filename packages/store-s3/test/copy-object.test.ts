import { describe, expect, it } from 'vitest'
import { tagsOfCopy } from '../../../src/build/publishing/cache-tags.ts'
import { headersOf, objectOf } from '../src/copy-object.ts'

const FACTS = {
  network: '00000000-0000-4000-8000-000000000000',
  site: 2,
  page: 7,
  version: 12,
  written: 1_795_000_000_000_000,
  sha256: 'a'.repeat(64),
  htmlBytes: 1234,
  claim: '0123456789abcdef',
}
const shown = { frames: ['5158798bd2006010', '5158798bd2006011'], menus: true }
const settings = { header: 'Cache-Tag', prefix: 'net' } as const
const tagged = tagsOfCopy(settings, { site: 2, page: 7, shown })
const OWN = 'net,net-s2,net-s2-p7'
const bytesOf = (headers: Record<string, string>) => Object.entries(headers).flat().join('').length

describe('the metadata of a copy', () => {
  it('say what the owner file of a folder says, and the tags', () => {
    const facts = { ...FACTS, url: 'http://net.test/shop/über uns/' }
    const headers = headersOf(facts, tagged)
    expect(headers['x-amz-meta-cache-tag']).toBe(
      `${OWN},net-s2-f5158798bd2006010,net-s2-f5158798bd2006011,net-s2-menu`,
    )
    expect(objectOf(headers).facts).toEqual({ ...facts, shown })
    expect(objectOf(headersOf(facts)).facts).toEqual(facts)
  })

  it('stay below the limit of stores, with the tags by which the page is purged', () => {
    const facts = { ...FACTS, url: `http://net.test/${'a'.repeat(1600)}/` }
    const headers = headersOf(facts, tagged)
    expect(bytesOf(headers)).toBeLessThan(2048)
    expect(headers['x-amz-meta-cache-tag']).toBe(OWN)
    expect(objectOf(headers).facts).toEqual(facts)
  })

  it('add nothing to the tags but what they are made of', () => {
    const headers = {
      ...headersOf({ ...FACTS, url: 'x' }),
      'x-amz-meta-shown': '{"frames":["a,b"]}',
    }
    expect(objectOf(headers).facts).toEqual({ ...FACTS, url: 'x' })
  })
})
