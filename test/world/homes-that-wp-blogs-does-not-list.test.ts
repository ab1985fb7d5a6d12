import { describe, expect, it } from 'vitest'
import { examineSite } from '../../src/network/doctor/examine.ts'
import { useApi } from '../support/api.ts'
import { useFront } from '../support/front.ts'
import { setOption } from '../support/network.ts'
import { openTestService } from '../support/service.ts'

/**
 * The option `home` of a site is another address than its row in `blogs`, as after a copy without search-replace, or with WordPress in a folder.
 * Right: WordPress 7.1, `get_site_by_path()`: it finds a site by domain and path of `blogs`, with and without `www.`; links are made of `home`.
 */
describe('homes that wp_blogs does not list', async () => {
  const { network, api } = await useApi()
  const services = { ...(await openTestService(network)), now: () => new Date() }
  const admin = await api.as('admin')
  await admin.post('/site/3/frames').send({ slug: 'page', html: '<p>x</p>' })
  const store = async (home: string) => {
    for (const name of ['home', 'siteurl']) await setOption(network, 3, name, home)
  }
  const findings = async () =>
    (await examineSite(services, await network.site(3)))
      .filter(({ check }) => check === 'home_differs')
      .map(({ severity }) => severity)

  it.each([
    ['http://net.test/docs', []],
    ['https://net.test/docs/', []],
    ['http://www.net.test/docs', []],
    ['http://NET.test/Docs', []],
    ['http://net.test:80/docs', []],
    ['http://net.test/wp/docs', ['error']],
    ['http://net.test/docs2', ['error']],
    ['http://net.test/shop', ['error']],
    ['http://net.test', ['error']],
    ['http://other.test/docs', ['warning']],
    ['http://net.test:8080/docs', ['warning']],
  ])('%s', async (home, expected) => {
    await store(home)
    expect(await findings()).toEqual(expected)
  })

  it.each(['http://net.test/wp/docs', 'http://net.test/shop', 'http://net.test'])(
    'a page of the home %s has no copy, and the answer says why',
    async (home) => {
      const front = await useFront()
      for (const name of ['home', 'siteurl']) await setOption(front.network, 3, name, home)
      await setOption(front.network, 3, 'permalink_structure', '/%postname%/')
      await front.frame(3, 'page', '<p>x</p>')
      const { statics } = await front.assign(3, 'page', [2])
      expect(statics.get(2)).toMatchObject({
        published: false,
        reason: 'page_not_public',
        message: expect.stringContaining('WordPress finds the site at "net.test/docs/"'),
      })
    },
  )
})
