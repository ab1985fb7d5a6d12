import { describe, expect, it } from 'vitest'
import { useFront } from '../support/front.ts'
import { setOption } from '../support/network.ts'
import { createSiteFixture } from '../support/site-fixture.ts'

/**
 * The privacy policy page has translations.
 * Right: Polylang's `translate_page_for_privacy_policy()`: the page in the language of the request; none without a translation. WordPress's
 * `Walker_Nav_Menu::start_el()` gives each link to its address `rel="privacy-policy"`.
 */
describe('the privacy page in each language', async () => {
  const front = await useFront()
  const shop = createSiteFixture(front.network.db, await front.network.site(2))
  const menu = await shop.menu({ name: 'Policies', items: [{ page: 7 }, { page: 8 }, { page: 9 }] })
  await setOption(front.network, 2, 'wp_page_for_privacy_policy', '7')
  await front.frame(2, 'menu', `<!-- svc/menu {"menu":"${menu}"} /-->`)
  await front.assign(2, 'menu', [7, 8, 9, 6])

  it.each([
    ['about-us/', 'about-us/'],
    ['fr/a-propos/', 'fr/a-propos/'],
    ['de/uber-uns/', 'de/uber-uns/'],
  ])('%s marks %s', async (path, marked) => {
    const { body } = await front.ask(`http://net.test/shop/${path}`)
    const links = [...body.matchAll(/<a rel="privacy-policy" href="([^"]*)"/g)].map(
      ([, url]) => url,
    )
    expect(links).toEqual([`http://net.test/shop/${marked}`])
    expect(body.match(/menu-item-privacy-policy/g)).toHaveLength(1)
  })

  it('a language without the page marks none', async () => {
    const url = await shop.page({ slug: 'unused' })
    expect(url).toBeGreaterThan(0)
    const { headers } = await front.ask('http://net.test/shop/?page_id=6')
    const { body } = await front.ask(headers.location ?? '')
    expect(body).toContain('menu-item')
    expect(body).not.toContain('privacy-policy')
  })
})
