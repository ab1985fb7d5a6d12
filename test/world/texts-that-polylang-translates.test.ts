import { describe, expect, it } from 'vitest'
import { encodePhp, setValue } from '#php-serialized'
import { findEditedSites } from '../../src/changes/find-edited-sites.ts'
import { recordEdits } from '../../src/changes/record-edits.ts'
import { useFront } from '../support/front.ts'
import { setOption } from '../support/network.ts'
import { createSiteFixture } from '../support/site-fixture.ts'

/**
 * Site title, tagline and the formats of dates are translated in Polylang.
 * Right: `PLL_Translate_Option` in Polylang's `base.php` (the four options), `PLL_MO::import_from_db()` (the texts of a language), and before
 * Polylang 3.4 posts `polylang_mo_<term id>`.
 */
describe('texts that Polylang translates', async () => {
  const front = await useFront()
  const { network } = front
  const { db, globals } = network
  const { sql } = db
  const site = await network.site(2)
  const { tables } = site
  const shop = createSiteFixture(db, site)
  await front.frame(
    2,
    'texts',
    '<p data-op-bind="site.title; title:site.description"></p><i data-op-bind="settings.blogname"></i><b data-op-bind="settings.date_format"></b><u data-op-bind="settings.time_format"></u>',
  )
  await front.assign(2, 'texts', [7, 9])
  for (const [name, value] of Object.entries({
    blogname: 'Tom &amp; Co',
    blogdescription: 'Good soap',
    date_format: 'd.m.Y',
    time_format: 'H:i',
  }))
    await setOption(network, 2, name, value)

  const follow = async () => {
    const edits = await recordEdits({ db, globals }, 2)
    await front.executor.finish(2)
    return edits !== undefined
  }
  await follow()
  const isNoticed = async () => {
    for await (const { edited } of findEditedSites(db, globals))
      if (edited.some(({ blogId }) => blogId === 2)) return true
    return false
  }
  const pageIn = async (path: string) => (await front.ask(`http://net.test/shop/${path}`)).body
  const languageId: number = (
    await sql(tables.terms)
      .join(`${tables.termTaxonomy} as tt`, 'tt.term_id', `${tables.terms}.term_id`)
      .where({ 'tt.taxonomy': 'language', slug: 'de' })
      .pluck(`${tables.terms}.term_id`)
  )[0]
  const meta_key = '_pll_strings_translations'
  const store = async (strings: string | undefined) => {
    await sql(tables.termmeta).where({ meta_key }).delete()
    if (strings !== undefined)
      await sql(tables.termmeta).insert({ term_id: languageId, meta_key, meta_value: strings })
  }
  const ENGLISH = '<p title="Good soap">Tom &amp; Co</p><i>Tom &amp; Co</i><b>d.m.Y</b><u>H:i</u>'

  it.each([
    [
      'all four',
      [
        ['Tom &amp; Co', 'Tom &amp; Söhne'],
        ['Good soap', 'Gute Seife'],
        ['d.m.Y', 'Y/m/d'],
        ['H:i', 'H.i'],
      ],
      '<p title="Gute Seife">Tom &amp; Söhne</p><i>Tom &amp; Söhne</i><b>Y/m/d</b><u>H.i</u>',
    ],
    [
      'the last of two, not an empty one',
      [
        ['Good soap', 'Seife'],
        ['Good soap', 'Gute Seife'],
        ['H:i', ''],
      ],
      '<p title="Gute Seife">Tom &amp; Co</p><i>Tom &amp; Co</i><b>d.m.Y</b><u>H:i</u>',
    ],
    ['another text', [['Bad soap', 'Schlechte Seife']], ENGLISH],
    ['damaged entries', [['Good soap'], 'Good soap', [1, 2], null], ENGLISH],
  ])('%s: the pages follow, and those of other languages stay', async (_, strings, german) => {
    await store(encodePhp(strings))
    expect(await isNoticed()).toBe(true)
    await follow()
    expect(await pageIn('de/uber-uns/')).toBe(german)
    expect(await pageIn('about-us/')).toBe(ENGLISH)
  })

  it('a changed, a removed and a damaged meta value is noticed', async () => {
    for (const strings of [encodePhp([['Good soap', 'Seife']]), 'a:1:{', undefined]) {
      await store(strings)
      expect(await isNoticed()).toBe(true)
      expect(await follow()).toBe(true)
      expect(await pageIn('de/uber-uns/')).toContain(
        strings?.includes('Seife') ? 'title="Seife"' : 'title="Good soap"',
      )
      expect(await follow()).toBe(false)
    }
  })

  it.each(['meta', 'content'])('Polylang before 3.4 stores them in a post (%s)', async (where) => {
    const settings = (await shop.option('polylang')) ?? ''
    const strings = encodePhp([['Good soap', 'Alte Seife']])
    await setOption(network, 2, 'polylang', setValue(settings, ['version'], encodePhp('3.3.1')))
    const id = await shop.page({
      slug: `strings-${where}`,
      title: `polylang_mo_${languageId}`,
      type: 'polylang_mo',
      content: where === 'content' ? strings : '',
    })
    if (where === 'meta')
      await sql(tables.postmeta).insert({ post_id: id, meta_key, meta_value: strings })
    expect(await isNoticed()).toBe(true)
    await follow()
    expect(await pageIn('de/uber-uns/')).toContain('title="Alte Seife"')
    await setOption(network, 2, 'polylang', settings)
    await follow()
    expect(await pageIn('de/uber-uns/')).toContain('title="Good soap"')
    await sql(tables.posts).where({ ID: id }).delete()
    await follow()
  })
})
