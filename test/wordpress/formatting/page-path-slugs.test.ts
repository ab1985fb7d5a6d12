import fc from 'fast-check'
import { expect, it } from 'vitest'
import { pagePathSlugs, sanitizeTitle } from '../../../src/wordpress/formatting/slugs.ts'

it('pagePathSlugs maps every stored slug to itself, escaped or not', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (title) => {
      const slug = sanitizeTitle(title.replaceAll('%', ''), 'en_US')
      expect(pagePathSlugs(`/parent/${slug}/`).at(-1)).toBe(slug === '' ? 'parent' : slug)
      expect(pagePathSlugs(decodeURIComponent(slug))).toEqual([slug])
    }),
  )
})
