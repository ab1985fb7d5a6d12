import { z } from 'zod'

/** `after` and `limit` of a list in the order of ids. */
export const idPaging = (
  things: string,
  limits: { readonly max: number; readonly byDefault: number },
) => ({
  after: z.coerce.number().int().min(0).optional().describe('`next` of the page before.'),
  limit: limitField(things, limits),
})

/** `limit` of a list. */
export const limitField = (
  things: string,
  { max, byDefault }: { readonly max: number; readonly byDefault: number },
) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(max)
    .optional()
    .describe(`${things} on a page, at most ${max}; by default ${byDefault}.`)

/** `next` of a list in the order of ids. */
export const nextIdField = z
  .int()
  .nullable()
  .describe('`after` of the next page; null on the last one.')

/** Characters of a text that a list is searched for. */
export const MAX_SEARCH_LENGTH = 200

export const searchField = (description: string, example: string) =>
  z
    .string()
    .max(MAX_SEARCH_LENGTH)
    .optional()
    .meta({ description, examples: [example] })
