import { describe, expect, it } from 'vitest'
import { assignMenu, unassignMenu } from '../../../src/content/menus/assign-menu.ts'
import { readLanguages } from '../../../src/wordpress/languages/languages.ts'
import { readLocationMaps } from '../../../src/wordpress/nav-menus/location-maps.ts'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { listPages } from '../../../src/wordpress/pages/pages.ts'
import { useNetwork } from '../../support/network.ts'
import { POLYLANG_VERSIONS, type PolylangVersion } from './polylang-versions.ts'

const network = await useNetwork()
const site = await network.site(2)

const CACHE = '_transient_pll_languages_list'

/** Replaces the site's data of Polylang with those of a version. */
async function store({ option, french, arabic, group, cache }: PolylangVersion): Promise<void> {
  const { sql } = network.db
  const { options, termTaxonomy, terms } = site.tables
  await sql(options).where({ option_name: 'polylang' }).update({ option_value: option })
  await sql(options).where({ option_name: CACHE }).delete()
  await sql(options).insert({ option_name: CACHE, option_value: cache, autoload: 'yes' })
  for (const [slug, description] of [
    ['fr', french],
    ['ar', arabic],
  ])
    await sql(termTaxonomy)
      .where({ taxonomy: 'language' })
      .whereIn('term_id', sql(terms).where({ slug }).select('term_id'))
      .update({ description })
  await sql(termTaxonomy).where({ term_taxonomy_id: 17 }).update({ description: group })
}

const replaced = (text: string, changes: PolylangVersion['assigned']): string =>
  changes.reduce((edited, [before, after]) => {
    expect(edited.split(before)).toHaveLength(2)
    return edited.replace(before, after)
  }, text)

describe.each(POLYLANG_VERSIONS)('the data of Polylang $title', (version) => {
  it('are read', async () => {
    await store(version)
    const languages = await readLanguages(network.db, site)
    expect(languages.settings).toMatchObject(version.settings)
    const read = languages.list.map(({ slug, locale, rtl, active }) => [slug, locale, rtl, active])
    expect(read).toEqual([
      ['en', 'en_US', false, true],
      ['fr', 'fr_FR', false, version.isFrenchActive ?? true],
      ['de', 'de_DE', false, true],
      ['ar', 'ar', true, true],
    ])
    expect(languages.default).toBe(version.settings.defaultLang ?? 'en')
    const { byLanguage } = await readLocationMaps(network.db, site)
    const header = [...(byLanguage.get('header') ?? [])].filter(([, id]) => id > 0)
    expect(Object.fromEntries(header)).toEqual(version.header)
    const pages = await listPages(network.db, site, languages)
    const translations = pages.find(({ id }) => id === 3)?.translations ?? []
    expect(Object.fromEntries(translations)).toEqual({ en: 3, fr: 4 })
  })

  it('change only where a menu is assigned', async () => {
    await store(version)
    const languages = await readLanguages(network.db, site)
    const at = { theme: 'opal', location: 'header', lang: 'fr' }
    await network.db.write({ site }, (tx) => assignMenu(tx, site, languages, 26, at))
    expect(await readOption(network.db, site, 'polylang')).toBe(
      replaced(version.option, version.assigned),
    )
    expect(await readOption(network.db, site, CACHE)).toBe(version.cache)
  })

  it('change only where a deleted menu was assigned', async () => {
    await store(version)
    await network.db.write({ site }, (tx) => unassignMenu(tx, site, 23))
    expect(await readOption(network.db, site, 'polylang')).toBe(
      replaced(version.option, version.unassigned),
    )
  })
})
