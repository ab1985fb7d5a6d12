import type { Db } from '../db/database.ts'
import { MAX_TITLES } from '../diff/diff-limits.ts'
import type { StateDiff } from '../diff/entry-diff.ts'
import { LINK_OF_ITEM } from '../diff/menu-diff.ts'
import type { HistoryKind } from '../history/history-row.ts'
import { type LinkedObject, readLinkTitles } from '../wordpress/nav-menus/link-titles.ts'
import type { Site } from '../wordpress/network/site.ts'

type Titled = {
  readonly kind?: HistoryKind
  readonly ref?: string
  readonly items?: StateDiff['items']
}

/** `page 12`, perhaps in quotes: how a value of a difference names what an item without a label links. */
const LINK = /^(?:\d+ of )?"?([a-z0-9_-]+) ([1-9]\d{0,17})"?$/

/** Adds to things with their differences the titles of what they name by an id. */
export async function withLinkTitles<Thing extends Titled>(
  db: Db,
  site: Site,
  things: readonly Thing[],
): Promise<(Thing & { readonly titles?: Record<string, string> })[]> {
  const links = things.map(linksIn)
  const wanted = links.flatMap((ofThing) => [...ofThing.values()]).slice(0, MAX_TITLES)
  const rows = await readLinkTitles(db, site, wanted)
  const titles = new Map(rows.map(({ object, id, title }) => [`${object} ${id}`, title]))
  return things.map((thing, index) => {
    const own = [...(links[index]?.keys() ?? [])].flatMap((link) => {
      const title = titles.get(link)
      return title === undefined || title === '' ? [] : [[link, title] as const]
    })
    return own.length === 0 ? thing : { ...thing, titles: Object.fromEntries(own) }
  })
}

function linksIn({ kind, ref, items = [] }: Titled): Map<string, LinkedObject> {
  // In a path, only a label is in quotes.
  const texts = items.flatMap(({ path, from = '', to = '' }) => [
    ...path.filter((label) => LINK_OF_ITEM.test(label)),
    from,
    to,
  ])
  // The frame of a page is named by the page.
  if (kind === 'assignment') texts.push(`page ${ref}`)
  return new Map(
    texts.flatMap((text) => {
      const [, object, id] = LINK.exec(text) ?? []
      return object === undefined ? [] : [[`${object} ${id}`, { object, id: Number(id) }] as const]
    }),
  )
}
