import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api.ts'
import { setOption } from '../support/network.ts'

/**
 * Locales whose language tag is not the locale with hyphens.
 * Right: the field `w3c` in Polylang's `settings/languages.php`, which `pll_the_languages()` and `language_attributes()` print; without
 * Polylang, `get_locale()`: the site's `WPLANG`, else that of the network.
 */
describe('language tags', async () => {
  const { network, api } = await useApi()
  const alice = await api.as('alice')
  const admin = await api.as('admin')
  const { tables, globals } = await network.site(2)
  const { sql } = network.db

  const html = '<html data-op-bind="lang:site.language_tag"><!-- svc/lang-switcher /--></html>'
  await alice.post('/site/2/frames').send({ slug: 'tags', html })
  await alice.post('/site/2/frames/tags/assign').send({ page: 9 })

  const switcherWith = async (locale: string) => {
    await sql(tables.termTaxonomy)
      .where({ taxonomy: 'language' })
      .whereIn('term_id', sql(tables.terms).where({ slug: 'de' }).select('term_id'))
      .update({ description: `a:2:{s:6:"locale";s:${locale.length}:"${locale}";s:3:"rtl";b:0;}` })
    const { body } = await alice.post('/site/2/preview').send({ page: 9 })
    return body.html as string
  }

  it.each([
    ['de_DE', 'de-DE'],
    ['de_DE_formal', 'de-DE'],
    ['de_CH_informal', 'de-CH'],
    ['nl_NL_formal', 'nl-NL'],
    ['kin', 'rw'],
    ['oci', 'oc'],
    ['bel', 'be'],
    ['tuk', 'tk'],
    ['pt_PT_ao90', 'pt-PT-ao90'],
    ['fr_FR', 'fr-FR'],
    ['ckb', 'ckb'],
  ])('%s is %s', async (locale, tag) => {
    const html = await switcherWith(locale)
    expect(html).toContain(`<html lang="${tag}">`)
    expect(html).toContain(`<a lang="${tag}" hreflang="${tag}"`)
  })

  const storeNetworkLocale = async (meta_value: string | undefined) => {
    await sql(globals.sitemeta).where({ site_id: 1, meta_key: 'WPLANG' }).delete()
    if (meta_value !== undefined)
      await sql(globals.sitemeta).insert({ site_id: 1, meta_key: 'WPLANG', meta_value })
  }

  it.each([
    [undefined, 'he_IL', { locale: 'he_IL', language_tag: 'he-IL', lang: 'he', dir: 'rtl' }],
    [undefined, 'de_DE_formal', { locale: 'de_DE_formal', language_tag: 'de-DE', dir: 'ltr' }],
    [undefined, '', { locale: 'en_US', language_tag: 'en-US', dir: 'ltr' }],
    [undefined, undefined, { locale: 'en_US', language_tag: 'en-US' }],
    ['', 'he_IL', { locale: 'en_US', language_tag: 'en-US', dir: 'ltr' }],
    ['fr_FR', 'he_IL', { locale: 'fr_FR', language_tag: 'fr-FR', lang: 'fr' }],
  ])('the locale of a site with WPLANG %j in a network with %j', async (own, shared, expected) => {
    await storeNetworkLocale(shared)
    const { options } = (await network.site(3)).tables
    await sql(options).where({ option_name: 'WPLANG' }).delete()
    if (own !== undefined) await setOption(network, 3, 'WPLANG', own)
    const { body } = await admin.get('/site/3/data/site')
    expect(body.value).toMatchObject(expected)
  })
})
