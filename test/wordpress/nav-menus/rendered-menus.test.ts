import { describe, expect, it } from 'vitest'
import { readLocationMaps, shownMenuId } from '../../../src/wordpress/nav-menus/location-maps.ts'
import { visibleItems } from '../../../src/wordpress/nav-menus/menu-item.ts'
import { readMenu } from '../../../src/wordpress/nav-menus/read-menu.ts'
import { listSites, readHome } from '../../../src/wordpress/network/find-sites.ts'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { use } from '../../support/use.ts'
import { cloneTruth } from '../clone-truth.ts'
import { renderedMenus } from '../truth.ts'

const network = await use(cloneTruth())

/** Item ids and URLs of a rendered menu, in order. */
const linksIn = (html: string): [number, string][] =>
  [...html.matchAll(/<li id="menu-item-(\d+)"[^>]*><a [^>]*?href="([^"]*)"/g)].map((match) => [
    Number(match[1]),
    (match[2] ?? '').replaceAll('&#038;', '&'),
  ])

describe('the menus that visitors see', () => {
  it('are recorded for addresses in every language', () => {
    const langs = new Set(Object.values(renderedMenus).map(({ lang }) => lang))
    expect([...langs].sort()).toEqual(['', 'ar', 'de', 'en', 'fr'])
  })

  it.each(Object.entries(renderedMenus))(
    'equal those of WordPress at %s',
    async (address, rendered) => {
      const sites = await Promise.all(
        (await listSites(network.db, network.globals)).map(async (site) => ({
          site,
          home: await readHome(network.db, site),
        })),
      )
      const site = sites
        .filter(({ home }) => address.startsWith(`${home}/`))
        .sort((a, b) => b.home.length - a.home.length)[0]?.site
      if (!site) throw new Error(`no site at ${address}`)
      const links = await readLinkSettings(network.db, site)
      const maps = await readLocationMaps(network.db, site)
      const lang = rendered.lang || null
      for (const [location, html] of Object.entries(rendered.locations)) {
        const id = shownMenuId(maps, links.languages, location, lang)
        const read = await readMenu(network.db, site, links, id, { readsPrivate: false, lang })
        const items = read ? visibleItems(read.menu, read.items) : []
        expect(items.map((item) => [item.id, item.url])).toEqual(linksIn(html))
      }
    },
  )
})
