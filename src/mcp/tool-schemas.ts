import type { oas31 } from 'zod-openapi'
import type { DocumentedEndpoint } from '../api/endpoint.ts'

/** A JSON Schema. */
export type JsonSchema = { readonly [keyword: string]: unknown }

type Schema = oas31.SchemaObject | oas31.ReferenceObject

const COMPONENTS = '#/components/schemas/'

/**
 * The input and the output of an operation of the OpenAPI document, as schemas that need nothing else of the document.
 * @param mcpRunsDirectly what the tool does at once; one that writes has `dry_run`, and it is true by default
 */
export function schemasOf(
  document: oas31.OpenAPIObject,
  operation: oas31.OperationObject,
  mcpRunsDirectly: DocumentedEndpoint['mcpRunsDirectly'],
) {
  const body = bodyOf(operation, mcpRunsDirectly)
  return {
    input: selfContained(document, inputOf(operation, body)),
    output: selfContained(document, responseOf(operation)),
    hasDryRun: mcpRunsDirectly === 'writes' && 'dry_run' in Object(body?.properties),
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
function inputOf(
  { parameters = [] }: oas31.OperationObject,
  body: JsonSchema | undefined,
): JsonSchema {
  const sent = parameters.filter(
    (parameter): parameter is oas31.ParameterObject =>
      'in' in parameter && ['path', 'query'].includes(parameter.in),
  )
  const properties = Object.fromEntries(
    sent
      .filter(({ schema }) => !isDeprecated(schema))
      .map(({ name, description, schema }) => [name, { ...schema, description }]),
  )
  const required = sent.filter(({ required }) => required).map(({ name }) => name)
  const needsBody = Array.isArray(body?.required) && body.required.length > 0
  return {
    type: 'object',
    properties: { ...properties, ...(body ? { body } : {}) },
    required: [...required, ...(needsBody ? ['body'] : [])],
    additionalProperties: false,
  }
}

/** The body without deprecated fields. A tool that plans has no `dry_run` and `plan`: the server plans every write itself. */
function bodyOf(
  { requestBody }: oas31.OperationObject,
  mcpRunsDirectly: DocumentedEndpoint['mcpRunsDirectly'],
): JsonSchema | undefined {
  const content = requestBody && 'content' in requestBody ? requestBody.content : {}
  const { schema, example } = content['application/json'] ?? {}
  if (!schema) return undefined
  const {
    dry_run: dryRun,
    plan: _,
    ...others
  } = ('properties' in schema && schema.properties) || {}
  const fields = Object.entries(others).filter(([, field]) => !isDeprecated(field))
  const byDefault = mcpRunsDirectly === 'writes' ? { default: true } : {}
  const kept = mcpRunsDirectly && dryRun ? { dry_run: { ...dryRun, ...byDefault } } : {}
  return {
    ...schema,
    ...(fields.length > 0 ? { properties: { ...Object.fromEntries(fields), ...kept } } : {}),
    ...(example === undefined ? {} : { examples: [example] }),
  }
}

const isDeprecated = (schema: Schema | undefined): boolean =>
  schema !== undefined && 'deprecated' in schema && schema.deprecated === true

function responseOf({ responses = {} }: oas31.OperationObject): JsonSchema {
  const success = responses['200']
  const media = success && 'content' in success ? success.content?.['application/json'] : undefined
  // Clients expect an object, also around alternatives.
  return { type: 'object', ...media?.schema }
}
