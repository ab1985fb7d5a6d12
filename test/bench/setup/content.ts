import { createHash } from 'node:crypto'
import { createSiteFixture } from '../../support/site-fixture.ts'

import type { BenchDatabase } from './open-database.ts'

export type SetFrame = { readonly slug: string; readonly html: string }

/** Replaces all frames of the site in one transaction, without baking. */
export function putFrames({ db, site }: BenchDatabase, frames: readonly SetFrame[]): Promise<void> {
  const wanted = frames.map((frame) => ({ id: frameId(frame.slug), ...frame }))
  return createSiteFixture(db, site).replaceFrames(wanted)
}

/** Id of the frame with a slug: 16 hexadecimal characters, not all of them digits. */
export const frameId = (slug: string): string =>
  `f${createHash('sha256').update(slug).digest('hex').slice(0, 15)}`

/** Markup of a card with this many bytes. */
export function markup(title: string, bytes: number): string {
  const [begin, end] = [`<article class="card"><h2>${title}</h2>\n<p>`, '</p></article>\n']
  const room = Math.max(0, bytes - begin.length - end.length)
  return begin + 'A text of a page that people read. '.repeat(room / 34 + 1).slice(0, room) + end
}

const EMBEDS_EACH = 10

/** Frames of 2 kB each; every tenth of them embeds the nine after it. */
export function siteFrames(count: number): SetFrame[] {
  const slug = (index: number) => `part-${String(index).padStart(4, '0')}`
  return Array.from({ length: count }, (_, index) => {
    const below = index % EMBEDS_EACH === 0 ? EMBEDS_EACH - 1 : 0
    const embeds = Array.from({ length: Math.min(below, count - index - 1) }, (_, n) =>
      embed(slug(index + n + 1)),
    )
    return { slug: slug(index), html: markup(slug(index), 2048) + embeds.join('\n') }
  })
}

/** An insert that embeds a frame. */
export const embed = (slug: string): string => `<!-- svc/frame {"name":"${slug}"} /-->`

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
  { db, site }: BenchDatabase,
  location: string,
  count: number,
): Promise<number> {
  const menu = { name: `Menu of ${count}`, location, items: menuTree(count) }
  return createSiteFixture(db, site).menu(menu)
}
