import type { z } from 'zod'
import type { ResponseOf } from './endpoint.ts'

/** The names of the fields, by schema: a list has thousands of rows. */
const fields = new WeakMap<object, readonly string[]>()

function fieldsOf(schema: z.ZodObject): readonly string[] {
  const known = fields.get(schema)
  if (known) return known
  const names = Object.keys(schema.shape)
  fields.set(schema, names)
  return names
}

/** What a response has of a row: the fields of its schema, in their order. */
export function pick<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  row: ResponseOf<z.ZodObject<Shape>>,
): ResponseOf<z.ZodObject<Shape>> {
  const picked: Record<string, unknown> = {}
  for (const name of fieldsOf(schema))
    if (Object.hasOwn(row, name)) picked[name] = Reflect.get(row, name)
  return picked as typeof row
}
