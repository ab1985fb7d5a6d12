import { describe, expect, it } from 'vitest'
import { readOption, readOptions } from '../../../src/wordpress/options/read-options.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { setOption } from '../../support/network.ts'

const menus = await useMenusApi()
const { send } = menus
const NAMES = ['theme_mods_opal', 'theme_mods_other', 'polylang', 'nav_menu_options']
const options = () => readOptions(menus.network.db, menus.site, NAMES)

describe('DELETE /menus/{ref}', () => {
  it('deletes the menu, its items and its assignments in all themes and languages', async () => {
    const before = await options()
    const { status, body } = await send('delete', '/menus/footer')
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      warnings: [],
      site_id: 2,
      deleted: { id: 26, name: 'Footer', slug: 'footer' },
      removed_items: 7,
      freed_locations: [
        { theme: 'opal', location: 'footer_1', lang: 'en' },
        { theme: 'opal', location: 'footer_1', lang: 'fr' },
        { theme: 'other', location: 'header', lang: null },
      ],
      rebaked: expect.objectContaining({ status: 'ok' }),
      republish: { status: 'ok' },
    })

    const after = await options()
    const replaced = (name: string, from: string, to: string) =>
      expect(after.get(name)).toBe(before.get(name)?.replace(from, to))
    replaced('theme_mods_opal', 's:8:"footer_1";i:26;', 's:8:"footer_1";i:0;')
    replaced('theme_mods_other', 's:6:"header";i:26;', 's:6:"header";i:0;')
    replaced(
      'polylang',
      's:8:"footer_1";a:2:{s:2:"en";i:26;s:2:"fr";i:26;}',
      's:8:"footer_1";a:0:{}',
    )
    replaced('nav_menu_options', 'a:2:{i:0;i:23;i:1;i:26;}', 'a:1:{i:0;i:23;}')
  })

  it('keeps a term shared with another taxonomy, a related page, and the meta of other terms', async () => {
    const { body } = await send('post', '/menus', { name: 'Shared', items: [3] })
    const { id } = body.menu
    const { terms, termmeta, termTaxonomy, termRelationships, posts } = menus.site.tables
    const { sql } = menus.network.db
    const { tt } = await sql(termTaxonomy).where({ term_id: id }).first({ tt: 'term_taxonomy_id' })
    await sql(termTaxonomy).insert({ term_id: id, taxonomy: 'category', description: '' })
    await sql(termRelationships).insert({ object_id: 7, term_taxonomy_id: tt })
    await sql(termmeta).insert({ term_id: id, meta_key: 'a', meta_value: 'b' })
    expect((await send('delete', `/menus/${id}`)).status).toBe(200)
    expect(await sql(terms).where({ term_id: id }).pluck('slug')).toEqual(['shared'])
    expect(await sql(termTaxonomy).where({ term_id: id }).pluck('taxonomy')).toEqual(['category'])
    expect(await sql(posts).where({ ID: 7 }).pluck('post_status')).toEqual(['publish'])
    expect(await sql(termRelationships).where({ term_taxonomy_id: tt })).toEqual([])
  })

  it('writes a map to an active theme without one, as WordPress does', async () => {
    const site = await menus.network.site(1)
    await setOption(menus.network, 1, 'theme_mods_opal', 'a:1:{i:0;b:0;}')
    await menus.as('admin')('delete', '/site/1/menus/2')
    expect(await readOption(menus.network.db, site, 'theme_mods_opal')).toBe(
      'a:2:{i:0;b:0;s:18:"nav_menu_locations";a:0:{}}',
    )
  })

  it('finds the menu by its location before, and not after', async () => {
    const gone = await send('delete', '/menus/~header', { lang: 'de' })
    expect(gone.body.deleted).toEqual({ id: 25, name: 'Hauptmenü', slug: 'hauptmenu' })
    expect((await send('delete', '/menus/25')).body.error).toBe('menu_not_found')
    const again = await send('delete', '/menus/~header', { lang: 'de' })
    expect([again.status, again.body.error]).toEqual([404, 'menu_not_assigned'])
  })
})
