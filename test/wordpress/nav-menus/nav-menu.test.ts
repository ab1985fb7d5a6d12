import { describe, expect, inject, it } from 'vitest'
import { AppError } from '../../../src/host/errors.ts'
import { findMenus, getMenu, type MenuScope } from '../../../src/wordpress/nav-menus/find-menu.ts'
import { useTruth } from '../clone-truth.ts'

const network = await useTruth()
const site = await network.site(2)
await addMenu(500, 'Twin', 'twin-one')
await addMenu(501, 'Twin', 'twin-two')
await addMenu(502, 'Shade', 'shade-1')
await addMenu(503, 'SHADE', 'shade-2')
// Digits as a name and as a slug; one is also the id of another menu.
await addMenu(504, '2026', '24')
await addMenu(505, 'Numbers', '777')
// A name that is another menu's slug.
await addMenu(506, 'Deeper', 'Deep-down')
await addMenu(507, 'twin-one', 'names-a-slug')
await addMenu(509, 'Länderübersicht', 'by-land')

async function addMenu(term_id: number, name: string, slug: string): Promise<void> {
  const { terms, termTaxonomy } = site.tables
  await network.db.sql(terms).insert({ term_id, name, slug })
  await network.db.sql(termTaxonomy).insert({ term_id, taxonomy: 'nav_menu', description: '' })
}

const get = async (ref: string | number, scope?: MenuScope, blogId = 2) => {
  const site = await network.site(blogId)
  return getMenu(network.db, site, ref, scope)
}

const failure = async (ref: string | number, scope?: MenuScope, blogId = 2): Promise<AppError> => {
  const error: unknown = await get(ref, scope, blogId).catch((thrown: unknown) => thrown)
  if (error instanceof AppError) return error
  throw new Error(`"${ref}" names a menu`)
}

describe('getMenu', () => {
  it.each([
    ['its id', 23, 23],
    ['its id as a text', '23', 23],
    ['its id before a slug', '24', 24],
    ['a slug of digits', '777', 505],
    ['a name of digits', '2026', 504],
    ['its slug', 'main-menu', 23],
    ['its slug before a name', 'twin-one', 500],
    [
      'its encoded slug',
      '%d0%be%d1%81%d0%bd%d0%be%d0%b2%d0%bd%d0%be%d0%b5-%d0%bc%d0%b5%d0%bd%d1%8e',
      28,
    ],
    ['its slug as people read it', 'основное-меню', 28],
    ['its name', 'Основное меню', 28],
    ['its name with an accent', 'Hauptmenü', 25],
    ['its name as people read it', 'Unassigned & "odd" – naïve', 27],
    ['its name as stored', 'Unassigned &amp; "odd" – naïve', 27],
    ['its name in other letters', 'MAIN MENÜ', 23],
    ['the name that is spelled so', 'SHADE', 503],
  ])('finds a menu by %s', async (_, ref, id) => {
    expect((await get(ref)).id).toBe(id)
  })

  it.each([['nothing there'], [''], ['😀'], [9999], ['1'], ['99999999999999999999']])(
    'finds none by "%s"',
    async (ref) => {
      expect((await failure(ref)).code).toBe('menu_not_found')
    },
  )

  it.each([
    ['twin-onee', 'twin-one'],
    ['by-lnad', 'by-land'],
    ['LÄNDER-ÜBERSICHT', 'Länderübersicht'],
    ['laenderuebersicht', 'Länderübersicht'],
    ['nothing there', undefined],
  ])('suggests for "%s" the similar %s', async (ref, similar) => {
    expect((await failure(ref)).fields).toEqual({ similar })
  })

  if (inject('charset') === 'utf8mb4')
    it('finds a menu by a name with four-byte characters', async () => {
      await addMenu(508, 'Pizza 🍕', 'pizza')
      expect((await get('Pizza 🍕')).id).toBe(508)
    })

  it('lists the candidates of a name that several menus have', async () => {
    const { code, fields } = await failure('Twin')
    expect(code).toBe('ambiguous_menu')
    expect(fields).toEqual({
      candidates: [
        { id: 500, name: 'Twin', slug: 'twin-one' },
        { id: 501, name: 'Twin', slug: 'twin-two' },
      ],
    })
    expect((await failure('shadé')).code).toBe('ambiguous_menu')
  })

  it.each([
    ['~header', {}, 23],
    ['@header', {}, 23],
    ['~header', { lang: 'fr' }, 24],
    ['@footer_1', { lang: 'fr' }, 26],
    // Only in the theme's map: Polylang's map lacks that theme.
    ['~header', { theme: 'other' }, 26],
  ])('finds the menu at %s with %o', async (ref, scope, id) => {
    expect((await get(ref, scope)).id).toBe(id)
  })

  it.each([
    ['~header', { lang: 'ar' }, 2],
    ['~footer_2', {}, 2],
    ['~footer_3', {}, 2],
    ['~', {}, 2],
    ['~header', { theme: 'other', lang: 'en' }, 2],
    ['~header', { theme: 'nobody' }, 3],
  ])('finds none at %s with %o on site %d', async (ref, scope, blogId) => {
    expect((await failure(ref, scope, blogId)).code).toBe('menu_not_assigned')
  })

  it('finds the menu of the theme’s map on a site without languages', async () => {
    expect((await get('~footer_1', {}, 3)).id).toBe(5)
  })

  it('does not find another menu whose slug is the id of a deleted one', async () => {
    await network.db
      .sql(site.tables.options)
      .where({ option_name: 'polylang' })
      .update({
        option_value: network.db.sql.raw(
          'REPLACE(option_value, \'s:2:"fr";i:26\', \'s:2:"fr";i:777\')',
        ),
      })
    expect((await findMenus(network.db, site, 777)).map(({ id }) => id)).toEqual([505])
    expect((await failure('~footer_1', { lang: 'fr' })).code).toBe('menu_not_assigned')
  })
})
