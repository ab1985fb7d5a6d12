import { MAX_TITLES } from '../content/diff/diff-limits.ts'
import type { StateDiff } from '../content/diff/entry-diff.ts'
import type { Db } from '../db/database.ts'
import type { HistoryKind } from '../record/history/history-row.ts'
import { type LinkedObject, readLinkTitles } from '../wordpress/nav-menus/link-titles.ts'
import type { Site } from '../wordpress/network/site.ts'

type Titled = {
  readonly kind?: HistoryKind
  readonly ref?: string
  readonly items?: StateDiff['items']
}

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

/** By `page 12`. */
function linksIn({ kind, ref, items = [] }: Titled): Map<string, LinkedObject> {
  const shown = items.flatMap(({ path, from, to }) => [...path, from, to])
  const links = shown.flatMap((text) => text?.link ?? [])
  // The frame of a page is named by the page.
  if (kind === 'assignment') links.push({ object: 'page', id: Number(ref) })
  return new Map(
    links.flatMap(({ object, id }) =>
      id === undefined ? [] : [[`${object} ${id}`, { object, id }] as const],
    ),
  )
}
