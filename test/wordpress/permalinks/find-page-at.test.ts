import { describe, expect, it } from 'vitest'
import { encodePhp, setValue } from '#php-serialized'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { listPages } from '../../../src/wordpress/pages/pages.ts'
import { isPublic } from '../../../src/wordpress/pages/posts.ts'
import { parsePageUrl } from '../../../src/wordpress/permalinks/address.ts'
import { findPageAt } from '../../../src/wordpress/permalinks/find-page-at.ts'
import {
  type LinkSettings,
  readLinkSettings,
} from '../../../src/wordpress/permalinks/link-settings.ts'
import { homeUrl, postUrl } from '../../../src/wordpress/permalinks/urls.ts'
import { forAdministrator, useTruth } from '../clone-truth.ts'
import { type TruthAddresses, truthAddresses } from '../truth.ts'

const network = await useTruth()
const site = await network.site(2)

type Settings = TruthAddresses['settings']

async function apply({ permalink_structure, show_on_front, ...polylang }: Settings): Promise<void> {
  let stored = (await readOption(network.db, site, 'polylang')) ?? ''
  for (const [key, value] of Object.entries(polylang))
    stored = setValue(stored, [key], encodePhp(value))
  const options = { permalink_structure, show_on_front, polylang: stored }
  for (const [option_name, option_value] of Object.entries(options))
    await network.db.sql(site.tables.options).where({ option_name }).update({ option_value })
}

/** The settings of the unchanged network. */
const AS_LOADED: Settings = {
  force_lang: 1,
  hide_default: true,
  redirect_lang: false,
  rewrite: true,
  domains: {},
  permalink_structure: '/%postname%/',
  show_on_front: 'page',
}

async function find(url: string, links?: LinkSettings) {
  const address = parsePageUrl(url)
  if (!address) throw new Error(`no address: ${url}`)
  return findPageAt(network.db, site, links ?? (await readLinkSettings(network.db, site)), address)
}

it('the URLs of 56 settings are known', () => {
  expect(truthAddresses).toHaveLength(56)
})

describe('the page at an address', () => {
  it.each(truthAddresses)('is the one with the URL of WordPress, with $settings', async (truth) => {
    await apply(truth.settings)
    const links = await readLinkSettings(network.db, site)
    const all = await listPages(network.db, site, links.languages)
    expect(
      Object.fromEntries(all.map((page) => [page.id, postUrl(links, forAdministrator(page))])),
    ).toEqual(truth.pages)
    expect(
      Object.fromEntries(links.languages.list.map(({ slug }) => [slug, homeUrl(links, slug)])),
    ).toEqual(truth.home_urls)
    const pages = all.filter(isPublic)
    expect(pages.length).toBeGreaterThan(10)
    const urls = new Map(pages.map((page) => [page.id, postUrl(links, page)]))
    for (const page of pages) {
      const url = truth.pages[page.id] ?? ''
      const found = await find(url, links)
      expect({ url, exact: found?.exact, own: found?.url }).toEqual({ url, exact: true, own: url })
      // Languages without their own domain share one front page URL, which shows the default language.
      const sharing = pages.filter(({ id }) => urls.get(id) === url)
      const shown = sharing.find(({ lang }) => lang === links.languages.default) ?? page
      expect([url, found?.page.id]).toEqual([url, sharing.length > 1 ? shown.id : page.id])
    }
  })

  it('is not found if the page is a draft, private, scheduled, in the trash, or has a password', async () => {
    await apply(AS_LOADED)
    const links = await readLinkSettings(network.db, site)
    const hidden = (await listPages(network.db, site, links.languages)).filter((p) => !isPublic(p))
    expect(hidden.map(({ status }) => status).sort()).toEqual(
      expect.arrayContaining(['draft', 'future', 'private', 'publish']),
    )
    for (const page of hidden) {
      expect(await find(postUrl(links, forAdministrator(page)))).toBeUndefined()
      expect(await find(`http://net.test/shop/?page_id=${page.id}`)).toBeUndefined()
      if (page.path === '') continue
      expect(await find(`http://net.test/shop/${page.path}/`)).toBeUndefined()
    }
  })

  it.each([
    ['no slash', 'http://net.test/shop/about-us', 7],
    ['two slashes', 'http://net.test/shop//about-us//', 7],
    ['upper case', 'http://net.test/shop/About-US/', 7],
    ['upper case of the site', 'http://net.test/SHOP/about-us/', 7],
    ['index.php', 'http://net.test/shop/index.php/about-us/', 7],
    ['only index.php', 'http://net.test/shop/index.php', 3],
    ['another language', 'http://net.test/shop/de/about-us/', 7],
    ['no language', 'http://net.test/shop/a-propos/', 8],
    ['the hidden language', 'http://net.test/shop/en/about-us/', 7],
    ['the mark of other settings', 'http://net.test/shop/language/fr/a-propos/', 8],
    ['the hidden language at home', 'http://net.test/shop/en/', 3],
    ['a language at home', 'http://net.test/shop/fr/', 4],
    ["the front page's own slug", 'http://net.test/shop/home/', 3],
    ['an id', 'http://net.test/shop/?page_id=7', 7],
    ['an id of any type', 'http://net.test/shop/?p=10', 10],
    ['the id of the front page', 'http://net.test/shop/?page_id=3', 3],
    ['an invalid id', 'http://net.test/shop/?page_id=x1', 3],
    ['an id as PHP reads it', 'http://net.test/shop/?page_id=1e1', 10],
    ['an id at the address of another page', 'http://net.test/shop/legal/?page_id=7', 7],
    ['an id behind index.php', 'http://net.test/shop/index.php?page_id=7', 7],
    ['www', 'http://www.net.test/shop/about-us/', 7],
  ])('is found by a similar URL: %s', async (_what, url, id) => {
    await apply(AS_LOADED)
    expect(await find(url)).toMatchObject({ page: { id }, exact: false })
  })

  it.each([
    [
      'percent-encoded in capitals',
      'http://net.test/shop/ar/%D8%A7%D9%84%D8%B1%D8%A6%D9%8A%D8%B3%D9%8A%D8%A9/',
      6,
    ],
    ['not encoded', 'http://net.test/shop/ar/الرئيسية/', 6],
    ['other parameters', 'http://net.test/shop/about-us/?utm_source=x&lang=de', 7],
    ['port 80', 'http://NET.test:80/shop/about-us/', 7],
    ['https', 'https://net.test/shop/about-us/', 7],
  ])('is found by another notation: %s', async (_what, url, id) => {
    await apply(AS_LOADED)
    expect(await find(url)).toMatchObject({ page: { id }, exact: true })
  })

  it.each([
    ['a slug without its parents', 'http://net.test/shop/team/'],
    ['more below a page', 'http://net.test/shop/about-us/nothing/'],
    ['an id as a path', 'http://net.test/shop/7/'],
    ['an id below a page', 'http://net.test/shop/nothing/?page_id=7'],
    ['the id of a post', 'http://net.test/shop/?page_id=1'],
  ])('does not exist: %s', async (_what, url) => {
    await apply(AS_LOADED)
    expect(await find(url)).toBeUndefined()
  })

  it('is found if the page’s slug is a language code', async () => {
    await apply({ ...AS_LOADED, force_lang: 0 })
    const { posts } = site.tables
    await network.db.sql(posts).where({ ID: 7 }).update({ post_name: 'fr' })
    expect(await find('http://net.test/shop/fr/')).toMatchObject({ page: { id: 7 }, exact: true })
    expect(await find('http://net.test/shop/fr/team/')).toMatchObject({
      page: { id: 10 },
      exact: true,
    })
    await network.db.sql(posts).where({ ID: 7 }).update({ post_name: 'about-us' })
  })
})
