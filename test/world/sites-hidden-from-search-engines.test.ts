import { describe, expect, it } from 'vitest'
import { examineSite } from '../../src/network/doctor/examine.ts'
import { eventually } from '../support/eventually.ts'
import { useFront } from '../support/front.ts'
import { setOption } from '../support/network.ts'
import { openTestService } from '../support/service.ts'

/**
 * A site asks search engines not to index it (Settings > Reading, option `blog_public`).
 * Right: WordPress 7.1, `wp_robots_noindex()`: `get_option( 'blog_public' )` is false for PHP, then `wp_robots_no_robots()` gives
 * `noindex, nofollow`; else `wp_robots_max_image_preview_large()`. PHP's `empty()` says what is empty.
 */
describe('sites hidden from search engines', async () => {
  const front = await useFront({ timings: { hosts: { refreshMs: 0 } } })
  const { network } = front
  await front.frame(
    2,
    'page',
    '<meta name="robots" data-op-bind="content:site.robots"><i data-op-bind="if:settings.blog_public">open</i><i data-op-bind="if:!settings.blog_public">hidden</i>',
  )
  await front.frame(2, 'plain', '<p>plain</p>')
  await front.assign(2, 'page', [7])
  await front.assign(2, 'plain', [13])
  // A request for a host that blogs does not list reads the hosts.
  await front.ask('http://nothing.test/')

  /** A request starts to read the hosts again. */
  const expectHeader = (path: string, expected: string | undefined) =>
    eventually(async () => {
      const { headers } = await front.ask(`http://net.test/shop/${path}`)
      expect(headers['x-robots-tag']).toBe(expected)
    })

  it.each([
    ['0', 'noindex, nofollow', 'hidden'],
    ['1', 'max-image-preview:large', 'open'],
    ['', 'noindex, nofollow', 'hidden'],
    ['2', 'max-image-preview:large', 'open'],
  ])('blog_public = %j', async (value, robots, shown) => {
    await setOption(network, 2, 'blog_public', value)
    await front.assign(2, 'page', [7])
    const header = robots.includes('noindex') ? robots : undefined
    await expectHeader('about-us/', header)
    await expectHeader('legal/', header)
    const { body } = await front.ask('http://net.test/shop/about-us/')
    expect(body).toBe(`<meta name="robots" content="${robots}"><i>${shown}</i>`)
  })

  it('the doctor says where no frame prints it', async () => {
    const site = await network.site(2)
    const services = { ...(await openTestService(network)), now: () => new Date() }
    const found = async () =>
      (await examineSite(services, site)).filter(({ check }) => check === 'search_engines_invited')
    await setOption(network, 2, 'blog_public', '0')
    expect(await found()).toEqual([])
    await front.frame(2, 'page', '<p>no robots</p>')
    expect(await found()).toMatchObject([{ severity: 'info' }])
    await setOption(network, 2, 'blog_public', '1')
    expect(await found()).toEqual([])
  })
})
