import { describe, expect, it } from 'vitest'
import { linkUrl } from '../../../src/content/menus/item-links.ts'

const HOME = 'http://net.test/shop'

describe('linkUrl', () => {
  it.each([
    ['/', 'http://net.test/shop/'],
    ['/about/', 'http://net.test/shop/about/'],
    ['  /about?a=1&b=2#top ', 'http://net.test/shop/about?a=1&b=2#top'],
    ['/a b', 'http://net.test/shop/a%20b'],
    ['/\\evil.test', 'http://net.test/shop/evil.test'],
    ['//cdn.test/x', '//cdn.test/x'],
    ['#top', '#top'],
    ['?s=x', '?s=x'],
  ])('completes a path with the site address: %j', (text, url) => {
    expect(linkUrl(HOME, text)).toBe(url)
  })

  it.each([
    '',
    ' ',
    'http://',
    'https://',
    'javascript:alert(1)',
    'JavaScript:x',
    'data:text/html,x',
  ])('rejects the URL %j', (text) => {
    expect(linkUrl(HOME, text)).toBeUndefined()
  })
})
