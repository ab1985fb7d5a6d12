import { describe, expect, it } from 'vitest'
import { readLocationMaps } from '../../src/wordpress/nav-menus/location-maps.ts'
import { type MenuItem, visibleItems } from '../../src/wordpress/nav-menus/menu-item.ts'
import { listMenus } from '../../src/wordpress/nav-menus/nav-menu.ts'
import { readLinkedObjects, readStoredMenu } from '../../src/wordpress/nav-menus/read-menu.ts'
import { setUpItem } from '../../src/wordpress/nav-menus/set-up-item.ts'
import { listPages } from '../../src/wordpress/pages/pages.ts'
import { readLinkSettings } from '../../src/wordpress/permalinks/link-settings.ts'
import { homeUrl, postUrl } from '../../src/wordpress/permalinks/urls.ts'
import { readSiteRights } from '../../src/wordpress/users/site-membership.ts'
import { findUser } from '../../src/wordpress/users/users.ts'
import { comparable, forAdministrator, useTruth } from './clone-truth.ts'
import { type TruthItem, truths } from './truth.ts'

const network = await useTruth()

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

describe.each(truths)('what WordPress and Polylang answer on site $blog_id', (truth) => {
  it('are its languages, in order, with their homes', async () => {
    const links = await readLinkSettings(network.db, await network.site(truth.blog_id))
    const { languages } = links
    expect(languages.active).toBe(truth.polylang)
    expect(languages.default).toBe(truth.default_lang ?? null)
    expect(
      languages.list.map(({ active: _, id: _id, hasContent: _content, ...language }) => ({
        ...language,
        home_url: homeUrl(links, language.slug),
      })),
    ).toEqual(truth.languages ?? [])
    expect(homeUrl(links, null)).toBe(truth.home_url)
    expect(links.structure.text).toBe(truth.permalink_structure)
  })

  it('are its pages, field by field', async () => {
    const site = await network.site(truth.blog_id)
    const links = await readLinkSettings(network.db, site)
    const pages = await listPages(network.db, site, links.languages)
    expect(
      pages.map((page) => ({
        id: page.id,
        slug: page.slug,
        status: page.status,
        path: page.path,
        url: postUrl(links, forAdministrator(page)),
        title: page.title,
        lang: page.lang,
        translations: Object.fromEntries(page.translations),
      })),
    ).toEqual(
      truth.pages.map((page) => ({
        id: page.id,
        slug: page.slug,
        status: page.status,
        path: page.path,
        url: page.url,
        title: page.title,
        lang: page.lang,
        translations: { ...page.translations },
      })),
    )
  })

  it('are its menus, in the same order', async () => {
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

  it.each(truth.menus)('are the items of the menu "$name", field by field', async (menu) => {
    const site = await network.site(truth.blog_id)
    const links = await readLinkSettings(network.db, site)
    const stored = await readStoredMenu(network.db, site, menu.id)
    if (!stored) throw new Error('no such menu')
    const objects = await readLinkedObjects(network.db, site, links, stored.items)
    const posts = new Map([...objects.posts].map(([id, post]) => [id, forAdministrator(post)]))
    const all = stored.items.map((item, at) => setUpItem(item, at + 1, { ...objects, posts }))
    const items = visibleItems(stored.menu, all)
    expect(comparable(items.map(asTruth))).toEqual(comparable(menu.items))
  })

  it('are the menus at the locations of the theme', async () => {
    const maps = await readLocationMaps(network.db, await network.site(truth.blog_id))
    expect(maps.theme).toBe(truth.stylesheet)
    expect(Object.fromEntries(maps.byTheme)).toEqual(truth.locations)
  })

  it('are the rights of seven users', async () => {
    const site = await network.site(truth.blog_id)
    const rights = Object.keys(truth.administrator).map(async (id) => {
      const user = await findUser(network.db, network.globals, Number(id))
      if (!user) throw new Error(`no user ${id}`)
      const { administrator, superAdmin } = await readSiteRights(network.db, site, user)
      return [id, administrator || superAdmin]
    })
    expect(rights).toHaveLength(7)
    expect(Object.fromEntries(await Promise.all(rights))).toEqual(truth.administrator)
  })
})
