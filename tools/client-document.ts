import { openApiDocument } from '../src/api/docs/openapi-document.ts'
import { ADDRESSINGS } from '../src/api/docs/openapi-operation.ts'

type Operation = {
  readonly operationId: string
  readonly deprecated?: boolean
  /** Only of the probes, which are not below the address of the API. */
  readonly servers?: unknown
  readonly responses: Record<string, { headers?: unknown; description: string }>
}

type Document = Awaited<ReturnType<typeof openApiDocument>>
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The OpenAPI document of what the client calls and sends. */
export const clientDocument = async (): Promise<Document> =>
  prepare(structuredClone(await openApiDocument('', '')))

/** The text of `packages/client/src/operations.ts`: the method and path of each endpoint. */
export function clientOperations(document: Document): string {
  const operations = operationsOf(document)
    .map(({ method, path, operation }) => [operation.operationId, [method.toUpperCase(), path]])
    .sort()
  return `/** Method and path of each endpoint. */
export const OPERATIONS = ${JSON.stringify(Object.fromEntries(operations), null, 2)} as const
`
}

const operationsOf = ({ paths = {} }: Document) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method as Method,
      path,
      operation: operation as Operation,
    })),
  )

/** Suffixes of the operations of the legacy addressing. */
const OLD_SUFFIXES = ADDRESSINGS.flatMap(({ suffix }) => (suffix === '' ? [] : [suffix]))

/**
 * Removes what the client does not call or send (the legacy addressing, removed endpoints, probes, which are not below the address of the API,
 * and deprecated fields and parameters) and what its types do not need: response headers, and the descriptions of errors that the schema of
 * each code repeats.
 */
function prepare(document: Document): Document {
  const { paths = {} } = document
  for (const { method, path, operation } of operationsOf(document)) {
    const { operationId, deprecated, servers, responses } = operation
    const isOld = OLD_SUFFIXES.some((suffix) => operationId.endsWith(suffix))
    if (isOld || deprecated || servers) delete paths[path]?.[method]
    for (const [status, response] of Object.entries(responses)) {
      delete response.headers
      if (status !== '200') response.description = ''
    }
  }
  document.paths = Object.fromEntries(
    Object.entries(paths).filter(([, methods]) => Object.keys(methods).length > 0),
  )
  removeDeprecated(document)
  return document
}

/** Removes the other names of fields, and fields of earlier versions: the service accepts or ignores them, and an editor should not propose them. */
function removeDeprecated(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const { properties = {}, parameters } = value as Partial<Schema>
  for (const [name, field] of Object.entries(properties))
    if (field?.deprecated) delete properties[name]
  if (Array.isArray(parameters))
    Object.assign(value, { parameters: parameters.filter(({ schema }) => !schema?.deprecated) })
  for (const part of Object.values(value)) removeDeprecated(part)
}

type Deprecatable = { readonly deprecated?: boolean }
/** What of a part of the document may be deprecated. */
type Schema = {
  readonly properties: Record<string, Deprecatable>
  readonly parameters: readonly { readonly schema?: Deprecatable }[]
}
