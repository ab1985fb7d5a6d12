import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from 'zod-openapi'

const ReadinessSchema = z
  .object({
    status: z.enum(['ready', 'unready', 'stopping']),
    parts: z
      .record(z.string(), z.enum(['up', 'down']))
      .meta({ examples: [{ database: 'up', static: 'up' }] }),
  })
  .meta({ id: 'Readiness' })

const json = (schema: z.ZodType) => ({ content: { 'application/json': { schema } } })

/** What probes have in common: they stand at the root, wherever the API is mounted, and take no token. */
const probe = (
  operation: Pick<ZodOpenApiOperationObject, 'operationId' | 'summary' | 'responses'>,
): { readonly get: ZodOpenApiOperationObject } => ({
  get: { ...operation, tags: ['Probes'], servers: [{ url: '/' }], security: [] },
})

/** The probes that the server answers before the API (`health/answer-probes.ts`). */
export const PROBES: ZodOpenApiPathsObject = {
  '/healthz': probe({
    operationId: 'readHealth',
    summary: 'Whether the process lives',
    responses: { 200: { description: 'It does.', ...json(z.object({ status: z.literal('ok') })) } },
  }),
  '/readyz': probe({
    operationId: 'readReadiness',
    summary: 'Whether the process can answer requests',
    responses: {
      200: { description: 'It can.', ...json(ReadinessSchema) },
      503: { description: 'It cannot, or is about to stop.', ...json(ReadinessSchema) },
    },
  }),
}
