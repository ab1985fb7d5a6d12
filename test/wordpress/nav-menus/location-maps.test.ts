import { describe, expect, it } from 'vitest'
import {
  assignmentsOf,
  type LocationMaps,
  menuIdAt,
  shownMenuId,
  translatedMenuId,
} from '../../../src/wordpress/nav-menus/location-maps.ts'
import { languagesOf } from '../languages/languages-of.ts'

const TWO = languagesOf(['en', 'fr'])
const NONE = languagesOf([])

const maps: LocationMaps = {
  theme: 'opal',
  hasNames: false,
  byTheme: new Map([
    ['header', 5],
    ['footer_1', 7],
    ['footer_2', 0],
    ['stale', 9],
  ]),
  byLanguage: new Map([
    [
      'header',
      new Map([
        ['en', 5],
        ['fr', 6],
        ['xx', 5],
      ]),
    ],
    ['footer_1', new Map([['fr', 6]])],
    ['unknown_to_theme', new Map([['en', 8]])],
  ]),
}

describe('the menu at a location', () => {
  it.each([
    ['header', 'en', 5],
    ['header', 'fr', 6],
    ['header', null, 5],
    ['footer_1', 'fr', 6],
    // The theme's map has 7, without a language.
    ['footer_1', 'en', 0],
    ['footer_2', 'en', 0],
    ['stale', null, 0],
    ['nowhere', 'en', 0],
  ])('at %s in the language %s is that of Polylang’s map: %d', (location, lang, id) => {
    expect(menuIdAt(maps, TWO, location, lang)).toBe(id)
    expect(shownMenuId(maps, TWO, location, lang)).toBe(id)
  })

  it('is not shown if the location is not registered in the theme’s map', () => {
    expect(menuIdAt(maps, TWO, 'unknown_to_theme', 'en')).toBe(8)
    expect(shownMenuId(maps, TWO, 'unknown_to_theme', 'en')).toBe(0)
  })

  it.each([
    ['header', 5],
    ['footer_2', 0],
    ['unknown_to_theme', 0],
  ])('at %s on a site without languages is that of the theme’s map: %d', (location, id) => {
    expect(menuIdAt(maps, NONE, location, null)).toBe(id)
    expect(shownMenuId(maps, NONE, location, null)).toBe(id)
  })
})

describe('assignmentsOf', () => {
  it.each([
    [5, [{ location: 'header', lang: 'en' }]],
    [
      6,
      [
        { location: 'header', lang: 'fr' },
        { location: 'footer_1', lang: 'fr' },
      ],
    ],
    [7, [{ location: 'footer_1', lang: null }]],
    [8, [{ location: 'unknown_to_theme', lang: 'en' }]],
    [99, []],
  ])('lists the assignments of menu %d', (id, assignments) => {
    expect(assignmentsOf(maps, TWO, id)).toEqual(assignments)
  })

  it('gives no language on a site without languages', () => {
    expect(assignmentsOf(maps, NONE, 5)).toEqual([{ location: 'header', lang: null }])
    expect(assignmentsOf(maps, NONE, 6)).toEqual([])
  })
})

it.each([
  [5, 'fr', 6],
  [6, 'en', 5],
  [5, 'de', 5],
  [8, 'fr', 8],
  [42, 'fr', 42],
  [5, null, 5],
])('translatedMenuId of menu %d in the language %s is %d', (id, lang, expected) => {
  expect(translatedMenuId(maps, id, lang)).toBe(expected)
})
