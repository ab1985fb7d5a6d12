import type { oas31 } from 'zod-openapi'

/** A JSON Schema. */
export type JsonSchema = { readonly [keyword: string]: unknown }

type Schema = oas31.SchemaObject | oas31.ReferenceObject

const COMPONENTS = '#/components/schemas/'

/** The input and the output of an operation of the OpenAPI document, as schemas that need nothing else of the document. */
export function schemasOf(document: oas31.OpenAPIObject, operation: oas31.OperationObject) {
  return {
    input: selfContained(document, inputOf(operation)),
    output: selfContained(document, responseOf(operation)),
  }
}

/** A schema with what it refers to in `$defs`. */
export function selfContained(document: oas31.OpenAPIObject, schema: JsonSchema): JsonSchema {
  const definitions: Record<string, JsonSchema> = {}
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, part]) => {
        if (name !== '$ref' || typeof part !== 'string') return [name, copy(part)]
        const id = part.slice(COMPONENTS.length)
        if (!(id in definitions)) {
          definitions[id] = {}
          definitions[id] = copy(document.components?.schemas?.[id] ?? {}) as JsonSchema
        }
        return [name, `#/$defs/${id}`]
      }),
    )
  }
  const copied = copy(schema) as JsonSchema
  return Object.keys(definitions).length > 0 ? { ...copied, $defs: definitions } : copied
}

/** Parameters of the path and the query by name, and `body`. */
function inputOf({ parameters = [], requestBody }: oas31.OperationObject): JsonSchema {
  const sent = parameters.filter(
    (parameter): parameter is oas31.ParameterObject =>
      'in' in parameter && ['path', 'query'].includes(parameter.in),
  )
  const properties: Record<string, unknown> = Object.fromEntries(
    sent
      .filter(({ schema }) => !isDeprecated(schema))
      .map(({ name, description, schema }) => [name, { ...schema, description }]),
  )
  const required = sent.filter(({ required }) => required).map(({ name }) => name)
  const body = requestBody && 'content' in requestBody ? requestBody : undefined
  const media = body?.content['application/json']
  if (media?.schema) {
    const { example } = media
    const schema = bodyOf(media.schema)
    properties.body = { ...schema, ...(example === undefined ? {} : { examples: [example] }) }
    if (Array.isArray(schema.required) && schema.required.length > 0) required.push('body')
  }
  return { type: 'object', properties, required, additionalProperties: false }
}

/** The body without deprecated fields, and without `dry_run` and `plan`: the server plans every write itself. */
function bodyOf(schema: Schema): JsonSchema {
  if (!('properties' in schema) || !schema.properties) return { ...schema }
  const fields = Object.entries(schema.properties).filter(
    ([name, field]) => !isDeprecated(field) && name !== 'dry_run' && name !== 'plan',
  )
  return { ...schema, properties: Object.fromEntries(fields) }
}

const isDeprecated = (schema: Schema | undefined): boolean =>
  schema !== undefined && 'deprecated' in schema && schema.deprecated === true

function responseOf({ responses = {} }: oas31.OperationObject): JsonSchema {
  const success = responses['200']
  const media = success && 'content' in success ? success.content?.['application/json'] : undefined
  // Clients expect an object, also around alternatives.
  return { type: 'object', ...media?.schema }
}
