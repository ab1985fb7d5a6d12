import { z } from 'zod'
import { nullable, optional } from './described.ts'

/** `after` and `limit` of a list in the order of ids. */
export const idPaging = (
  things: string,
  limits: { readonly max: number; readonly byDefault: number },
) => ({
  after: optional(z.coerce.number().int().min(0), '`next` of the page before.'),
  limit: limitField(things, limits),
})

/** `limit` of a list. */
export const limitField = (
  things: string,
  { max, byDefault }: { readonly max: number; readonly byDefault: number },
) =>
  optional(
    z.coerce.number().int().min(1).max(max),
    `${things} on a page, at most ${max}; by default ${byDefault}.`,
  )

/** `next` of a list in the order of ids. */
export const nextIdField = nullable(z.int(), '`after` of the next page; null on the last one.')

/** Characters of a text that a list is searched for. */
export const MAX_SEARCH_LENGTH = 200

export const searchField = (description: string, example: string) =>
  optional(z.string().max(MAX_SEARCH_LENGTH), description, example)
