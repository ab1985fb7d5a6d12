import { describe, expect, it } from 'vitest'
import { useMenusApi } from '../support/menus-api.ts'

/**
 * Menus are named in capitals, with underscores, or as another menu's slug.
 * Right: WordPress 7.1, `wp_get_nav_menu_object()`: the id, else the slug that is equal to `sanitize_title()` of the reference in the
 * collation of the column, else the name.
 */
const menus = await useMenusApi()
const { db } = menus.network
const { terms, termTaxonomy } = menus.site.tables
for (const [id, name, slug] of [
  [901, 'Top sub', 'top_sub'],
  [902, 'Col one', 'footer-col1-menu'],
  [903, 'Imported', 'Main-Menu-2'],
  [910, 'Promo', 'a-promo'],
  [911, 'Other', 'promo'],
  [912, 'Dotted', 'a.b'],
] as const) {
  await db.sql(terms).insert({ term_id: id, name, slug, term_group: 0 })
  await db
    .sql(termTaxonomy)
    .insert({ term_id: id, taxonomy: 'nav_menu', description: '', parent: 0, count: 0 })
}

describe('references of menus', () => {
  it.each([
    ['901', 901],
    ['Promo', 911],
    ['promo', 911],
    ['a-promo', 910],
    ['TOP_SUB', 901],
    ['Top_Sub', 901],
    ['top sub', 901],
    ['Footer-Col1-Menu', 902],
    ['Footer Col1 Menu', 902],
    ['main-menu-2', 903],
    ['Main-Menu-2', 903],
    ['imported', 903],
    ['Main-Menu', 23],
    ['MAIN-MENU', 23],
    ['main menu', 23],
    // WordPress would not find it; the lists of this service show it.
    ['a.b', 912],
  ])('%s', async (ref, id) => {
    const { status, body } = await menus.send('get', `/menus/${encodeURIComponent(ref)}`)
    expect([status, body.menu?.id]).toEqual([200, id])
  })

  it('that name none suggest a known one', async () => {
    const { status, body } = await menus.send('get', '/menus/top_sup')
    expect([status, body.error, body.similar]).toEqual([404, 'menu_not_found', 'top_sub'])
    expect(body.message).toContain('Did you mean "top_sub"?')
  })
})

describe('references of menus in markup', () => {
  const check = async (menu: string) => {
    const html = `<!-- svc/menu ${JSON.stringify({ menu })} /-->`
    const { body } = await menus.send('post', '/frames/check', {
      frames: [{ slug: 'named', html }],
    })
    return body.problems
  }
  it.each(['Promo', 'TOP_SUB', '901', 'imported'])('%s is known', async (ref) => {
    expect(await check(ref)).toEqual([])
  })

  it('unknown ones are a warning that suggests a known one', async () => {
    expect(await check('top_sup')).toEqual([
      expect.objectContaining({
        code: 'unknown_menu',
        severity: 'warning',
        message: 'There is no menu "top_sup"; the insert prints nothing. Did you mean "top_sub"?',
      }),
    ])
  })
})
