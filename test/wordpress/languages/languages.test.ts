import type { Knex } from 'knex'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { createDb } from '../../../src/db/database.ts'
import { readLanguages } from '../../../src/wordpress/languages/languages.ts'
import { listPages } from '../../../src/wordpress/pages/pages.ts'
import { readLinkSettings } from '../../../src/wordpress/permalinks/link-settings.ts'
import { homeUrl, postUrl } from '../../../src/wordpress/permalinks/urls.ts'
import { useNetwork } from '../../support/network.ts'
import { senderOf } from '../../support/statements.ts'

const network = await useNetwork()
const site = await network.site(2)

/** Each test's changes are rolled back. */
let sql: Knex.Transaction
beforeEach(async () => {
  sql = await network.db.sql.transaction()
})
afterEach(() => sql.rollback())
const db = () => createDb(senderOf(sql), network.db)

const setOption = (option_name: string, option_value: string) =>
  sql(site.tables.options).where({ option_name }).update({ option_value })

const setNetworkOption = (meta_key: string, meta_value: string) =>
  sql(network.globals.sitemeta).where({ site_id: site.networkId, meta_key }).update({ meta_value })

const setLanguage = async (slug: string, term: object, taxonomy: object): Promise<void> => {
  const { terms, termTaxonomy } = site.tables
  const { term_id } = await sql(terms).where({ slug }).first()
  await sql(terms)
    .where({ term_id })
    .update({ slug, ...term })
  if (Object.keys(taxonomy).length > 0) await sql(termTaxonomy).where({ term_id }).update(taxonomy)
}

const slugs = async () => (await readLanguages(db(), site)).list.map(({ slug }) => slug)

describe('readLanguages', () => {
  it('finds none after Polylang is deactivated, although its option and terms remain', async () => {
    await setOption('active_plugins', 'a:0:{}')
    const links = await readLinkSettings(db(), site)
    expect(links.languages).toMatchObject({ active: false, list: [], default: null })
    const pages = await listPages(db(), site, links.languages)
    expect(pages.map(({ lang }) => lang)).toEqual(pages.map(() => null))
    expect(pages.every(({ translations }) => translations.size === 0)).toBe(true)
    const accueil = pages.find(({ id }) => id === 4)
    expect(accueil && postUrl(links, accueil)).toBe('http://net.test/shop/accueil/')
    expect(homeUrl(links, null)).toBe('http://net.test/shop/')
  })

  it.each([
    ['in another folder', 'a:1:{i:3;s:25:"polylang-pro/polylang.php";}', 'a:0:{}', true],
    ['on the whole network', 'a:0:{}', 'a:1:{s:21:"polylang/polylang.php";i:1700000000;}', true],
    ['by another name', 'a:1:{i:0;s:24:"polylang/uninstaller.php";}', 'a:0:{}', false],
    ['in a damaged option', 'a:1:{i:0;s:21:"polylang/polyla', 'a:0:{}', false],
  ])('detects whether Polylang is active: %s', async (_, plugins, sitewide, active) => {
    await setOption('active_plugins', plugins)
    await setNetworkOption('active_sitewide_plugins', sitewide)
    const languages = await readLanguages(db(), site)
    expect(languages.active).toBe(active)
    expect(languages.list.length > 0).toBe(active)
  })

  it('finds none on a site without languages', async () => {
    await setNetworkOption('active_sitewide_plugins', 'a:1:{s:21:"polylang/polylang.php";i:1;}')
    const links = await readLinkSettings(db(), await network.site(3))
    expect(links.languages).toMatchObject({ active: true, list: [], default: null })
  })

  it('orders them by term_group, then by id', async () => {
    await setLanguage('ar', { term_group: 0 }, {})
    await setLanguage('de', { term_group: -1 }, {})
    expect(await slugs()).toEqual(['de', 'en', 'ar', 'fr'])
  })

  it('never reads Polylang’s cache of them', async () => {
    const before = await readLanguages(db(), site)
    await sql(site.tables.options).insert({
      option_name: '_transient_pll_languages_list',
      option_value: 'a:0:{}',
      autoload: 'on',
    })
    expect(await readLanguages(db(), site)).toEqual(before)
  })

  it.each([
    ['the first where none is chosen yet', '', 'en'],
    ['the first where the chosen one is gone', 'xx', 'en'],
  ])('uses as default %s', async (_, stored, expected) => {
    await setOption('polylang', encodePhp({ default_lang: stored }))
    expect((await readLanguages(db(), site)).default).toBe(expected)
  })

  it('falls back to Polylang’s defaults if the option is damaged', async () => {
    await setOption('polylang', 'a:15:{s:10:"force_lang";i:')
    expect((await readLanguages(db(), site)).settings).toMatchObject({
      forceLang: 1,
      hideDefault: true,
      redirectLang: false,
      rewrite: true,
    })
  })

  it('has the slug as locale if the description of its term is damaged', async () => {
    await setLanguage('fr', {}, { description: 'not serialized' })
    const { list } = await readLanguages(db(), site)
    expect(list.find(({ slug }) => slug === 'fr')).toMatchObject({ locale: 'fr', rtl: false })
  })
})

describe('the translations of a page', () => {
  const page = async (id: number) => {
    const languages = await readLanguages(db(), site)
    return (await listPages(db(), site, languages)).find((found) => found.id === id)
  }

  it.each([
    [
      'omit unknown languages and invalid ids',
      encodePhp({ sync: { fr: 'fr' }, fr: '4', xx: 9, de: 0, en: 3 }),
      { en: 3, fr: 4 },
    ],
    ['contain only the page itself if its group is damaged', 'a:4:{s:2:"en";i:3;', { en: 3 }],
  ])('%s', async (_, description, expected) => {
    await network.db
      .sql(site.tables.termTaxonomy)
      .where({ term_taxonomy_id: 17 })
      .update({ description })
    expect(Object.fromEntries((await page(3))?.translations ?? [])).toEqual(expected)
  })

  it('use the first language by name if a page wrongly has two', async () => {
    await network.db
      .sql(site.tables.termRelationships)
      .insert({ object_id: 4, term_taxonomy_id: 9 })
    expect((await page(4))?.lang).toBe('de')
  })
})
