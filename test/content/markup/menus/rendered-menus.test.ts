import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { decodeHTMLStrict } from 'entities'
import { describe, expect, it } from 'vitest'
import { SiteData } from '../../../../src/build/baking/site-data.ts'
import { collectNeeds } from '../../../../src/content/markup/evaluation/needs.ts'
import { type MenuItemValue, menuKey } from '../../../../src/content/markup/evaluation/values.ts'
import { listSites, readHome } from '../../../../src/wordpress/network/find-sites.ts'
import { comparable, useTruth } from '../../../wordpress/clone-truth.ts'
import { renderedMenus } from '../../../wordpress/truth.ts'
import { item, menu, print } from '../evaluation/print.ts'

const network = await useTruth()

const NO_NEEDS = collectNeeds([])

/** Ignores differences in labels: WordPress prints typographic quotes and keeps tags, the service escapes them. */
function structureOf(html: string): string {
  return html
    .replace(/(<a[^>]*>)(.*?)(<\/a>)/gs, (_, open, label, close) => open + textOf(label) + close)
    .replace(/="([^"]*)"/g, (_, value) => `="${decodeHTMLStrict(value)}"`)
}

function textOf(label: string): string {
  return decodeHTMLStrict(label)
    .replace(/<\/?[a-z][^>]*>/g, '')
    .replace(/[“”]/g, '"')
    .replace(/[‘’]/g, "'")
}

async function siteAt(address: string) {
  const sites = await Promise.all(
    (await listSites(network.db, network.globals)).map(async (site) => ({
      site,
      home: await readHome(network.db, site),
    })),
  )
  const [found] = sites
    .filter(({ home }) => address.startsWith(`${home}/`))
    .sort((a, b) => b.home.length - a.home.length)
  if (!found) throw new Error(`no site at ${address}`)
  return found.site
}

it('the rendered menus are those of addresses in every language', () => {
  const langs = new Set(Object.values(renderedMenus).map(({ lang }) => lang))
  expect([...langs].sort()).toEqual(['', 'ar', 'de', 'en', 'fr'])
})

describe.each(Object.entries(renderedMenus))('at %s', (address, truth) => {
  const lang = truth.lang || null

  it.each(Object.keys(truth.locations))('%s prints what wp_nav_menu prints', async (location) => {
    const data = new SiteData(network.db, await siteAt(address))
    const values = await data.values({ ...NO_NEEDS, menus: [{ location }] }, lang)
    const [page] = await data.pagesById([truth.queried_id])
    const fields = new Set(['ancestors'])
    const pageValues = page && (await data.pageValues(page, fields))
    const markup = `<!-- svc/menu {"location":"${location}","current":${page !== undefined}} /-->`
    const { html } = print(markup, { values, ...(pageValues ? { page: pageValues } : {}) })
    const expected = truth.locations[location] ?? ''
    expect(comparable(structureOf(html))).toBe(comparable(structureOf(expected)))
  })
})

it('a page prints the same menu without current classes if the page is not known', async () => {
  const address = 'http://net.test/shop/about-us/team/'
  const data = new SiteData(network.db, await siteAt(address))
  const values = await data.values({ ...NO_NEEDS, menus: [{ location: 'header' }] }, 'en')
  const { html, live } = print('<!-- svc/menu {"location":"header"} /-->', { values })
  expect(live).toBe(false)
  const currentClasses =
    / (?:current[-_][a-z_-]*|page_item|page-item-\d+)(?=[ "])| aria-current="page"/g
  const truth = renderedMenus[address]?.locations.header ?? ''
  expect(comparable(structureOf(html))).toBe(
    comparable(structureOf(truth.replace(currentClasses, ''))),
  )
})

it('a page finds a menu by location, id, slug and name, in a given language', async () => {
  const data = new SiteData(network.db, await network.site(2))
  const choices = [
    { location: 'header' },
    { location: 'header', lang: 'fr' },
    { menu: 'main-menu' },
    { menu: 'Main menu', lang: 'de' },
    { menu: '24' },
    { menu: 'no such menu' },
    { location: 'nowhere' },
  ]
  const { menus } = await data.values({ ...NO_NEEDS, menus: choices }, 'en')
  const slugs = choices.map((choice) => menus[menuKey(choice)]?.slug ?? null)
  expect(slugs).toEqual([
    'main-menu',
    'menu-principal',
    'main-menu',
    'hauptmenu',
    'main-menu',
    null,
    null,
  ])
})

it('a page marks items of ancestors that are not public, but does not list these ancestors', async () => {
  const site = await network.site(2)
  const row = network.db.sql(site.tables.posts).where({ ID: 7 })
  await row.clone().update({ post_status: 'private' })
  const data = new SiteData(network.db, site)
  const [page] = await data.pagesById([10])
  if (!page) throw new Error('page 10 is missing')
  const values = await data.values({ ...NO_NEEDS, menus: [{ location: 'header' }] }, 'en')
  const pageValues = await data.pageValues(page, new Set(['ancestors']))
  await row.update({ post_status: 'publish' })
  expect(pageValues.ancestors).toEqual([])
  const markup = '<!-- svc/menu {"location":"header","current":true} /-->'
  expect(print(markup, { values, page: pageValues }).html).toContain('current-page-ancestor')
})

it('a page marks the page of the option page_on_front as home, also if the front page shows posts', async () => {
  const site = await network.site(2)
  const option = network.db.sql(site.tables.options).where({ option_name: 'show_on_front' })
  const classes = async () => {
    const data = new SiteData(network.db, site)
    const values = await data.values({ ...NO_NEEDS, menus: [{ location: 'header' }] }, 'en')
    const { html } = print('<!-- svc/menu {"location":"header"} /-->', { values })
    return html.match(/menu-item-object-page menu-item-home/g)
  }
  const before = await classes()
  await option.clone().update({ option_value: 'posts' })
  const after = await classes()
  await option.update({ option_value: 'page' })
  expect(before).not.toBeNull()
  expect(after).toEqual(before)
})

it('a page takes the home of each language as the translation of the front page', async () => {
  const data = new SiteData(network.db, await network.site(2))
  const front = (await data.links()).front.page
  const [page, other] = await data.pagesById([front?.id ?? 0, 10])
  if (!page || !other) throw new Error('a page is missing')
  const isFront = async (one: typeof page) => (await data.pageValues(one, new Set())).isFront
  expect([await isFront(page), await isFront(other)]).toEqual([true, false])
})

/** Unusual menus, each with its page and the output of wp_nav_menu in WordPress 7.1. */
type WalkedMenu = {
  readonly items: readonly Omit<MenuItemValue, 'marks' | 'switcher'>[]
  readonly depth: number
  /** Ids of the front page and of the privacy policy; 0 for none. */
  readonly front: number
  readonly privacy: number
  readonly home: string
  readonly page: { id: number; parent: number; ancestors: number[]; url: string }
  readonly html: string
}

const walked: readonly WalkedMenu[] = JSON.parse(
  readFileSync(resolve(import.meta.dirname, '../../../data/walked-menus.json'), 'utf8'),
)

/** The marks that menu-source.ts derives from the site's settings. */
function marksOf({ front, privacy, home }: WalkedMenu, fields: WalkedMenu['items'][number]) {
  const marks: ('home' | 'privacy-policy')[] = []
  const bare = fields.url.replace(/#.*/, '').replace(/\/$/, '')
  if (fields.type === 'post_type' && fields.objectId === front) marks.push('home')
  if (fields.type === 'post_type' && fields.objectId === privacy) marks.push('privacy-policy')
  if (fields.object === 'custom' && bare === home) marks.push('home')
  return marks
}

it.each(walked.map((odd, index) => [index, odd] as const))(
  'prints menu %i as wp_nav_menu does',
  (_, odd) => {
    const items = odd.items.map((fields) => item({ ...fields, marks: marksOf(odd, fields) }))
    const menus = { '["header",null,null]': { ...menu(items), home: `${odd.home}/` } }
    const page = { ...odd.page, ancestorIds: odd.page.ancestors }
    const markup = `<!-- svc/menu {"location":"header","current":true,"depth":${odd.depth}} /-->`
    const { html } = print(markup, { values: { menus }, page })
    expect(html).toBe(odd.html)
  },
)
