import type { z } from 'zod'
import type { PlannedInput } from '../../content/planned-writes/planned-writes-table.ts'
import { AppError } from '../../host/errors.ts'
import { findSimilar } from '../../host/similar.ts'
import { JsonValues } from '../request-body.ts'
import { fieldNames } from '../sent-fields.ts'
import { FULL, type JsonSchema } from './tool-schemas.ts'
import type { ApiTool } from './tools.ts'

/** What an endpoint is sent, and its site. */
export type ToolInput = PlannedInput & { readonly siteId: string }

/** The arguments of a call, as a client sent them. */
export type Arguments = Readonly<Record<string, unknown>>

/**
 * What the endpoint of a tool would be sent over HTTP. Parameters of the path and the query are texts there. All other arguments are fields of the body.
 * @throws AppError `rest_invalid_param` for an argument that the tool does not have
 */
export function inputOf(tool: ApiTool, args: Arguments): ToolInput {
  const { endpoint, hasDryRun, definition } = tool
  const sent = readJsonTexts(args, definition.inputSchema, definition.inputSchema) as Arguments
  const { params, query } = endpoint
  // Also deprecated ones.
  const bodyFields = new Set(fieldNames(endpoint.body))
  const isParameter = (name: string) => name in params.shape || name in query.shape
  const known = new Set([
    ...(endpoint.on === 'site' ? ['site_id'] : []),
    ...Object.keys(params.shape),
    // A tool cannot end with its client, as a request does that waits for changes.
    ...Object.keys(query.shape).filter((name) => !endpoint.events || name !== 'wait'),
    ...bodyFields,
    ...(endpoint.mcpLeavesOut.length > 0 ? [FULL] : []),
  ])
  assertKnown(tool, known, args)
  const pick = (shape: object) =>
    Object.fromEntries(
      Object.entries(sent)
        .filter(([name, value]) => name in shape && value !== undefined && value !== null)
        .map(([name, value]) => [name, Array.isArray(value) ? value.map(textOf) : textOf(value)]),
    )
  const fields = Object.entries(sent).filter(([name]) => bodyFields.has(name) && !isParameter(name))
  return {
    siteId: textOf(sent.site_id),
    params: pick(params.shape),
    query: { ...endpoint.mcpQuery, ...pick(query.shape) },
    body: endpoint.body && {
      ...(hasDryRun ? { dry_run: true } : {}),
      ...Object.fromEntries(fields),
    },
  }
}

/** A parameter of a path or a query is a text. An object has none, or one that its sender has made up. */
const textOf = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value)

/**
 * Whether the client wants all fields of a result.
 * @throws AppError `rest_invalid_param`
 */
export function wantsAllFields({ [FULL]: full = false }: Arguments): boolean {
  const spelling = typeof full === 'string' ? full.toLowerCase() : full
  if (spelling === true || spelling === 'true') return true
  if (spelling === false || spelling === 'false') return false
  throw invalidArguments({ [FULL]: 'must be true or false' })
}

function assertKnown({ definition }: ApiTool, known: ReadonlySet<string>, sent: Arguments): void {
  const unknown = Object.keys(sent).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  // Deprecated arguments are taken, but not suggested.
  const offered = Object.keys(definition.inputSchema.properties ?? {})
  throw invalidArguments(
    Object.fromEntries(unknown.map((name) => [name, describeUnknown(name, offered)])),
  )
}

function describeUnknown(name: string, offered: readonly string[]): string {
  // Agents may have learned the former arguments.
  if (name === 'body') return 'is not an argument: send each of its fields as an argument'
  const nearest = nearestOf(name, offered)
  if (nearest !== undefined) return `is not known. Do you mean \`${nearest}\`?`
  if (offered.length === 0) return 'is not known: this tool takes no arguments'
  return `is not known. This tool takes ${offered.map((one) => `\`${one}\``).join(', ')}.`
}

/** The name that is similar, or that contains the other one. */
const nearestOf = (name: string, offered: readonly string[]): string | undefined =>
  findSimilar(name, offered) ?? offered.find((one) => one.includes(name) || name.includes(one))

/** @throws AppError `rest_invalid_param` */
export function parseArguments<Schema extends z.ZodType>(
  schema: Schema,
  sent: Arguments,
): z.output<Schema> {
  const parsed = schema.safeParse(sent)
  if (parsed.success) return parsed.data
  throw invalidArguments(
    Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])),
  )
}

/** The error for these arguments. @param params what is wrong with each */
export function invalidArguments(params: Readonly<Record<string, string>>): AppError {
  const names = Object.keys(params).join(', ')
  return new AppError(
    'rest_invalid_param',
    `Invalid argument(s): ${names}. See params for what each takes.`,
    { params },
  )
}

/**
 * An argument as its schema describes it. Some models and frameworks send lists and objects as texts of JSON: where the schema wants one, such a text is
 * read. A text that is none is refused later, like each value of a wrong type.
 * @param schema of the argument
 * @param root the schema of all arguments, whose `$defs` the others refer to
 * @throws AppError `rest_body_too_large` for as many values in texts as no body may have
 */
function readJsonTexts(
  value: unknown,
  schema: JsonSchema,
  root: JsonSchema,
  values = new JsonValues(),
): unknown {
  const options = optionsOf(schema, root)
  const read = typeof value === 'string' ? parseAs(value, options, values) : value
  if (Array.isArray(read)) {
    const items = options.map((option) => option.items).find(isSchema)
    return items ? read.map((one) => readJsonTexts(one, items, root, values)) : read
  }
  if (typeof read !== 'object' || read === null) return read
  const properties = Object.assign({}, ...options.map((option) => option.properties)) as JsonSchema
  return Object.fromEntries(
    Object.entries(read).map(([name, one]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined
      return [name, isSchema(property) ? readJsonTexts(one, property, root, values) : one]
    }),
  )
}

/** The list or object in a text, if one of the schemas wants it. */
function parseAs(text: string, options: readonly JsonSchema[], values: JsonValues): unknown {
  const [, begin] = /^\s*([[{])/.exec(text) ?? []
  const wanted = begin === '[' ? 'array' : 'object'
  if (begin === undefined || !options.some(({ type }) => typesIn(type).includes(wanted)))
    return text
  values.countText(text)
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
