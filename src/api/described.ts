import { z } from 'zod'

/** A field with what the reference says of it: a sentence, and examples. */
export const field = <Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: readonly unknown[]
): Schema =>
  schema.meta(examples.length > 0 ? { description, examples: [...examples] } : { description })

/** A field that needs no sentence besides examples. */
export const exampled = <Schema extends z.ZodType>(
  schema: Schema,
  ...examples: readonly unknown[]
): Schema => schema.meta({ examples: [...examples] })

/** A field that may be left out. */
export const optional = <Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: readonly unknown[]
) => field(z.optional(schema), description, ...examples)

/** A field that may be null. */
export const nullable = <Schema extends z.ZodType>(
  schema: Schema,
  description: string,
  ...examples: readonly unknown[]
) => field(z.nullable(schema), description, ...examples)
