import { z } from 'zod'
import { type Dependent, findDependents } from '../../baking/dependents.ts'
import type { FrameGraph, IndexedFrame } from '../../frames/graph.ts'
import { workOnEmbedders } from '../../work/work.ts'
import type { ResponseOf } from '../endpoint.ts'
import { pick } from '../pick.ts'
import { deletedPage, type PageNames, PageNamesSchema } from './page-names.ts'

/** Entries of each list of an impact. */
export const MAX_IMPACT_ENTRIES = 200

const total = z.int().describe('All of them, also those that are not listed.')
const FrameNamesSchema = z.object({ id: z.string(), slug: z.string() })
const pageFields = { pages: z.array(PageNamesSchema).max(MAX_IMPACT_ENTRIES), pages_total: total }

/** What a change touches: the frames that are baked again, and the pages that are published again. */
export const ChangeImpactSchema = z
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
      .describe('The frames that are baked again, besides one that is written.'),
    frames_total: total,
    ...pageFields,
  })
  .meta({
    id: 'ChangeImpact',
    description: `The frames that are baked again, and the pages that are published again. Each list has at most ${MAX_IMPACT_ENTRIES} entries.`,
  })

export const ImpactSchema = z
  .object({
    change: ChangeImpactSchema,
    deletion: z
      .object({
        embedders: z
          .array(FrameNamesSchema)
          .max(MAX_IMPACT_ENTRIES)
          .describe('Frames that print nothing for it.'),
        embedders_total: total,
        ...pageFields,
      })
      .describe(
        'What a deletion breaks: these pages lose their frame, and visitors of public ones get a 404.',
      ),
  })
  .meta({ id: 'FrameImpact' })

/** A list of ids, by id of the frame. */
type FramePages = ReadonlyMap<string, readonly number[]>

/** A part of a response that names pages, which are read for all parts together. */
export type NamingPages<Schema extends z.ZodType> = {
  /** The pages that it lists. */
  readonly pageIds: readonly number[]
  present(pages: ReadonlyMap<number, PageNames>): ResponseOf<Schema>
}

const first = <T>(list: readonly T[]): readonly T[] => list.slice(0, MAX_IMPACT_ENTRIES)

const presentPages = (ids: readonly number[], names: ReadonlyMap<number, PageNames>) => ({
  pages: first(ids).map((page) => names.get(page) ?? deletedPage(page)),
  pages_total: ids.length,
})

/**
 * What a change touches whose dependents are these frames.
 * @param pages those that visitors see: no others are published
 * @param written ids of the pages on the frame that is written
 */
export function changeImpactOf(
  dependents: readonly Dependent[],
  pages: FramePages,
  written: readonly number[] = [],
): NamingPages<typeof ChangeImpactSchema> {
  const published = [
    ...new Set([...written, ...dependents.flatMap(({ frame }) => pages.get(frame.id) ?? [])]),
  ]
  return {
    pageIds: first(published),
    present: (names) => ({
      frames: first(dependents).map(({ frame, because }) => ({
        ...pick(FrameNamesSchema, frame),
        because,
      })),
      frames_total: dependents.length,
      ...presentPages(published, names),
    }),
  }
}

/**
 * What a change and a deletion of a frame would touch.
 * @param pages all pages on frames
 * @param publicPages those that visitors see
 */
export function impactOf(
  graph: FrameGraph,
  { id, slug }: IndexedFrame,
  pages: FramePages,
  publicPages: FramePages,
): NamingPages<typeof ImpactSchema> {
  const dependents = findDependents(graph, workOnEmbedders(id, [slug])).filter(
    ({ frame }) => frame.id !== id,
  )
  const embedders = graph.embeddersOf([id]).filter((embedder) => embedder.id !== id)
  const own = pages.get(id) ?? []
  const change = changeImpactOf(dependents, publicPages, publicPages.get(id))
  return {
    pageIds: [...change.pageIds, ...first(own)],
    present: (names) => ({
      change: change.present(names),
      deletion: {
        embedders: first(embedders).map((embedder) => pick(FrameNamesSchema, embedder)),
        embedders_total: embedders.length,
        ...presentPages(own, names),
      },
    }),
  }
}
