import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pagePath } from '../../../src/wordpress/pages/posts.ts'

/** Pages with arbitrary parents, including cycles and missing parents. */
const anyPages = fc.array(
  fc.record({ slug: fc.constantFrom('', 'a', 'b', 'c'), parent: fc.integer({ min: 0, max: 12 }) }),
  { minLength: 1, maxLength: 10 },
)

const byId = <T>(pages: readonly T[]): Map<number, T> =>
  new Map(pages.map((page, index) => [index + 1, page]))

describe('pagePath', () => {
  it('ends for any parents, and contains no page twice', () => {
    fc.assert(
      fc.property(anyPages, (pages) => {
        const parts = byId(pages)
        for (const id of parts.keys()) {
          const path = pagePath(parts, id)
          expect(path.split('/').length).toBeLessThanOrEqual(pages.length + 1)
          expect(path.endsWith(parts.get(id)?.slug ?? '-')).toBe(true)
        }
      }),
    )
  })

  it('appends a page to the path of its parent', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 2 }), (slugs) => {
        const parts = byId(slugs.map((slug, index) => ({ slug, parent: index })))
        expect(pagePath(parts, slugs.length)).toBe(slugs.join('/'))
      }),
    )
  })

  it('omits ancestors without a slug', () => {
    const parts = byId([
      { slug: 'top', parent: 0 },
      { slug: '', parent: 1 },
      { slug: 'page', parent: 2 },
    ])
    expect(pagePath(parts, 3)).toBe('top/page')
  })
})
