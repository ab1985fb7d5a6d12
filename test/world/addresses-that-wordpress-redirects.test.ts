import { describe, expect, it } from 'vitest'
import { useFront } from '../support/front.ts'

/**
 * Addresses that name a page in another way than its own address.
 * Right: WordPress 7.1, `WP_Query::get_posts()`: `page_id` precedes the path, and `absint()` reads its digits; `redirect_canonical()` leads to
 * the page's own address, also from `?p=`, `?pagename=` and a number after the path of a page that has no parts.
 */
describe('addresses that WordPress redirects', async () => {
  const front = await useFront()
  await front.frame(2, 'page', '<h1 data-op-bind="page.id"></h1>')
  await front.assign(2, 'page', [3, 4, 7, 10, 13])
  const at = async (path: string) => {
    const { status, headers, body } = await front.ask(`http://net.test${path}`)
    return headers.location ?? (status === 200 ? body : status)
  }
  const LEGAL = 'http://net.test/shop/legal/'
  const ABOUT = 'http://net.test/shop/about-us/'

  it.each([
    ['/shop/about-us/?page_id=13', LEGAL],
    ['/shop/about-us/?p=13', LEGAL],
    ['/shop/about-us/?p=7&page_id=13', LEGAL],
    ['/shop/?page_id=13', LEGAL],
    ['/shop/?page%5Fid=13', LEGAL],
    ['/shop/nothing/?page_id=13', 404],
    ['/shop/?page_id=1.3e1', LEGAL],
    ['/shop/?page_id=13!', LEGAL],
    ['/shop/?page_id=13%20', LEGAL],
    ['/shop/?page_id=%2013', LEGAL],
    ['/shop/?page_id=13;', LEGAL],
    ['/shop/?page_id=-13', LEGAL],
    ['/shop/?page_id=13&utm_source=a', `${LEGAL}?utm_source=a`],
    ['/shop/?pagename=about-us', ABOUT],
    ['/shop/?pagename=/about-us/', ABOUT],
    ['/shop/?pagename=about-us/team', 'http://net.test/shop/about-us/team/'],
    ['/shop/about-us/2/', ABOUT],
    ['/shop/about-us/2', ABOUT],
    ['/shop/about-us/team/17/', 'http://net.test/shop/about-us/team/'],
    ['/shop/?page_id=99999', 404],
    ['/shop/about-us/?page_id=99999', 404],
    ['/shop/?pagename=nothing', 404],
    ['/shop/about-us/?page_id=', ABOUT],
    ['/shop/about-us/?page_id=x', ABOUT],
    ['/shop/about-us/?page=2', '<h1>7</h1>'],
    ['/shop/about-us/', '<h1>7</h1>'],
  ])('%s', async (path, expected) => {
    expect(await at(path)).toBe(expected)
  })
})
