import { z } from 'zod'
import { type FrameProblems, readFrameProblems } from '../../baking/frame-problems.ts'
import { forEachYielding } from '../../concurrency/for-each.ts'
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
    shown_on: z
      .int()
      .describe('Pages that show it: those that use it, or a frame that embeds it at any depth.'),
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

/**
 * The details of these frames, by id, in one statement.
 * @param pages of all frames of the site, by id of the frame
 */
export async function readFrameDetails(
  db: Db,
  site: Site,
  graph: FrameGraph,
  frames: readonly IndexedFrame[],
  pages: ReadonlyMap<string, readonly number[]>,
): Promise<Map<string, ResponseOf<typeof FrameDetailsSchema>>> {
  const problems = await readFrameProblems(db, site, graph, frames)
  const details = new Map<string, ResponseOf<typeof FrameDetailsSchema>>()
  await forEachYielding(frames, ({ id }) => {
    details.set(id, {
      pages: pages.get(id)?.length ?? 0,
      shown_on: countPagesShowing(graph, id, pages),
      embeds: graph.directlyEmbedded(id).length,
      embedded_by: graph.embeddersOf([id]).length,
      ...presentProblems(problems.get(id)),
    })
  })
  return details
}

/** A page uses one frame, so no page is counted twice. */
function countPagesShowing(
  graph: FrameGraph,
  id: string,
  pages: ReadonlyMap<string, readonly number[]>,
): number {
  if (pages.size === 0) return 0
  let total = 0
  for (const showing of graph.framesShowing(id)) total += pages.get(showing)?.length ?? 0
  return total
}

function presentProblems({ isBuilt, problems }: FrameProblems = { isBuilt: false, problems: [] }) {
  return {
    built: isBuilt,
    problems: problems.slice(0, MAX_LISTED_PROBLEMS),
    problems_total: problems.length,
  }
}
