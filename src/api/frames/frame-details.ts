import { z } from 'zod'
import { type FrameProblems, readFrameProblems } from '../../baking/frame-problems.ts'
import type { Db } from '../../db/database.ts'
import type { FrameGraph, IndexedFrame } from '../../frames/graph.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { ResponseOf } from '../endpoint.ts'
import { flag } from '../fields.ts'

/** Problems of one frame in a response. */
const MAX_LISTED_PROBLEMS = 20

export const detailsField = flag(
  false,
  'Include `details` of each frame: its use and its problems.',
)

/** What a list of frames does not contain unless it is asked for. */
export const FrameDetailsSchema = z
  .object({
    pages: z.int().describe('Pages that use the frame.'),
    embeds: z.int().describe('Frames that it embeds directly.'),
    embedded_by: z.int().describe('Frames that embed it directly.'),
    built: z
      .boolean()
      .describe(
        'Whether its present markup is baked. Otherwise only missing frames are known as problems.',
      ),
    problems: z
      .array(z.string())
      .max(MAX_LISTED_PROBLEMS)
      .describe(`What its last bake has found, at most ${MAX_LISTED_PROBLEMS}.`),
    problems_total: z.int(),
  })
  .meta({ id: 'FrameDetails' })

/** The details of these frames, by id, in one statement. */
export async function readFrameDetails(
  db: Db,
  site: Site,
  graph: FrameGraph,
  frames: readonly (IndexedFrame & { readonly pages: readonly number[] })[],
): Promise<Map<string, ResponseOf<typeof FrameDetailsSchema>>> {
  const problems = await readFrameProblems(db, site, graph, frames)
  return new Map(
    frames.map(({ id, pages }) => [
      id,
      {
        pages: pages.length,
        embeds: graph.directlyEmbedded(id).length,
        embedded_by: graph.embeddersOf([id]).length,
        ...presentProblems(problems.get(id)),
      },
    ]),
  )
}

function presentProblems({ isBuilt, problems }: FrameProblems = { isBuilt: false, problems: [] }) {
  return {
    built: isBuilt,
    problems: problems.slice(0, MAX_LISTED_PROBLEMS),
    problems_total: problems.length,
  }
}
