import openapiTypeScript, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { openApiDocument } from '../../src/api/docs/openapi-document.ts'
import { ADDRESSINGS } from '../../src/api/docs/openapi-operation.ts'

type Operation = {
  readonly operationId: string
  readonly deprecated?: boolean
  /** Only of the probes, which are not below the address of the API. */
  readonly servers?: unknown
  readonly responses: Record<string, { headers?: unknown; description: string }>
}

/** The text of `client/schema.ts`: the types of the endpoints, and the method and path of each. */
export async function clientSchema(): Promise<string> {
  const document = prepare(structuredClone(await openApiDocument('', '')))
  const types = await openapiTypeScript(document as OpenAPI3, {
    alphabetize: true,
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
  })
  const operations = operationsOf(document)
    .map(({ method, path, operation }) => [operation.operationId, [method.toUpperCase(), path]])
    .sort()
  return `${astToString(types)}
/** Method and path of each endpoint. */
export const OPERATIONS = ${JSON.stringify(Object.fromEntries(operations), null, 2)} as const
`
}

type Document = Awaited<ReturnType<typeof openApiDocument>>
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

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
 * Removes what the client does not call (the legacy addressing, removed endpoints, and probes, which are not below the address of the API)
 * and what its types do not need: response headers, and the descriptions of errors that the schema of each code repeats.
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
  return document
}
