import { z } from 'zod'
import { CacheSchema, type Effects, RebakedSchema } from '../change.ts'
import type { ResponseOf } from './endpoint.ts'

export const RepublishSchema = z
  .object({
    status: z
      .enum(['ok', 'skipped', 'failed', 'unavailable'])
      .describe(
        '`failed`: the static copy of at least one page could not be updated. The write itself is stored.',
      ),
    message: z.string().optional(),
    cache: CacheSchema.optional(),
  })
  .meta({ id: 'Republish', description: 'The update of the static copies of all affected pages.' })

/** The fields in which writes report their effects on other frames and on pages. */
export const effectFields = { rebaked: RebakedSchema, republish: RepublishSchema }

/** `republish` without the page caches: `rebaked` has them already. */
export function presentEffects({
  rebaked,
  republish: { status, message },
}: Pick<Effects, 'rebaked' | 'republish'>): ResponseOf<z.ZodObject<typeof effectFields>> {
  return { rebaked, republish: { status, ...(message === undefined ? {} : { message }) } }
}
