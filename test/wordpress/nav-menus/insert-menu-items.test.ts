import { describe, expect, it } from 'vitest'
import { numberedSlug } from '../../../src/wordpress/formatting/slugs.ts'
import { ItemSlugs } from '../../../src/wordpress/nav-menus/insert-menu-items.ts'

describe('ItemSlugs', () => {
  it('appends a number to a slug that is taken, reserved, or claimed already', () => {
    const slugs = new ItemSlugs(['home', 'home-2', 'home-4'])
    expect(
      ['home', 'home', 'home', 'new', 'new', 'feed', 'embed', '2024'].map((s) => slugs.claim(s)),
    ).toEqual(['home-3', 'home-5', 'home-6', 'new', 'new-2', 'feed-2', 'embed-2', '2024'])
  })

  it('continues from the last number of a slug', () => {
    const slugs = new ItemSlugs([])
    const claimed = Array.from({ length: 20_000 }, () => slugs.claim('link'))
    expect(claimed.at(-1)).toBe('link-20000')
    expect(new Set(claimed).size).toBe(20_000)
  })
})

it.each([
  ['about', 2, 'about-2'],
  ['a'.repeat(200), 2, `${'a'.repeat(198)}-2`],
  ['a'.repeat(199), 10, `${'a'.repeat(197)}-10`],
  [`${'a'.repeat(197)}-bc`, 2, `${'a'.repeat(197)}-2`],
  ['%d1%8f'.repeat(33), 2, `${'%d1%8f'.repeat(33)}-2`.slice(0, 200)],
  [`aa${'%d1%8f'.repeat(33)}`, 2, `aa${'%d1%8f'.repeat(32)}-2`],
  [`${'%f0%9f%98%80'.repeat(16)}abcdefgh`, 100, `${'%f0%9f%98%80'.repeat(16)}abcd-100`],
])(
  'numberedSlug keeps %s within 200 bytes without splitting characters',
  (slug, number, numbered) => {
    expect(numberedSlug(slug, number)).toBe(numbered)
    expect(numbered.length).toBeLessThanOrEqual(200)
  },
)
