import { z } from 'zod'
import type { Endpoint, EndpointCommand } from '../src/api/endpoint.ts'
import { contentWrites } from '../src/api/endpoints/batch.ts'
import { endpoints } from '../src/api/endpoints.ts'
import type { DerivedCommand, DerivedField } from '../src/cli/derived/description.ts'
import type { clientDocument } from './client-document.ts'

type Schema = {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly properties?: Record<string, Schema>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly maximum?: number
  readonly examples?: readonly unknown[]
  readonly 'x-rare'?: boolean
}

type Parameter = {
  readonly in: string
  readonly name: string
  readonly required?: boolean
  readonly schema: Schema
}

type Operation = {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> }
}

/** Fields that the command itself knows. */
const OWN_FIELDS = new Set(['site_id', 'dry_run', 'after', 'cursor', 'limit'])

/** The text of `src/cli/derived/commands.ts`: the commands that the descriptions of endpoints name. */
export function derivedCommands(document: Awaited<ReturnType<typeof clientDocument>>): string {
  const operations = new Map(
    Object.values(document.paths ?? {}).flatMap((methods) =>
      Object.values(methods).map((operation) => {
        const one = operation as unknown as Operation
        return [one.operationId, one] as const
      }),
    ),
  )
  const resolve = (schema: Schema): Schema => {
    const name = schema.$ref?.split('/').at(-1)
    return name === undefined
      ? schema
      : ((document.components?.schemas?.[name] as Schema | undefined) ?? schema)
  }
  const commands = new Map<string, DerivedCommand>()
  for (const endpoint of endpoints) {
    const { command, on, name } = endpoint
    const operation = operations.get(name)
    if (!command || !operation) continue
    const other = commands.get(command.name)
    const made = commandOf(endpoint, command, fieldsOf(operation, resolve))
    commands.set(command.name, other ? { ...other, [on]: name } : made)
  }
  const sorted = [...commands.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  return `import type { DerivedCommand } from './description.ts'

/** The commands that equal an endpoint, made from the descriptions of the endpoints. */
export const DERIVED_COMMANDS: readonly DerivedCommand[] = ${printed(sorted)}
`
}

/** As JSON with a line for each field and for each list of texts. */
const printed = (commands: readonly DerivedCommand[]): string =>
  JSON.stringify(commands, null, 2)
    .replace(/\[\n\s*("[^[\]{}]*")\n\s*\]/g, (_, texts: string) => `[${inLine(texts)}]`)
    .replace(/\{\n\s*("[^{}]*)\n\s*\}/g, (_, fields: string) => `{ ${inLine(fields)} }`)

const inLine = (text: string): string => text.replace(/\n\s*/g, ' ')

type Field = DerivedField & { readonly isRequired: boolean; readonly isRare: boolean }

function commandOf(
  endpoint: Endpoint,
  { args = [], options = {}, summary, list, ...command }: EndpointCommand,
  fields: readonly Field[],
): DerivedCommand {
  const { on, name, method, path } = endpoint
  const prefix = { site: '/site/<id>', network: '/network', caller: '' }[on]
  const isArgument = (name: string) => args.some((text) => text.split(':', 1)[0] === name)
  const named = (field: Field): DerivedField => {
    const { isRequired: _, isRare: __, ...derived } = field
    const flag = options[field.field]
    return { ...derived, flag: typeof flag === 'string' ? flag : field.flag }
  }
  return {
    ...command,
    ...(list && { list: { ...list, others: otherFields(endpoint, list) } }),
    [on]: name,
    summary: summary ?? decapitalized(endpoint.summary),
    request: `${method.toUpperCase()} ${prefix}${path.replace(/:(\w+)/g, '<$1>')}`,
    isWrite: method !== 'get',
    isContentWrite: contentWrites.includes(endpoint),
    args: args.map((text) => {
      const [wanted, shown = wanted] = text.split(':')
      const field = fields.find((one) => one.field === wanted)
      if (!field) throw new Error(`${name} has no field "${wanted}".`)
      return { ...named(field), flag: shown ?? '' }
    }),
    options: fields
      .filter(({ field, isRare }) => !isArgument(field) && options[field] !== false && !isRare)
      .map((field) => ({ ...named(field), ...(field.isRequired ? { isRequired: true } : {}) })),
  }
}

/** The fields of the rows of a list that it does not show: those that every row has, and that are no objects or lists of objects. */
function otherFields(
  { name, response }: Endpoint,
  { rows, shown }: NonNullable<EndpointCommand['list']>,
): string[] {
  const list = response instanceof z.ZodObject ? response.shape[rows] : undefined
  const row = list instanceof z.ZodArray ? list.element : undefined
  if (!(row instanceof z.ZodObject)) throw new Error(`${name} has no list "${rows}".`)
  const known = shown.map((text) => /^\w+/.exec(text)?.[0])
  return Object.entries(row.shape).flatMap(([field, schema]) =>
    known.includes(field) || isNested(schema) ? [] : field,
  )
}

function isNested(schema: unknown): boolean {
  const value = schema instanceof z.ZodArray ? schema.element : schema
  return value instanceof z.ZodObject || value instanceof z.ZodOptional
}

const decapitalized = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)

function fieldsOf(
  { parameters = [], requestBody }: Operation,
  resolve: (schema: Schema) => Schema,
): Field[] {
  const body = resolve(requestBody?.content['application/json']?.schema ?? {})
  const required = new Set(body.required)
  return [
    ...parameters
      .filter((one) => one.in !== 'header')
      .flatMap((one) =>
        fieldOf(one.name, one.in === 'path' ? 'path' : 'query', resolve(one.schema), {
          isRequired: one.required === true,
        }),
      ),
    ...Object.entries(body.properties ?? {})
      // What may be in both is sent in the query.
      .filter(([name]) => !parameters.some((one) => one.in !== 'header' && one.name === name))
      .flatMap(([name, schema]) =>
        fieldOf(name, 'body', resolve(schema), { isRequired: required.has(name) }),
      ),
  ]
}

/** A field that a text can give; none for one of another type. */
function fieldOf(
  name: string,
  within: DerivedField['in'],
  whole: Schema,
  { isRequired }: Pick<Field, 'isRequired'>,
): Field[] {
  const schema = whole.anyOf?.find(({ type }) => type !== 'null') ?? whole
  const types = [schema.type ?? 'string'].flat().filter((type) => type !== 'null')
  const item = schema.items
  const isOfSites = name === 'sites' && item?.type === 'integer'
  const isList = types.includes('array') && (item?.type === 'string' || isOfSites)
  const isText = types.every((type) => ['string', 'integer', 'boolean', 'number'].includes(type))
  if (OWN_FIELDS.has(name) || !(isList || isText)) return []
  // The paths of requests are texts.
  const isId = within === 'path' && /^\d+$/.test(String(whole.examples?.[0]))
  const choices = (item ?? schema).enum?.filter((value) => typeof value === 'string')
  const { description = '' } = whole
  return [
    {
      field: name,
      in: within,
      flag: name.replaceAll('_', '-'),
      type: isList
        ? 'list'
        : types.length > 1
          ? 'text or number'
          : isId
            ? 'id'
            : typeOf(name, types[0], schema),
      ...(isOfSites ? { isOfSites } : {}),
      ...(schema.default === true ? { isOn: true } : {}),
      ...(choices && choices.length > 0 ? { choices: choices.map(String) } : {}),
      description: firstSentence(description),
      isRequired,
      isRare: whole['x-rare'] === true,
    },
  ]
}

function typeOf(name: string, type = 'string', schema: Schema): DerivedField['type'] {
  if (type === 'boolean') return schema.default === undefined ? 'boolean' : 'flag'
  if (name.endsWith('_at')) return 'time'
  return type === 'string' ? 'text' : 'number'
}

/** As the help of a command has it: plain, without a full stop. */
function firstSentence(description: string): string {
  const [sentence = ''] = description.replaceAll('`', '').split(/\.(?:\s|$)/, 1)
  return decapitalized(sentence)
}
