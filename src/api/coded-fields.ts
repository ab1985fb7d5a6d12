import { z } from 'zod'
import { AppError } from '../host/errors.ts'

/**
 * A field that takes every value. Who uses it says why: what is ignored, what is refused, or what the endpoint of a part validates.
 * @param documented the JSON Schema of the field in the document
 */
export function rawField(documented: z.core.JSONSchema.BaseSchema) {
  return z.unknown().optional().meta(documented)
}

/** A field that is described like this one, and that the endpoint of a part of the request validates: its errors name the part. */
export const fieldOfPart = (field: z.ZodType) => rawField(describeInput(field))

/** The JSON Schema of what a client may send. Of what is transformed, zod leaves out the examples; and it limits integers, as the document does not. */
export function describeInput(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const { examples, override } = z.globalRegistry.get(zodSchema) ?? {}
      Object.assign(jsonSchema, examples && { examples }, override)
      delete jsonSchema.override
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
    },
  })
  return json
}

/** A field that is read in some way before it is validated, like `z.preprocess`, and described with its examples. */
export const preprocessed = <Field extends z.ZodType>(
  read: (sent: unknown) => unknown,
  field: Field,
) => rawField(describeInput(field)).transform(read).pipe(field)

/** What is wrong with a value, and where it is within the request. */
type Fault = { readonly at: string; readonly reason: string }

/** The error of the contract for all faults of the fields that have it. */
export type Refuse = (faults: readonly Fault[]) => AppError

/** A field whose invalid values have an error of the contract instead of `rest_invalid_param`. */
export const coded = <Schema extends z.ZodType>(schema: Schema, refuse: Refuse) =>
  rawField(describeInput(schema)).transform((value, context): z.output<Schema> => {
    const parsed = schema.safeParse(value)
    if (parsed.success) return parsed.data
    for (const issue of parsed.error.issues)
      context.addIssue({ params: { refuse }, ...issue, code: 'custom' })
    return z.NEVER
  })

/** A transformation with a rule of the domain, whose errors are those of the contract. */
export const byRule =
  <Sent, Read>(read: (sent: Sent) => Read) =>
  (sent: Sent, context: z.RefinementCtx): Read => {
    try {
      return read(sent)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      context.addIssue({ code: 'custom', message: error.message, params: { refuse: () => error } })
      return z.NEVER
    }
  }

/** The error of the contract for an issue of `coded` or `byRule`; undefined for any other issue. */
export const refusalOf = (issue: z.core.$ZodIssue): Refuse | undefined =>
  issue.code === 'custom' ? issue.params?.refuse : undefined
