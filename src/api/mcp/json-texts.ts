import type { JsonSchema } from './tool-schemas.ts'

/**
 * An argument as its schema describes it. Some models and frameworks send lists and objects as texts of JSON: where the schema wants one, such a text is
 * read. A text that is none is refused later, like each value of a wrong type.
 * @param schema of the argument
 * @param root the schema of all arguments, whose `$defs` the others refer to
 */
export function readJsonTexts(value: unknown, schema: JsonSchema, root: JsonSchema): unknown {
  const options = optionsOf(schema, root)
  const read = typeof value === 'string' ? parseAs(value, options) : value
  if (Array.isArray(read)) {
    const items = options.map((option) => option.items).find(isSchema)
    return items ? read.map((one) => readJsonTexts(one, items, root)) : read
  }
  if (typeof read !== 'object' || read === null) return read
  const properties = Object.assign({}, ...options.map((option) => option.properties)) as JsonSchema
  return Object.fromEntries(
    Object.entries(read).map(([name, one]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, isSchema(property) ? readJsonTexts(one, property, root) : one]
    }),
  )
}

/** The list or object in a text, if one of the schemas wants it. */
function parseAs(text: string, options: readonly JsonSchema[]): unknown {
  const [, begin] = /^\s*([[{])/.exec(text) ?? []
  const wanted = begin === '[' ? 'array' : 'object'
  if (begin === undefined || !options.some(({ type }) => typesIn(type).includes(wanted)))
    return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const typesIn = (type: unknown): readonly unknown[] => (Array.isArray(type) ? type : [type])

/** The schemas of which a value has to match one, without references and unions. */
function optionsOf(schema: JsonSchema, root: JsonSchema): JsonSchema[] {
  const { $ref: reference, anyOf, oneOf, allOf } = schema
  const referred =
    typeof reference === 'string'
      ? Object(root.$defs)[reference.slice('#/$defs/'.length)]
      : undefined
  const parts = [referred, ...listOf(anyOf), ...listOf(oneOf), ...listOf(allOf)].filter(isSchema)
  return [schema, ...parts.flatMap((part) => optionsOf(part, root))]
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null
