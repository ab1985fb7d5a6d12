import { z } from 'zod'
import {
  createDocument,
  type oas31,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
} from 'zod-openapi'
import { inBatches } from '../../db/sql.ts'
import { inTimeSlice } from '../../host/concurrency/time-slices.ts'
import { groupBy } from '../../host/group-by.ts'
import type { Endpoint } from '../endpoint.ts'
import { ITEM_INPUT_SCHEMA } from '../endpoints/menu-fields.ts'
import { endpointsOn } from '../endpoints.ts'
import {
  ADDRESSINGS,
  type Addressing,
  CALLER_ADDRESSING,
  NETWORK_ADDRESSING,
  operationOf,
  tagOf,
} from './openapi-operation.ts'
import { RESPONSE_HEADERS } from './response-headers.ts'

const DESCRIPTION = `Frames and menus of a WordPress multisite network.

Handle errors by status and code: the code is in \`error\` if an endpoint rejects the request, and in \`code\` if the request did not reach an
endpoint. Each path below \`/site/{site_id}\` also exists without it, for clients of an older endpoint: see \`/docs/moving-from-php#the-old-addressing\`.`

/**
 * The OpenAPI 3.1 document of the API, generated from the schemas that the endpoints validate with. Some paths are described in each time
 * slice, because all of them take some hundred milliseconds.
 */
export async function openApiDocument(
  version: string,
  basePath: string,
  pathsAtOnce = PATHS_AT_ONCE,
): Promise<oas31.OpenAPIObject> {
  const operations: { addressing: Addressing; endpoint: Endpoint }[] = [
    ...ADDRESSINGS.flatMap((addressing) =>
      [...endpointsOn('site')].sort(removedLast).map((endpoint) => ({ addressing, endpoint })),
    ),
    ...endpointsOn('caller').map((endpoint) => ({ addressing: CALLER_ADDRESSING, endpoint })),
    ...endpointsOn('network').map((endpoint) => ({ addressing: NETWORK_ADDRESSING, endpoint })),
  ]
  const byPath = groupBy(
    operations,
    ({ addressing, endpoint }) => addressing.prefix + endpoint.path.replace(/:(\w+)/g, '{$1}'),
  )
  const all: ZodOpenApiPathsObject = { ...PROBES }
  for (const [path, ofPath] of byPath)
    all[path] = Object.fromEntries(
      ofPath.map(({ addressing, endpoint }) => [
        endpoint.method,
        operationOf(endpoint, addressing),
      ]),
    )
  const paths: oas31.PathsObject = {}
  const schemas: Record<string, oas31.SchemaObject | oas31.ReferenceObject> = {}
  let headers: oas31.ComponentsObject['headers']
  for (const some of inBatches(Object.entries(all), pathsAtOnce)) {
    const piece = await inTimeSlice(() => describePaths(Object.fromEntries(some)))
    Object.assign(paths, piece.paths)
    Object.assign(schemas, piece.components?.schemas)
    headers = piece.components?.headers
  }
  const tags = new Set(operations.map(({ addressing, endpoint }) => tagOf(endpoint, addressing)))
  return {
    openapi: '3.1.0',
    info: { title: 'wp-frames', version, description: DESCRIPTION, license: { name: 'MIT' } },
    servers: [{ url: basePath || '/' }],
    tags: [...tags, 'Probes'].map((name) => ({ name })),
    security: [{ bearer: [] }, { svcKey: [] }],
    paths,
    components: { schemas, headers, securitySchemes: SECURITY_SCHEMES },
  }
}

/** More would stall requests. With fewer, shared schemas are described more often: one path at a time takes four times as long. */
const PATHS_AT_ONCE = 8

/** A document of these paths, with the schemas that they refer to. */
function describePaths(paths: ZodOpenApiPathsObject): oas31.OpenAPIObject {
  const document = createDocument(
    {
      openapi: '3.1.0',
      info: { title: '', version: '' },
      paths,
      components: {
        schemas: { MenuItemInput: ITEM_INPUT_SCHEMA },
        headers: RESPONSE_HEADERS,
      },
    },
    { override: ({ jsonSchema }) => loosen(jsonSchema) },
  )
  describeParameters(document)
  return document
}

const SECURITY_SCHEMES: oas31.ComponentsObject['securitySchemes'] = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    description: 'A token from `wp-frames token issue`: `op_` and 64 characters.',
  },
  svcKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Svc-Key',
    description: 'The same token.',
  },
}

const removedLast = (a: Endpoint, b: Endpoint): number => Number(!a.response) - Number(!b.response)

/** Copies the description of a parameter's schema to the parameter, where viewers look for it: zod-openapi leaves it out for transformed values. */
function describeParameters({ paths = {} }: oas31.OpenAPIObject): void {
  const operations = Object.values(paths).flatMap((path): oas31.OperationObject[] =>
    Object.values(path),
  )
  for (const parameter of operations.flatMap(({ parameters = [] }) => parameters)) {
    if ('schema' in parameter) parameter.description ??= descriptionOf(parameter.schema)
  }
}

const descriptionOf = (schema: oas31.SchemaObject | oas31.ReferenceObject = {}) =>
  'description' in schema ? schema.description : undefined

/** Removes what the document should not promise or repeat: that responses never get more fields, and the safe range of integers. */
function loosen(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.additionalProperties === false) delete schema.additionalProperties
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
}

const ReadinessSchema = z
  .object({
    status: z.enum(['ready', 'unready', 'stopping']),
    parts: z
      .record(z.string(), z.enum(['up', 'down']))
      .meta({ examples: [{ database: 'up', static: 'up' }] }),
  })
  .meta({ id: 'Readiness' })

const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } })

/** Adds what all probes share: they are at the root, whatever the path prefix of the API, and need no token. */
const probe = (
  operation: Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'responses'>,
): { readonly get: ZodOpenApiOperationObject } => ({
  get: { ...operation, tags: ['Probes'], servers: [{ url: '/' }], security: [] },
})

/** The probes, which the server answers without the API (`health.ts`). */
const PROBES: ZodOpenApiPathsObject = {
  '/healthz': probe({
    operationId: 'getHealth',
    summary: 'Whether the process is alive',
    responses: {
      200: { description: 'The process is alive.', ...json(z.object({ status: z.literal('ok') })) },
    },
  }),
  '/readyz': probe({
    operationId: 'getReadiness',
    summary: 'Whether the process can answer requests',
    responses: {
      200: { description: 'The process can answer requests.', ...json(ReadinessSchema) },
      503: {
        description: 'The process cannot answer requests, or is stopping.',
        ...json(ReadinessSchema),
      },
    },
  }),
}
