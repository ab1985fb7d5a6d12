import { z } from 'zod'

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
