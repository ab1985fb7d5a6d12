import { z } from 'zod'
import type { FrameProblem } from '../../frames/find-problems.ts'
import type { ResponseOf } from '../endpoint.ts'
import { pick } from '../pick.ts'

/** A problem of a frame, as plans, pushes and `check` report it. */
export const FrameProblemSchema = z
  .object({
    frame: z.string().describe('Slug of the frame.'),
    severity: z
      .enum(['error', 'warning'])
      .describe('`error`: visitors do not see something that the author meant to print.'),
    code: z.string().meta({ examples: ['unknown_value'] }),
    line: z.int().nullable().describe('Null for a problem of several frames.'),
    column: z.int().nullable(),
    message: z.string().describe('What is wrong, and what to do.'),
  })
  .meta({ id: 'FrameProblem', description: 'A mistake in a frame that prevents no write.' })

/** Problems of unsaved frames in a response. */
export const MAX_UNSAVED_PROBLEMS = 100

/** The first problems. */
export function presentFrameProblems(
  problems: readonly FrameProblem[],
): ResponseOf<typeof FrameProblemSchema>[] {
  return problems.slice(0, MAX_UNSAVED_PROBLEMS).map(({ location, ...problem }) =>
    pick(FrameProblemSchema, {
      ...problem,
      line: location?.line ?? null,
      column: location?.column ?? null,
    }),
  )
}
