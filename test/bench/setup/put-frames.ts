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
