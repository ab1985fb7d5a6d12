import { createSiteFixture } from '../../support/site-fixture.ts'
import type { BenchSetup } from './bench-setup.ts'

/** Ids of the test site's pages "Chapter 1" to "Chapter 20", below "Guide". */
const [FIRST_PAGE, PAGES] = [7, 20]

/**
 * A typical tree: nine items below each item of the top level, every third of them a page.
 * @param edition in another edition, each item links something else
 */
export function menuTree(count: number, edition = 0): object[] {
  const before = edition === 0 ? '' : `e${edition}-`
  return Array.from({ length: Math.ceil(count / 10) }, (_, top) => ({
    title: `Top ${before}${top}`,
    url: `/${before}top-${top}/`,
    children: Array.from({ length: Math.min(9, count - top * 10 - 1) }, (_, below) =>
      below % 3 === 0
        ? { page: FIRST_PAGE + ((top + below + edition) % PAGES) }
        : { title: `Item ${before}${top}.${below}`, url: `/${before}${top}/${below}/` },
    ),
  }))
}

/** Creates a menu with this many items at a location of the site, and returns its id. */
export function putMenu(
  { database: { db, site } }: BenchSetup,
  location: string,
  count: number,
): Promise<number> {
  const menu = { name: `Menu of ${count}`, location, items: menuTree(count) }
  return createSiteFixture(db, site).menu(menu)
}
