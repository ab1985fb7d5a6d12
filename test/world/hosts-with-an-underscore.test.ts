import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodePhp, setValue } from '#php-serialized'
import { useFront } from '../support/front.ts'
import { setOption } from '../support/network.ts'
import { createSiteFixture } from '../support/site-fixture.ts'

/**
 * The domain of a site, or of a language, contains an underscore.
 * Right: WordPress 7.1, `ms-settings.php`: it makes the host lower case, removes the port, and finds it in `wp_blogs`.
 */
describe.each(['my_shop.net.test', 'shop_.net.test', '_shop.net.test', 'a__b.test'])(
  'the host %s',
  async (host) => {
    const front = await useFront()
    const { db, globals } = front.network
    await db.sql(globals.blogs).where({ blog_id: 4 }).update({ domain: host })
    for (const name of ['home', 'siteurl'])
      await setOption(front.network, 4, name, `http://${host}`)
    const pages: number[] = await db
      .sql((await front.network.site(4)).tables.posts)
      .where({ post_type: 'page', post_status: 'publish' })
      .orderBy('ID')
      .limit(1)
      .pluck('ID')
    await front.frame(4, 'page', '<h1 data-op-bind="page.id; title:page.url"></h1>')
    await front.assign(4, 'page', pages)

    it('has copies, and is served in every spelling', async () => {
      expect(existsSync(join(front.staticDir, host))).toBe(true)
      const [id] = pages
      const site = createSiteFixture(db, await front.network.site(4))
      const { post_name } = await db
        .sql(site.site.tables.posts)
        .where({ ID: id })
        .first('post_name')
      for (const name of [host, host.toUpperCase(), `${host}:80`]) {
        const { status, headers, body } = await front.ask(`http://${name}/${post_name}/`)
        const shown = headers.location ? (await front.ask(headers.location)).body : body
        expect([name, status < 400, shown.includes(`>${id}</h1>`)]).toEqual([name, true, true])
      }
    })

    it('can be the domain of a language', async () => {
      const shop = createSiteFixture(db, await front.network.site(2))
      let polylang = (await shop.option('polylang')) ?? ''
      const domains = new Map([['de', `http://de.${host}`]])
      polylang = setValue(polylang, ['force_lang'], encodePhp(3))
      await shop.setOption('polylang', setValue(polylang, ['domains'], encodePhp(domains)))
      await front.frame(2, 'page', '<h1 data-op-bind="page.id"></h1>')
      await front.assign(2, 'page', [9])
      expect((await front.ask(`http://de.${host}/shop/uber-uns/`)).body).toBe('<h1>9</h1>')
      expect(existsSync(join(front.staticDir, `de.${host}`))).toBe(true)
    })
  },
)
