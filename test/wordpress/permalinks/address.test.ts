import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sitePaths } from '../../../src/wordpress/hosts/site-hosts.ts'
import {
  parseAddress,
  parsePageUrl,
  queryValue,
} from '../../../src/wordpress/permalinks/address.ts'

describe('an address', () => {
  it.each([
    ['net.test', '/', { segments: [], slash: true, query: '' }],
    ['net.test', '/shop', { segments: ['shop'], slash: false, query: '' }],
    ['net.test', '/shop/about-us/', { segments: ['shop', 'about-us'], slash: true, query: '' }],
    ['net.test', '/a%20b/%D8%A7?x=%2f', { segments: ['a b', 'ا'], slash: false, query: 'x=%2f' }],
    ['net.test', '/%d8%a7/?', { segments: ['ا'], slash: true, query: '' }],
    ['net.test', '//a//', { segments: ['', 'a', ''], slash: true, query: '' }],
    ['net.test', '/%252e%252e/', { segments: ['%2e%2e'], slash: true, query: '' }],
  ])('is parsed from %s%s', (host, target, read) => {
    expect(parseAddress(host, target)).toEqual({ host, ...read })
  })

  it.each([
    ['NET.Test:80', 'net.test'],
    ['net.test:443', 'net.test'],
    ['net.test:8080', 'net.test:8080'],
    ['xn--e1afmkfd.xn--p1ai', 'xn--e1afmkfd.xn--p1ai'],
    ['127.0.0.1:1', '127.0.0.1:1'],
  ])('has a host: %s', (spelled, host) => {
    expect(parseAddress(spelled, '/')?.host).toBe(host)
  })

  it.each([
    ['', '/'],
    ['-a', '/'],
    ['a-', '/'],
    ['a/b', '/'],
    ['[::1]', '/'],
    ['a:b', '/'],
    ['a@b', '/'],
    ['net.test', ''],
    ['net.test', 'shop/'],
    ['net.test', '*'],
    ['net.test', 'http://net.test/'],
    ['net.test', '/../'],
    ['net.test', '/a/.'],
    ['net.test', '/%2e%2E/'],
    ['net.test', '/a%2Fb/'],
    ['net.test', '/a%5Cb/'],
    ['net.test', '/a%00/'],
    ['net.test', '/a%0a/'],
    ['net.test', '/a%7f/'],
    ['net.test', '/%'],
    ['net.test', '/%ed%a0%80/'],
    ['net.test', '/\ud800/'],
    ['net.test', `/${'a'.repeat(4096)}`],
  ])('is rejected: %j %j', (host, target) => {
    expect(parseAddress(host, target)).toBeUndefined()
  })

  it.each([
    ['http://net.test', { host: 'net.test', segments: [], slash: true, query: '' }],
    ['HTTPS://net.test?lang=fr', { host: 'net.test', segments: [], slash: true, query: 'lang=fr' }],
    ['http://net.test/a/?b', { host: 'net.test', segments: ['a'], slash: true, query: 'b' }],
  ])('is parsed from the link %s', (url, address) => {
    expect(parsePageUrl(url)).toEqual(address)
  })

  it.each([
    '',
    'net.test',
    '//net.test/',
    'ftp://net.test/',
    'http:///a',
    'http://a/#b',
    'http://a/\n',
  ])('is rejected as a link: %j', (url) => {
    expect(parsePageUrl(url)).toBeUndefined()
  })

  it('returns every valid segment, and only valid ones', () => {
    const name = fc.oneof(fc.string({ unit: 'grapheme', minLength: 1 }), fc.constantFrom('.', '..'))
    fc.assert(
      fc.property(fc.array(name, { minLength: 1, maxLength: 5 }), fc.boolean(), (names, slash) => {
        const target = `/${names.map(encodeURIComponent).join('/')}${slash ? '/' : ''}`
        const isName = (text: string) =>
          text !== '.' && text !== '..' && !/[/\\\p{Cc}]/u.test(text.replace(/[\x80-\x9f]/g, ''))
        const address = parseAddress('net.test', target)
        expect(address?.segments).toEqual(names.every(isName) ? names : undefined)
        if (address) expect(address.slash).toBe(slash)
      }),
    )
  })

  it('is parsed or rejected for any input', () => {
    const anything = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((text) => `/${text}`),
    )
    fc.assert(
      fc.property(anything, anything, (host, target) => {
        const address = parseAddress(host, target)
        expect(address?.segments.some((part) => part === '..' || part.includes('/')) ?? false).toBe(
          false,
        )
      }),
    )
  })
})

describe("an address's parameter", () => {
  const read = (query: string) => parseAddress('net.test', `/?${query}`)
  it.each([
    ['page_id=7', '7'],
    ['a=b&page_id=7&page_id=8', '7'],
    ['page_id', ''],
    ['page%5Fid=%37', '7'],
    ['xpage_id=7', undefined],
    ['', undefined],
  ])('in %j', (query, value) => {
    const address = read(query)
    expect(address && queryValue(address, 'page_id')).toBe(value)
  })
})

it.each([
  [[], ['/']],
  [['shop'], ['/', '/shop/']],
  [
    ['Shop', 'a'],
    ['/', '/Shop/', '/Shop/a/', '/shop/', '/shop/a/'],
  ],
  [
    ['a', 'b', 'c', 'd'],
    ['/', '/a/', '/a/b/', '/a/b/c/'],
  ],
])('the possible paths of a site of the segments %j', (names, paths) => {
  expect(sitePaths(names).sort()).toEqual([...paths].sort())
})
