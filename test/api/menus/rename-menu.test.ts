import { describe, expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'

const menus = await useMenusApi()
const { send } = menus

describe('PATCH /menus/{ref}', () => {
  it('renames a menu without changing its slug, items and assignments; nothing is rebaked', async () => {
    const before = (await send('get', '/menus')).body.menus
    const { status, body } = await send('patch', '/menus/main-menu', { name: 'Top & more' })
    expect(status).toBe(200)
    expect(body).toEqual({
      success: true,
      site_id: 2,
      menu: { id: 23, term_taxonomy_id: 21, name: 'Top & more', slug: 'main-menu', count: 8 },
      warnings: [],
    })
    const after = (await send('get', '/menus')).body.menus
    const listed = (list: { id: number }[]) => list.find(({ id }) => id === 23)
    expect(listed(after)).toEqual({ ...listed(before), name: 'Top & more' })
    expect(await menus.itemsOf(23)).toHaveLength(8)
  })

  it('changes the slug, or name and slug at once', async () => {
    const slug = await send('patch', '/menus/23', { slug: 'top' })
    expect([slug.body.menu.name, slug.body.menu.slug]).toEqual(['Top & more', 'top'])
    const both = await send('patch', '/menus/top', { name: 'Main', slug: 'main' })
    expect([both.body.menu.name, both.body.menu.slug, both.body.warnings]).toEqual([
      'Main',
      'main',
      [],
    ])
    const own = await send('patch', '/menus/main', { name: 'MAIN', slug: 'main' })
    expect([own.body.menu.name, own.body.menu.slug, own.body.warnings]).toEqual([
      'MAIN',
      'main',
      [],
    ])
  })

  it('makes name and slug unique among the menus, with warnings', async () => {
    const { body } = await send('patch', '/menus/deep', { name: 'footer', slug: 'footer' })
    expect([body.menu.name, body.menu.slug, body.warnings]).toEqual([
      'footer (2)',
      'footer-2',
      ['name_changed', 'slug_changed'],
    ])
  })

  it('keeps the description that a plugin may have given the term', async () => {
    const { termTaxonomy } = menus.site.tables
    const row = { term_id: 24, taxonomy: 'nav_menu' }
    await menus.network.db.sql(termTaxonomy).where(row).update({ description: 'of a plugin' })
    await send('patch', '/menus/24', { name: 'Autre' })
    expect(await menus.network.db.sql(termTaxonomy).where(row).first('description')).toEqual({
      description: 'of a plugin',
    })
  })

  it('ambiguous_menu: lists the candidates of a name that several menus have', async () => {
    const { terms, termTaxonomy } = menus.site.tables
    const { sql } = menus.network.db
    for (const slug of ['twin-a', 'twin-b']) {
      const [id = 0] = await sql(terms).insert({ name: 'Twin', slug })
      await sql(termTaxonomy).insert({ term_id: id, taxonomy: 'nav_menu', description: '' })
    }
    const { status, body } = await send('patch', '/menus/Twin', { name: 'x' })
    expect([status, body.error]).toEqual([409, 'ambiguous_menu'])
    expect(body.candidates.map(({ slug }: { slug: string }) => slug)).toEqual(['twin-a', 'twin-b'])
  })
})

describe('{ref}', () => {
  it('reads lang from the query too', async () => {
    const { body } = await send('delete', '/menus/~header/items/1?lang=fr')
    expect(body.message).toContain('item 1')
  })
})
