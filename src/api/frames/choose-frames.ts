import { readFrameProblems } from '../../baking/frame-problems.ts'
import type { Db } from '../../db/database.ts'
import type { FrameGraph, IndexedFrame } from '../../frames/graph.ts'
import type { Site } from '../../wordpress/network/site.ts'

/** `unused`: frames that no page shows, also not through other frames. `problems`: frames whose last bake has found problems. */
export const FRAME_SELECTIONS = ['unused', 'problems'] as const
export type FrameSelection = (typeof FRAME_SELECTIONS)[number]

/** `updated`: the latest first. `size`: the largest first. */
export const FRAME_ORDERS = ['slug', 'updated', 'size'] as const
export type FrameOrder = (typeof FRAME_ORDERS)[number]

/**
 * The frames of a selection.
 * @param pages of all frames of the site, by id of the frame
 */
export async function selectFrames(
  db: Db,
  site: Site,
  graph: FrameGraph,
  frames: readonly IndexedFrame[],
  { only, pages }: { only: FrameSelection; pages: ReadonlyMap<string, readonly number[]> },
): Promise<readonly IndexedFrame[]> {
  if (only === 'unused') {
    const shown = graph.framesShownBy([...pages.keys()])
    return frames.filter(({ id }) => !shown.has(id))
  }
  const problems = await readFrameProblems(db, site, graph, frames)
  return frames.filter(({ id }) => (problems.get(id)?.problems.length ?? 0) > 0)
}

/** What frames are sorted by, descending; frames with the same value by slug. */
const VALUES: Readonly<Record<Exclude<FrameOrder, 'slug'>, (frame: IndexedFrame) => string>> = {
  updated: ({ meta }) => meta.updated_at_gmt,
  // Numbers with the same number of digits have the order of their texts.
  size: ({ meta }) => String(meta.bytes).padStart(12, '0'),
}

/** A page of a list of frames, and where the next one begins. */
type FramePage = { readonly selected: readonly IndexedFrame[]; readonly next: string | null }

/**
 * Frames in an order, from one of them on.
 * @param frames sorted by slug
 * @param after the slug of the frame before; in another order also its value, so that the page begins at the right frame even if that one has gone
 */
export function pageOfFrames(
  frames: readonly IndexedFrame[],
  { order, after, limit }: { order: FrameOrder; after: string; limit: number | undefined },
): FramePage {
  const readValue = order === 'slug' ? () => '' : VALUES[order]
  const cursorOf = (frame: IndexedFrame): string =>
    order === 'slug' ? frame.slug : `${readValue(frame)}/${frame.slug}`
  const sorted = order === 'slug' ? frames : [...frames].sort(descendingBy(readValue))
  const rest = sorted.filter((frame) => isAfter(readValue(frame), frame.slug, after))
  const selected = rest.slice(0, limit)
  const last = selected.at(-1)
  return { selected, next: last && rest.length > selected.length ? cursorOf(last) : null }
}

const descendingBy =
  (readValue: (frame: IndexedFrame) => string) =>
  (a: IndexedFrame, b: IndexedFrame): number => {
    const [first, second] = [readValue(a), readValue(b)]
    if (first === second) return a.slug < b.slug ? -1 : 1
    return first > second ? -1 : 1
  }

/** Whether a frame comes after a cursor. Slugs have no slash. */
function isAfter(value: string, slug: string, cursor: string): boolean {
  const slash = cursor.indexOf('/')
  const afterValue = cursor.slice(0, Math.max(slash, 0))
  if (cursor === '' || value < afterValue) return true
  return value === afterValue && slug > cursor.slice(slash + 1)
}
