import { z } from 'zod'
import type { Caller } from '../callers/authenticate.ts'
import type { Database } from '../db/database.ts'
import { AppError } from '../errors.ts'
import type { Executor } from '../executor/executor.ts'
import type { Expectation } from '../expectation.ts'
import type { Log } from '../log.ts'
import type { Site } from '../wordpress/network/site.ts'

/** What endpoints work with. */
export type EndpointServices = {
  readonly db: Database
  readonly executor: Executor
  readonly now: () => Date
}

/** One call of an endpoint: who calls, for which site, with what. */
export type Call<Params, Query, Body> = EndpointServices & {
  readonly site: Site
  readonly caller: Caller
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly log: Log
  /** What the caller expects of the frame or menu that it writes to. */
  readonly expected: Expectation | undefined
  /** Says of which version of a frame or menu the answer is: the word that a later write may expect. */
  tellVersion(version: string | undefined): void
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** One endpoint, whole: where it is, what it takes, what it does. */
export type Endpoint = {
  readonly method: Method
  /** Below the site: `/frames/:ref`. */
  readonly path: string
  /** One line for the documentation. */
  readonly summary: string
  readonly query: z.ZodType
  readonly body: z.ZodType
  /** Checks what was sent and gives the answer's body; throws `AppError` for a refusal. */
  handle(call: Call<Record<string, string>, unknown, unknown>): Promise<object>
}

type Definition<Query extends z.ZodType, Body extends z.ZodType> = {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly query?: Query
  readonly body?: Body
  handle(call: Call<Record<string, string>, z.output<Query>, z.output<Body>>): Promise<object>
}

/** An endpoint from its parts; the handler sees only what its schemas let through. */
export function defineEndpoint<
  Query extends z.ZodType = z.ZodUnknown,
  Body extends z.ZodType = z.ZodUnknown,
>(definition: Definition<Query, Body>): Endpoint {
  const { method, path, summary, query, body, handle } = definition
  return {
    method,
    path,
    summary,
    query: query ?? z.unknown(),
    body: body ?? z.unknown(),
    handle: (call) =>
      handle({
        ...call,
        query: validate(query, call.query, 'query') as z.output<Query>,
        body: validate(body, call.body, 'body') as z.output<Body>,
      }),
  }
}

/** All that is wrong with what was sent, at once and by name. */
function validate(schema: z.ZodType | undefined, value: unknown, where: 'query' | 'body'): unknown {
  if (!schema) return value
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const params = Object.fromEntries(
    parsed.error.issues.map((issue) => [issue.path.join('.') || where, issue.message]),
  )
  throw new AppError(
    'rest_invalid_param',
    `Invalid parameter(s): ${Object.keys(params).join(', ')}. See data.params for what each takes.`,
    { params },
  )
}
