import { expect, it } from 'vitest'
import { findNamedSite } from '../../../src/cli/sites/named-site.ts'

const sites = [
  { blogId: 1, domain: 'net.test', path: '/' },
  { blogId: 2, domain: 'net.test', path: '/shop/' },
  { blogId: 3, domain: 'shop.test', path: '/' },
  { blogId: 4, domain: 'docs.net.test', path: '/' },
  { blogId: 5, domain: 'net.test', path: '/a/docs-2/' },
]

it.each([
  ['net.test/shop', 2],
  ['NET.test', 1],
  ['docs', 4],
  ['docs-2', 5],
  ['net', 1],
  ['other', undefined],
])('%s names the site %s', (name, id) => {
  expect(findNamedSite(sites, name)?.blogId).toBe(id)
})

it('a name that two sites have is refused, with their addresses', () => {
  expect(() => findNamedSite(sites, 'shop')).toThrow('"shop" may be net.test/shop, shop.test.')
})
