import type { oas31 } from 'zod-openapi'
import type { Endpoint } from '../api/endpoint.ts'

/** A JSON Schema. */
export type JsonSchema = { readonly [keyword: string]: unknown }

type Schema = oas31.SchemaObject | oas31.ReferenceObject

const COMPONENTS = '#/components/schemas/'

/**
 * The input of an operation of the OpenAPI document, as a schema that needs nothing else of the document. It has no output schema: those of all tools
 * are three times as long as their inputs, and models read results without them.
 */
export function inputSchemaOf(
  document: oas31.OpenAPIObject,
  operation: oas31.OperationObject,
  { mcpRunsDirectly, mcpLeavesOut }: Pick<Endpoint, 'mcpRunsDirectly' | 'mcpLeavesOut'>,
) {
  const body = bodyOf(operation, mcpRunsDirectly)
  const full: Record<string, JsonSchema> =
    mcpLeavesOut.length > 0 ? { [FULL]: fullField(mcpLeavesOut) } : {}
  return {
    input: selfContained(document, inputOf(operation, body, full)),
    hasDryRun: mcpRunsDirectly === 'writes' && 'dry_run' in Object(body?.properties),
  }
}

/** The argument with which a client asks for the fields that a list leaves out. */
export const FULL = 'full'

const fullField = (paths: readonly string[]): JsonSchema => ({
  type: 'boolean',
  default: false,
  description: `Include also ${paths.map((path) => `\`${path.split('.').at(-1)}\``).join(', ')}.`,
})

/** The names of all fields of a body, also of deprecated ones. */
export const bodyFieldsOf = (operation: oas31.OperationObject): readonly string[] =>
  Object.keys(Object(Object(requestSchemaOf(operation).schema).properties))

/** What the API checks itself, with an error that says it. Models take nothing else from these keywords, so the list of tools has them not. */
const CHECKED = new Set([
  'pattern',
  'propertyNames',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
])

/** Fields that models rarely need cost tokens in each list of tools: a schema with this keyword is in the reference only. */
const isRare = (schema: unknown): boolean => Object(schema)['x-rare'] === true

/** A schema with what it refers to in `$defs`, without what the API checks. */
function selfContained(document: oas31.OpenAPIObject, schema: JsonSchema): JsonSchema {
  const definitions: Record<string, JsonSchema> = {}
  const copy = (value: unknown, isMap = false): unknown => {
    if (Array.isArray(value)) return value.map((part) => copy(part))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, part]) => {
        // The names in a map are those of fields.
        if (isMap ? isRare(part) : CHECKED.has(name)) return []
        if (name !== '$ref' || typeof part !== 'string')
          return [[name, copy(part, !isMap && name === 'properties')]]
        const id = part.slice(COMPONENTS.length)
        if (!(id in definitions)) {
          definitions[id] = {}
          definitions[id] = copy(document.components?.schemas?.[id] ?? {}) as JsonSchema
        }
        return [[name, `#/$defs/${id}`]]
      }),
    )
  }
  const copied = copy(schema) as JsonSchema
  return Object.keys(definitions).length > 0 ? { ...copied, $defs: definitions } : copied
}

/**
 * The arguments: the parameters of the path and the query, and the fields of the body, beside each other. A name that both the query and the body have
 * means the same in them, and is the parameter of the query.
 */
function inputOf(
  { parameters = [] }: oas31.OperationObject,
  body: JsonSchema | undefined,
  more: Readonly<Record<string, JsonSchema>>,
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
  return {
    type: 'object',
    properties: { ...properties, ...Object(body?.properties), ...properties, ...more },
    required: [...required, ...(Array.isArray(body?.required) ? body.required : [])],
    additionalProperties: false,
  }
}

const requestSchemaOf = ({ requestBody }: oas31.OperationObject) => {
  const content = requestBody && 'content' in requestBody ? requestBody.content : {}
  return content['application/json'] ?? {}
}

/** The body without deprecated fields. A tool that plans has no `dry_run` and `plan`: the server plans every write itself. */
function bodyOf(
  operation: oas31.OperationObject,
  mcpRunsDirectly: Endpoint['mcpRunsDirectly'],
): JsonSchema | undefined {
  const { schema } = requestSchemaOf(operation)
  if (!schema) return undefined
  const {
    dry_run: dryRun,
    plan: _,
    ...others
  } = ('properties' in schema && schema.properties) || {}
  const fields = Object.entries(others).filter(([, field]) => !isDeprecated(field))
  const byDefault = mcpRunsDirectly === 'writes' ? { default: true } : {}
  const kept = mcpRunsDirectly && dryRun ? { dry_run: { ...dryRun, ...byDefault } } : {}
  return { ...schema, properties: { ...Object.fromEntries(fields), ...kept } }
}

const isDeprecated = (schema: Schema | undefined): boolean =>
  schema !== undefined && 'deprecated' in schema && schema.deprecated === true
