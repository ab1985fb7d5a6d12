import { z } from 'zod'
import type { Endpoint } from '../endpoint.ts'
import { ITEM_INPUT_SCHEMA } from '../endpoints/menu-fields.ts'
import { sitePath } from '../fields.ts'

/** A JSON Schema. */
export type JsonSchema = { readonly [keyword: string]: unknown }

/**
 * The arguments of a tool: the parameters of the path and the query, and the fields of the body, beside each other. A name that both the query and
 * the body have means the same in them. There is no output schema: those of all tools are three times as long as their inputs, and models read results
 * without them.
 */
export function inputSchemaOf(endpoint: Endpoint) {
  const { on, params, query, body, mcpRunsDirectly, mcpLeavesOut } = endpoint
  const sent = jsonSchemaOf(
    z.object({ ...(on === 'site' ? sitePath : {}), ...params.shape, ...query.shape }),
  )
  const { properties = {}, required = [] } = body ? jsonSchemaOf(body) : {}
  // A tool that plans has neither of them: the server plans every write itself.
  const { dry_run: dryRun, plan: _, ...fields } = properties
  const hasDryRun = mcpRunsDirectly === 'writes' && dryRun !== undefined
  const input = withoutUnneeded({
    type: 'object',
    properties: {
      ...sent.properties,
      ...fields,
      ...(mcpRunsDirectly && dryRun
        ? { dry_run: hasDryRun ? { ...Object(dryRun), default: true } : dryRun }
        : {}),
      ...(mcpLeavesOut.length > 0 ? { [FULL]: fullField(mcpLeavesOut) } : {}),
    },
    required: [...(sent.required ?? []), ...required],
    additionalProperties: false,
  })
  return { input: selfContained(input), hasDryRun }
}

/** What a client may send. */
const jsonSchemaOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    // Where zod leaves out a default, because the value is transformed, the schema says it in `override`, as the OpenAPI document reads it.
    override: ({ jsonSchema }) => {
      Object.assign(jsonSchema, jsonSchema.override)
      delete jsonSchema.override
    },
  })

/** The argument with which a client asks for the fields that a list leaves out. */
export const FULL = 'full'

const fullField = (paths: readonly string[]): JsonSchema => ({
  type: 'boolean',
  default: false,
  description: `Include also ${paths.map((path) => `\`${path.split('.').at(-1)}\``).join(', ')}.`,
})

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

/** Each field costs tokens in each list of tools: those that models rarely need, and other names of the same, are in the reference only. */
const isUnneeded = (field: unknown): boolean =>
  Object(field)['x-rare'] === true || Object(field).deprecated === true

/** @param isMap its names are those of fields, not keywords */
function withoutUnneeded<Value>(value: Value, isMap = false): Value {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((part) => withoutUnneeded(part)) as Value
  const kept = Object.entries(value).filter(([name, part]) =>
    isMap ? !isUnneeded(part) : !CHECKED.has(name),
  )
  return Object.fromEntries(
    kept.map(([name, part]) => [name, withoutUnneeded(part, !isMap && name === 'properties')]),
  ) as Value
}

/** Where the OpenAPI document has the schemas that others refer to. */
const COMPONENTS = '#/components/schemas/'
const DEFINITIONS = { MenuItemInput: withoutUnneeded(ITEM_INPUT_SCHEMA) }

/** A schema with what it refers to. */
function selfContained(schema: JsonSchema): JsonSchema {
  if (!JSON.stringify(schema).includes(COMPONENTS)) return schema
  const text = JSON.stringify({ ...schema, $defs: DEFINITIONS })
  return JSON.parse(text.replaceAll(COMPONENTS, '#/$defs/'))
}
