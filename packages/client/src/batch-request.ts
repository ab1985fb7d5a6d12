import type { EndpointName, Input } from './endpoint-types.ts'
import { OPERATIONS } from './operations.ts'

/** A request as a part of a batch. */
type PartOfBatch = NonNullable<Input<'runBatch'>['body']>['requests'][number]

/**
 * A write of a site as a part of a batch: `client.runBatch({ site_id: 2, body: { requests: [batchRequest('deleteFrame', { ref: 'old' })] } })`.
 * @throws TypeError without a parameter of the path
 */
export function batchRequest<Name extends EndpointName>(
  name: Name,
  input: Omit<Input<Name>, 'site_id'>,
): PartOfBatch {
  const [method, path] = OPERATIONS[name]
  const below = path.replace('/site/{site_id}', '')
  const { body, ...parameters } = input as { readonly body?: PartOfBatch['body'] }
  const { inPath, query } = sortParameters(below, parameters)
  const sent = Object.entries(query).filter(([, value]) => value !== undefined)
  const filled = below.replace(/\{(\w+)\}/g, (_, parameter) =>
    encodeURIComponent(String(inPath[parameter])),
  )
  return {
    method: method as PartOfBatch['method'],
    path: filled,
    query: Object.fromEntries(sent.map(([parameter, value]) => [parameter, String(value)])),
    ...(body === undefined ? {} : { body }),
  }
}

/**
 * Which parameters of a call belong into the path, and which into the query.
 * @param path with the names of parameters in braces
 * @throws TypeError for one that the path needs and the call does not have
 */
export function sortParameters(
  path: string,
  parameters: { readonly [name: string]: unknown },
): { readonly inPath: Record<string, unknown>; readonly query: Record<string, unknown> } {
  const inPath: Record<string, unknown> = {}
  const query = { ...parameters }
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    inPath[name] = segment(name, parameters[name])
    delete query[name]
  }
  return { inPath, query }
}

/** @throws TypeError for a value that would make the path that of another endpoint */
function segment(parameter: string, value: unknown): unknown {
  if (!['', '.', '..', 'undefined', 'null'].includes(String(value))) return value
  throw new TypeError(`This call needs "${parameter}", which must not be empty, "." or "..".`)
}
