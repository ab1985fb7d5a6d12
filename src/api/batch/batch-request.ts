import { z } from 'zod'
import { assertScope, type TokenLimits } from '../../auth/token-scopes.ts'
import { AppError } from '../../errors.ts'
import { rawField } from '../coded-fields.ts'
import { contentWrites } from '../content-writes.ts'
import { readPrecondition } from '../entity-tag.ts'
import { findEndpoint } from '../find-endpoint.ts'
import { asPart } from '../http-errors.ts'
import { assertBodyWithin } from '../request-body.ts'
import { type PartialRequest, wantsDryRun } from '../run/run.ts'
import { invalidParam } from '../sent-fields.ts'

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

/** One request of a batch, as it is sent. */
export const BatchRequestSchema = z.strictObject({
  method: z.enum(METHODS),
  path: z
    .string()
    .max(2000)
    .meta({
      description: 'The path below the site, percent-encoded, without a query.',
      examples: ['/frames/site-header'],
    }),
  query: z
    .record(z.string(), z.string())
    .default({})
    .meta({ override: { default: {} }, description: 'The parameters of the query.' }),
  headers: z
    .strictObject({ 'If-Match': z.string().optional(), 'If-None-Match': z.string().optional() })
    .default({})
    .meta({ override: { default: {} }, description: 'The conditions of this request.' }),
  // The endpoint of the request validates it.
  body: rawField({
    type: 'object',
    additionalProperties: true,
    description: 'The body of the request.',
  }),
})

type BatchRequest = z.output<typeof BatchRequestSchema>

/** A request of a batch with its endpoint. */
export type BatchedRequest = PartialRequest & {
  readonly index: number
  readonly request: BatchRequest
}

/**
 * Finds the endpoint of a request.
 * @throws AppError `rest_no_route`, `insufficient_scope`, `rest_body_too_large`; `rest_invalid_param` for `dry_run`
 */
export function routeRequest(
  request: BatchRequest,
  index: number,
  { limits, isDryRun }: { readonly limits: TokenLimits; readonly isDryRun: boolean },
): BatchedRequest {
  const { method, path, headers, query, body } = request
  const found = findEndpoint(contentWrites, method, path)
  if (!found)
    throw new AppError(
      'rest_no_route',
      `A batch cannot contain ${method} ${path}. It may contain writes of frames, menus and their assignments, with paths below the site such as /frames/site-header.`,
    )
  const { endpoint, params } = found
  assertScope(limits, endpoint.scope)
  assertBodyWithin(body, endpoint.maxBodyBytes)
  if (!isDryRun && wantsDryRun(request))
    throw invalidParam('dry_run', 'must be beside requests, for all requests of a batch')
  const precondition = readPrecondition(headers['If-Match'], headers['If-None-Match'])
  return { index, request, endpoint, params, query, body, precondition }
}

/**
 * Runs a part of a request of a batch.
 * @throws AppError the error of the request, with the request in its message and fields
 */
export function asPartOfBatch<T>(
  { method, path }: Pick<BatchRequest, 'method' | 'path'>,
  index: number,
  work: () => T | Promise<T>,
): Promise<T> {
  return asPart(work, {
    sentence: `This is the error of requests[${index}], ${method} ${path}. Nothing of the batch was written.`,
    fields: { request: { index, method, path } },
  })
}
