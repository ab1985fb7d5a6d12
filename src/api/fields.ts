import { z } from 'zod'
import {
  BakeSchema,
  CacheSchema,
  type Effects,
  PENDING_STATUS,
  RebakedSchema,
} from '../host/effects.ts'
import { AppError } from '../host/errors.ts'
import type { Site } from '../wordpress/network/site.ts'
import { coded, rawField } from './coded-fields.ts'
import { field } from './described.ts'
import type { EffectsReport, ResponseOf } from './endpoint.ts'

const BOOLEAN_SPELLINGS = new Map<unknown, boolean>([
  [true, true],
  [1, true],
  ['1', true],
  ['true', true],
  [false, false],
  [0, false],
  ['0', false],
  ['false', false],
  ['', false],
])

/** A boolean in any spelling that WordPress's REST API accepts (rest_sanitize_boolean, rest-api.php). */
export function flag(defaultValue: boolean, description: string) {
  return rawField({ type: 'boolean', default: defaultValue, description }).transform(
    (value, context) => {
      const spelling = typeof value === 'string' ? value.toLowerCase() : value
      const known =
        spelling === undefined || spelling === null ? defaultValue : BOOLEAN_SPELLINGS.get(spelling)
      if (known !== undefined) return known
      context.addIssue({ code: 'custom', message: 'must be true or false' })
      return z.NEVER
    },
  )
}

/** A page, by its id, slug or path. */
export const pageField = (description: string) =>
  coded(
    z.union([z.string().trim().min(1), z.int().positive()]).meta({
      override: { type: ['string', 'integer'], anyOf: undefined },
      description,
      examples: ['about-us/team'],
    }),
    () =>
      new AppError('page_required', 'The page is missing. Send its id, slug or path in "page".'),
  )

/** The parameter of the path that names the site. */
export const sitePath = {
  site_id: field(z.int().positive(), 'Blog id of the site.', 2),
}

/** An id in a path; 0, which nothing has, if it is not a number. */
export const pathId = (description: string, example: string) =>
  z
    .string()
    .transform((sent) => (/^[1-9]\d{0,14}$/.test(sent) ? Number(sent) : 0))
    .meta({ override: { examples: [example] }, description })

/**
 * A body with these fields. A request without a body has none of them, nor has an empty list: PHP's `json_encode` makes one of an empty array.
 * @param required fields without which the endpoint rejects the request, with an error code of its own
 */
export function objectBody<Shape extends z.ZodRawShape>(
  shape: Shape,
  ...required: readonly (keyof Shape & string)[]
) {
  return z.preprocess(
    (body) => (body === null || isEmptyList(body) ? {} : (body ?? {})),
    z
      .object(shape, {
        error: ({ input }) =>
          typeof input === 'string'
            ? 'must be an object, and is a text: send the object itself, not its JSON as a text'
            : 'must be an object with the fields of the request',
      })
      .meta(required.length > 0 ? { required } : {}),
  )
}

const isEmptyList = (body: unknown): boolean => Array.isArray(body) && body.length === 0

export const RepublishSchema = z
  .object({
    status: field(
      z.enum(['ok', 'skipped', 'failed', 'unavailable', 'pending']),
      `\`failed\`: the static copy of at least one page could not be updated. The write itself is stored. ${PENDING_STATUS}`,
    ),
    message: z.string().optional(),
    cache: CacheSchema.optional(),
  })
  .meta({ id: 'Republish', description: 'The update of the static copies of all affected pages.' })

const PendingSchema = z
  .object({
    pages: z.int().describe('Pages of the site that are known to be published or removed.'),
    frames: field(z.int(), 'Frames and other things of the site that were touched, such as menus.'),
    read_work_at: field(z.string(), 'The address that reports the remaining work.', '/site/2/work'),
  })
  .meta({
    id: 'Pending',
    description:
      'Only if the budget for effects ended before everything was built. The write is stored, and the rest is built in the background.',
  })

/** `pending` in the responses of all writes with effects. */
export const pendingField = { pending: PendingSchema.optional() }

/** `pending` of a response; no field if everything was built. */
export function presentPending(
  { blogId }: Site,
  pending: Effects['pending'],
): ResponseOf<z.ZodObject<typeof pendingField>> {
  return pending ? { pending: { ...pending, read_work_at: `/site/${blogId}/work` } } : {}
}

/** The fields in which writes report their effects on other frames and on pages. */
export const effectFields = {
  rebaked: RebakedSchema,
  republish: RepublishSchema,
  ...pendingField,
}

/** `republish` without the page caches: `rebaked` has them already. */
export function presentEffects(
  site: Site,
  effects: Pick<Effects, 'rebaked' | 'republish' | 'pending'>,
): ResponseOf<z.ZodObject<typeof effectFields>> {
  const { status, message } = effects.republish
  return {
    rebaked: effects.rebaked,
    republish: { status, ...(message === undefined ? {} : { message }) },
    ...presentPending(site, effects.pending),
  }
}

/** What a write of anything else than a frame reports. */
export const EFFECTS: EffectsReport<typeof effectFields> = {
  fields: effectFields,
  report: presentEffects,
}

const frameEffectFields = { bake: BakeSchema, ...effectFields }

/** What a write of a frame reports. */
export const FRAME_EFFECTS: EffectsReport<typeof frameEffectFields> = {
  fields: frameEffectFields,
  report: (site, effects) => ({ bake: effects.bake, ...presentEffects(site, effects) }),
}
