import { z } from 'zod'
import { findDependents } from '../../baking/dependents.ts'
import type { FrameGraph, IndexedFrame } from '../../frames/graph.ts'
import type { ResponseOf } from '../endpoint.ts'
import { deletedPage, type PageNames, PageNamesSchema } from './page-names.ts'

/** Entries of each list of an impact. */
export const MAX_IMPACT_ENTRIES = 200

const total = z.int().describe('All of them, also those that are not listed.')
const FrameNamesSchema = z.object({ id: z.string(), slug: z.string() })
const pageFields = { pages: z.array(PageNamesSchema).max(MAX_IMPACT_ENTRIES), pages_total: total }

export const ImpactSchema = z
  .object({
    change: z
      .object({
        frames: z
          .array(
            FrameNamesSchema.extend({
              because: z
                .array(z.string())
                .meta({ description: 'What it shows.', examples: [['frame:site-header']] }),
            }),
          )
          .max(MAX_IMPACT_ENTRIES)
          .describe('The frames that are baked again, besides the frame itself.'),
        frames_total: total,
        ...pageFields,
      })
      .describe('What a change of the markup touches: these pages are published again.'),
    deletion: z
      .object({
        embedders: z
          .array(FrameNamesSchema)
          .max(MAX_IMPACT_ENTRIES)
          .describe('Frames that print nothing for it.'),
        embedders_total: total,
        ...pageFields,
      })
      .describe('What a deletion breaks: these pages lose their frame, and visitors get a 404.'),
  })
  .meta({ id: 'FrameImpact' })

/** What a change and a deletion of a frame would touch. */
export type Impact = {
  /** The pages that are listed. */
  readonly pageIds: readonly number[]
  present(pages: ReadonlyMap<number, PageNames>): ResponseOf<typeof ImpactSchema>
}

/** @param pages ids of the pages on each frame */
export function impactOf(
  graph: FrameGraph,
  { id, slug }: IndexedFrame,
  pages: ReadonlyMap<string, readonly number[]>,
): Impact {
  const touched = [{ kind: 'frame', id, slugs: [slug] }] as const
  const dependents = findDependents(graph, { touched }).filter(({ frame }) => frame.id !== id)
  const embedders = graph.embeddersOf([id]).filter((embedder) => embedder.id !== id)
  const own = pages.get(id) ?? []
  const published = [
    ...new Set([...own, ...dependents.flatMap(({ frame }) => pages.get(frame.id) ?? [])]),
  ]
  const first = <T>(list: readonly T[]): readonly T[] => list.slice(0, MAX_IMPACT_ENTRIES)
  return {
    pageIds: [...first(published), ...first(own)],
    present: (names) => {
      const pagesOf = (ids: readonly number[]) => ({
        pages: first(ids).map((page) => names.get(page) ?? deletedPage(page)),
        pages_total: ids.length,
      })
      return {
        change: {
          frames: first(dependents).map(({ frame, because }) => ({
            ...{ id: frame.id, slug: frame.slug, because },
          })),
          frames_total: dependents.length,
          ...pagesOf(published),
        },
        deletion: {
          embedders: first(embedders).map((embedder) => ({ id: embedder.id, slug: embedder.slug })),
          embedders_total: embedders.length,
          ...pagesOf(own),
        },
      }
    },
  }
}
