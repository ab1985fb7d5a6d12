import { z } from 'zod'
import { AppError } from '../host/errors.ts'
import { findSimilar } from '../host/similar.ts'

/** Parameters with which the addressing of old clients names the site and the endpoint: a web server may pass `rest_route` on beside the path that it contains. */
const ADDRESS_PARAMETERS = ['blog_id', 'domain', 'site_id', 'rest_route']
/** Names beyond these are counted, not listed. */
const MAX_NAMED = 10
const MAX_NAME_LENGTH = 100

/** What an endpoint is sent, before it is validated. */
export type Sent = { readonly query: unknown; readonly body: unknown }

/** The names of the fields that a schema describes; none for a schema of anything else than an object. */
export function fieldNames(schema: z.ZodType | undefined): readonly string[] {
  if (!schema) return []
  const { properties } = (schema.meta() ?? {}) as { readonly properties?: object }
  if (properties) return Object.keys(properties)
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape)
  if (schema instanceof z.ZodPipe) {
    const { in: before, out: after } = schema.def as unknown as Record<'in' | 'out', z.ZodType>
    return [...fieldNames(before), ...fieldNames(after)]
  }
  return []
}

/** The fields that a request may contain. */
export type KnownFields = {
  readonly query: ReadonlySet<string>
  readonly body: ReadonlySet<string>
}

/**
 * What a request of an old client means: WordPress merges the query and the body (WP_REST_Request::get_param), and the body wins.
 * @param known fields of the body
 */
export function mergeSent({ query, body }: Sent, known: KnownFields): Sent {
  const inQuery = Object.entries(Object(query)).filter(
    ([name]) => known.body.has(name) && !Object.hasOwn(Object(body), name),
  )
  const isObject = typeof body === 'object' && body !== null
  if (inQuery.length === 0 || (isObject && Array.isArray(body) && body.length > 0))
    return { query, body }
  if (body !== undefined && body !== null && !isObject) return { query, body }
  return { query, body: { ...Object.fromEntries(inQuery), ...(Array.isArray(body) ? {} : body) } }
}

/** The names of the fields of a query or a body; none of anything else than an object. */
const namesIn = (fields: unknown): string[] =>
  typeof fields === 'object' && fields !== null && !Array.isArray(fields) ? Object.keys(fields) : []

/** The names of what a request contains and the endpoint does not know, wherever it is. */
function unknownNames({ query, body }: Sent, known: KnownFields): string[] {
  const names = new Set([...namesIn(query), ...namesIn(body)])
  return [...names].filter(
    (name) => !known.query.has(name) && !known.body.has(name) && !ADDRESS_PARAMETERS.includes(name),
  )
}

/** A warning for each field that a request contains and the service does not use, with the name that was perhaps meant. */
export function unusedFields(sent: Sent, known: KnownFields): string[] {
  const names = unknownNames(sent, known)
  const warnings = names
    .slice(0, MAX_NAMED)
    .map((name) => fieldIgnored(name, [...known.body, ...known.query]))
  const more = names.length - MAX_NAMED
  return more > 0 ? [...warnings, `field_ignored: ${more} more fields`] : warnings
}

/** @param known names that were perhaps meant */
export function fieldIgnored(name: string, known: Iterable<string> = []): string {
  return `field_ignored: "${name.slice(0, MAX_NAME_LENGTH)}" is not used.${suggestion(name, known)}`
}

/** @param rule what the parameter must be, after "It" */
export const invalidParam = (name: string, rule: string): AppError =>
  invalidParams({ [name]: rule }, `It ${rule}.`)

/**
 * @param params what each parameter must be
 * @param advice the end of the message
 */
export const invalidParams = (
  params: Readonly<Record<string, string>>,
  advice = 'See data.params for what each takes.',
): AppError =>
  new AppError(
    'rest_invalid_param',
    `Invalid parameter(s): ${Object.keys(params).join(', ')}. ${advice}`,
    { params },
  )

/** @throws AppError `rest_invalid_param` with each field that the endpoint does not know, or that is in the query instead of the body */
export function refuseUnused(sent: Sent, known: KnownFields): void {
  const all = [...known.body, ...known.query]
  const misplaced = namesIn(sent.query).filter(
    (name) => known.body.has(name) && !known.query.has(name),
  )
  const reasons = [
    ...unknownNames(sent, known).map(
      (name) => [name, `is not a field of this request.${suggestion(name, all)}`] as const,
    ),
    ...misplaced.map((name) => [name, 'must be in the body, not in the query.'] as const),
  ].slice(0, MAX_NAMED)
  if (reasons.length === 0) return
  throw invalidParams(
    Object.fromEntries(reasons.map(([name, reason]) => [name.slice(0, MAX_NAME_LENGTH), reason])),
    'See data.params for what is known.',
  )
}

function suggestion(name: string, known: Iterable<string>): string {
  const plain = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const names = [...known]
  const same = names.find((one) => plain(one) === plain(name))
  const similar = same ?? (name.length <= MAX_NAME_LENGTH ? findSimilar(name, names) : undefined)
  return similar === undefined ? '' : ` Did you mean "${similar}"?`
}

/** Adds warnings to the JSON of a response that is kept for all who read the same. */
export function withWarnings(json: Buffer, warnings: readonly string[]): Buffer {
  const added = warnings.map((warning) => JSON.stringify(warning)).join()
  const list = '"warnings":['
  const at = json.lastIndexOf(list)
  if (at < 0) return Buffer.concat([json.subarray(0, -1), Buffer.from(`,"warnings":[${added}]}`)])
  const begin = at + list.length
  const isEmpty = json[begin] === 0x5d
  return Buffer.concat([
    json.subarray(0, begin),
    Buffer.from(isEmpty ? added : `${added},`),
    json.subarray(begin),
  ])
}
