import { z } from 'zod'

/** Address of the endpoints of one frame. */
export const FrameParamsSchema = z.object({
  ref: z.string().meta({
    description: 'A frame: its id, 16 hexadecimal characters, or its slug.',
    examples: ['site-header'],
  }),
})
