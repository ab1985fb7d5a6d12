import { describe, expect, it } from 'vitest'
import { readLocationMaps } from '../../../src/wordpress/nav-menus/location-maps.ts'
import { type MenuItem, visibleItems } from '../../../src/wordpress/nav-menus/menu-item.ts'
import { listMenus } from '../../../src/wordpress/nav-menus/nav-menu.ts'
import { readMenu } from '../../../src/wordpress/nav-menus/read-menu.ts'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { comparable, useTruth } from '../clone-truth.ts'
import { type TruthItem, truths } from '../truth.ts'

const network = await useTruth()

/** WordPress answered an administrator, outside of the front end. */
const VIEWER = { readsPrivate: true, lang: null }

const asTruth = (item: MenuItem): TruthItem => ({
  id: item.id,
  title: item.title,
  post_title: item.ownTitle,
  url: item.url,
  parent: item.parent,
  type: item.type,
  object: item.object,
  object_id: item.objectId,
  order: item.order,
  target: item.target,
  classes: item.classes,
  xfn: item.xfn,
  attr_title: item.attr_title,
  description: item.description,
  invalid: !item.valid,
})

describe.each(truths)('the menus of site $blog_id', (truth) => {
  it('are listed as in WordPress, in the same order', async () => {
    const menus = await listMenus(network.db, await network.site(truth.blog_id))
    expect(menus).toEqual(
      truth.menus.map(({ id, tt, name, slug, count }) => ({
        id,
        termTaxonomyId: tt,
        name,
        slug,
        count,
      })),
    )
  })

  it.each(truth.menus)(
    'show the items of "$name" as WordPress does, field by field',
    async (menu) => {
      const site = await network.site(truth.blog_id)
      const links = await readLinkSettings(network.db, site)
      const read = await readMenu(network.db, site, links, menu.id, VIEWER)
      const items = read ? visibleItems(read.menu, read.items) : []
      expect(comparable(items.map(asTruth))).toEqual(comparable(menu.items))
    },
  )

  it('are assigned to the locations of the theme', async () => {
    const maps = await readLocationMaps(network.db, await network.site(truth.blog_id))
    expect(maps.theme).toBe(truth.stylesheet)
    expect(Object.fromEntries(maps.byTheme)).toEqual(truth.locations)
  })
})
