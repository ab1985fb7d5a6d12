import { z } from 'zod'
import { HISTORY_ACTIONS, HISTORY_KINDS } from '../history/history-row.ts'
import { diffFields } from './history/get-entry.endpoint.ts'

/** What a write does to each thing, in responses. */
export const WrittenThingSchema = z
  .object({
    kind: z.enum(HISTORY_KINDS),
    ref: z.string().describe('Id of the thing. A dry run gives new things an id that is not kept.'),
    name: z.string(),
    action: z.enum(HISTORY_ACTIONS),
    ...diffFields,
  })
  .meta({ id: 'WrittenThing', description: 'What a write does to one thing.' })
