import { describe, expect, it } from 'vitest'
import {
  cacheTagHeaders,
  MAX_CACHE_TAG_BYTES,
  MAX_CACHE_TAGS,
  tagsOfPage,
} from '../../../src/build/publishing/cache-tags.ts'

const page = { site: 2, page: 7 }
const OWN = ['net', 'net-s2', 'net-s2-p7']
const frames = (count: number) =>
  Array.from({ length: count }, (_, index) => `5158798bd20060${10 + index}`)

describe('the tags of a page', () => {
  it('name the network, the site, the page, its frames and whether it shows menus', () => {
    expect(tagsOfPage('net', page)).toEqual(OWN)
    expect(tagsOfPage('net', { ...page, shown: { frames: frames(2), menus: true } })).toEqual([
      ...OWN,
      'net-s2-f5158798bd2006010',
      'net-s2-f5158798bd2006011',
      'net-s2-menu',
    ])
  })

  it('are no more than 16', () => {
    const most = MAX_CACHE_TAGS - OWN.length
    const tagsWith = (count: number) =>
      tagsOfPage('net', { ...page, shown: { frames: frames(count), menus: false } })
    expect(tagsWith(most)).toHaveLength(MAX_CACHE_TAGS)
    expect(tagsWith(most + 1)).toEqual(OWN)
  })

  it('are shorter than 1,024 bytes', () => {
    const long = { ...page, shown: { frames: frames(13), menus: false } }
    const prefix = 'a'.repeat(60)
    expect(tagsOfPage(prefix, long)).toHaveLength(3)
    for (let length = 1; length < 60; length += 1) {
      const header = tagsOfPage('a'.repeat(length), long).join(', ')
      expect(header.length).toBeLessThanOrEqual(MAX_CACHE_TAG_BYTES)
    }
  })

  it.each([
    ['Surrogate-Key', ' '],
    ['xkey', ' '],
    ['Cache-Tag', ','],
    ['Edge-Cache-Tag', ','],
    ['CDN-Tag', ','],
    ['x-amz-meta-cache-tag', ','],
  ] as const)('are written for %s as it is read', (header, separator) => {
    expect(cacheTagHeaders({ header, prefix: 'net' }, page)).toEqual({
      [header]: OWN.join(separator),
    })
  })

  it('are not written without a header or a page', () => {
    expect(cacheTagHeaders(undefined, page)).toEqual({})
    expect(cacheTagHeaders({ header: 'xkey', prefix: 'net' }, undefined)).toEqual({})
  })
})
