import { z } from 'zod'
import { readWrittenThings } from '../../content/planned-writes/written-things.ts'
import { type Change, mergeChanges } from '../../content/work/change.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../host/errors.ts'
import { assertScope, type TokenLimits } from '../../record/auth/token-scopes.ts'
import { rawField } from '../coded-fields.ts'
import { field, optional } from '../described.ts'
import { defineEndpoint, type Endpoint, type SiteWriteContext } from '../endpoint.ts'
import { entityTag, readPrecondition } from '../entity-tag.ts'
import { EFFECTS, flag } from '../fields.ts'
import { findEndpoint } from '../find-endpoint.ts'
import { asPart } from '../http-errors.ts'
import { withLinkTitles } from '../link-titles.ts'
import { assertBodyWithin, MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import { planChanged } from '../run/planned-write.ts'
import { type PartialRequest, runWithin, wantsDryRun } from '../run/run.ts'
import { invalidParam } from '../sent-fields.ts'
import { analyzeAhead } from './frame-fields.ts'
import { endpoints as frameWrites } from './frame-writes.ts'
import { WrittenThingSchema } from './history.ts'
import { endpoints as menuItems } from './menu-items.ts'
import { endpoints as menus } from './menus.ts'

/** The writes of frames, menus and their assignments: what a batch may contain. Of two paths that fit a request, the first is taken. */
export const contentWrites: readonly Endpoint[] = [...frameWrites, ...menus, ...menuItems].filter(
  ({ method }) => method !== 'get',
)

const METHODS = ['POST', 'PUT', 'PATCH', 'DELETE'] as const

/** One request of a batch, as it is sent. */
const BatchRequestSchema = z.strictObject({
  method: z.enum(METHODS),
  path: field(
    z.string().max(2000),
    'The path below the site, percent-encoded, without a query.',
    '/frames/site-header',
  ),
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
type BatchedRequest = PartialRequest & {
  readonly index: number
  readonly request: BatchRequest
}

/**
 * Finds the endpoint of a request.
 * @throws AppError `rest_no_route`, `insufficient_scope`, `rest_body_too_large`; `rest_invalid_param` for `dry_run`
 */
function routeRequest(
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
function asPartOfBatch<T>(
  { method, path }: Pick<BatchRequest, 'method' | 'path'>,
  index: number,
  work: () => T | Promise<T>,
): Promise<T> {
  return asPart(work, {
    sentence: `This is the error of requests[${index}], ${method} ${path}. Nothing of the batch was written.`,
    fields: { request: { index, method, path } },
  })
}

/** Requests of one batch. */
export const MAX_BATCH_REQUESTS = 200

const BodySchema = z.object({
  requests: field(
    z.array(BatchRequestSchema).min(1).max(MAX_BATCH_REQUESTS),
    'Writes of frames, menus and their assignments, in their order.',
  ),
  dry_run: flag(false, 'Run all requests and report, but store nothing.'),
  bake: flag(true, 'False: do not build anything now.'),
  plan: optional(
    z.string().max(64),
    '`plan` of a dry run of the same requests: they are stored only if they do the same now, otherwise the response is `409 plan_changed`.',
  ),
})

const ResponseSchema = z
  .object({
    status: z.literal(200),
    headers: z
      .object({ ETag: z.string().optional() })
      .describe('The version that the request has stored, where a single request returns it.'),
    body: field(
      z.record(z.string(), z.unknown()),
      'What a single request returns, without `bake`, `rebaked`, `republish`, `static` and `pending`.',
    ),
  })
  .meta({ id: 'BatchResponse' })

type BatchResponse = z.input<typeof ResponseSchema>

const runBatchEndpoint = defineEndpoint({
  name: 'runBatch',
  method: 'post',
  path: '/batch',
  // Each request needs the scope of its endpoint.
  scope: 'read',
  summary: 'Write several frames, menus and assignments at once, all or nothing',
  description: `At most ${MAX_BATCH_REQUESTS} requests, each as it would be sent alone; later ones see what earlier ones have written. They run in one transaction, with the rights, the scope and the conditions of each, and are built once. If one fails, nothing is written: the response is its error, with \`request\` naming it. All entries of the history have the id of the batch, so that \`POST /restore\` with \`request_id\` undoes it. \`If-Match\` and \`If-None-Match\` belong in \`headers\` of a request, \`dry_run\` beside \`requests\`.`,
  body: BodySchema,
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  example: {
    requests: [
      { method: 'PUT', path: '/frames/site-header', body: { html: '<header></header>' } },
      { method: 'POST', path: '/frames/site-header/assign', body: { page: 'about-us' } },
    ],
  },
  response: z.object({
    dry_run: z.boolean(),
    responses: z.array(ResponseSchema).describe('One for each request, in the same order.'),
    plan: optional(z.string(), 'Only of a dry run: identifies what the requests do.'),
    diffs: optional(
      z.array(WrittenThingSchema),
      'Only of a dry run: what the requests do to each thing.',
    ),
  }),
  effects: EFFECTS,
  errors: [...contentWrites.flatMap(({ errors }) => errors), 'batch_too_large', 'plan_changed'],
  async prepare({ site, caller, body, precondition, markupAnalyzer, isDryRun }) {
    if (precondition) throw invalidParam('If-Match', 'must be in headers of a request of the batch')
    const batched = await Promise.all(
      body.requests.map((request, index) =>
        asPartOfBatch(request, index, () =>
          routeRequest(request, index, { limits: caller.limits, isDryRun }),
        ),
      ),
    )
    // Large markup waits for a worker thread, and other writers of the site would wait with it.
    const bodies = body.requests.map((request) => request.body)
    return { batched, markupAnalyzer: await analyzeAhead(markupAnalyzer(site), bodies) }
  },
  async write(tx, call, { batched, markupAnalyzer }) {
    const { site, body, isDryRun } = call
    const { bake, plan } = body
    const { responses, changes } = await runRequests(tx, { ...call, markupAnalyzer }, batched)
    const isCompared = isDryRun || plan !== undefined
    const written = isCompared ? await readWrittenThings(tx, site) : undefined
    if (written && plan !== undefined && written.digest !== plan)
      throw planChanged({ plan: written.digest, diffs: written.things })
    const planned = isDryRun ? written : undefined
    return {
      body: {
        dry_run: isDryRun,
        responses,
        ...(planned && { plan: planned.digest }),
      },
      change: mergeChanges(bake ? changes : changes.map((one) => ({ ...one, bake }))),
      later: planned && (async (db) => ({ diffs: await withLinkTitles(db, site, planned.things) })),
    }
  },
})

async function runRequests(
  tx: Tx,
  call: SiteWriteContext,
  batched: readonly BatchedRequest[],
): Promise<{ readonly responses: BatchResponse[]; readonly changes: Change[] }> {
  const { batchMs } = tx.timings.api
  const startedAt = performance.now()
  const responses: BatchResponse[] = []
  const changes: Change[] = []
  for (const one of batched) {
    const { request, index } = one
    const { body, version, change } = await asPartOfBatch(request, index, () =>
      runWithin(tx, call, one),
    )
    const headers = version === undefined || call.isDryRun ? {} : { ETag: entityTag(version) }
    responses.push({ status: 200, headers, body: { ...body } })
    if (change) changes.push(change)
    if (performance.now() - startedAt > batchMs) throw tooSlow(responses.length, batchMs)
  }
  return { responses, changes }
}

function tooSlow(done: number, limitMs: number): AppError {
  return new AppError(
    'batch_too_large',
    `The first ${done} request(s) of this batch took longer than ${limitMs / 1000} seconds, and other writers of the site wait meanwhile. Nothing of the batch was written. Send smaller batches.`,
  )
}

export const endpoints: readonly Endpoint[] = [runBatchEndpoint]
