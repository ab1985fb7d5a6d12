import { z } from 'zod'
import type { Caller } from '../auth/authenticate.ts'
import type { MarkupWriters } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { Executor } from '../executor/executor.ts'
import type { MarkupAnalyzer } from '../frames/frame-markup.ts'
import type { Log } from '../log.ts'
import type { Precondition } from '../preconditions.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { SiteRights } from '../wordpress/users/site-membership.ts'
import { MAX_BODY_BYTES } from './request-body.ts'

/** What endpoints work with. */
export type EndpointServices = {
  readonly db: Database
  readonly executor: Executor
  /** What reads markup that is to be written to a site, on another thread where that takes long. */
  readonly markupReader: (site: Site) => MarkupAnalyzer
  readonly now: () => Date
  /** Whose tokens may write markup [administrators of the site]. */
  readonly markupWriters?: MarkupWriters
  /** Megabytes of markup that all frames of a site may have; 0 [the default] for no limit. */
  readonly storedMbPerSite?: number
}

/** One call of an endpoint: who calls, for which site, with what. */
export type Call<Params, Query, Body> = EndpointServices & {
  readonly site: Site
  readonly caller: Caller
  /** The caller's rights on the site. */
  readonly rights: SiteRights
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly log: Log
  /** What the caller expects of the frame or menu that it writes to. */
  readonly precondition: Precondition | undefined
  /** Says of which version of a frame or menu the answer is: the word that a later write may expect. */
  setEtag(version: string | undefined): void
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** One endpoint, whole: where it is, what it takes, what it answers, what it does. The document is made of the same parts. */
export type Endpoint = {
  /** What clients made from the document call it. */
  readonly name: string
  readonly method: Method
  /** Below the site: `/frames/:ref`. */
  readonly path: string
  /** One line for the documentation. */
  readonly summary: string
  /** More for the documentation, in Markdown. */
  readonly description?: string
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  /** Undefined where no body is read. */
  readonly body: z.ZodType | undefined
  /** Largest body, in bytes. */
  readonly maxBodyBytes: number
  /** A body for the documentation. */
  readonly example?: unknown
  /** Undefined where there is no success. */
  readonly response: ResponseSchema | undefined
  /** The refusals of its own, beside those that any endpoint may answer. */
  readonly errors: readonly ErrorCode[]
  /** Checks what was sent and gives the answer's body; throws `AppError` for a refusal. */
  handle(call: Call<unknown, unknown, unknown>): Promise<object>
}

type Definition<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Answer extends ResponseSchema,
> = {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Largest body, in bytes; `MAX_BODY_BYTES` where it is left out. */
  readonly maxBodyBytes?: number
  readonly example?: z.input<Body>
  /** Of a success, beside `success: true`. */
  readonly response?: Answer
  readonly errors?: readonly ErrorCode[]
  handle(call: Call<z.output<Params>, z.output<Query>, z.output<Body>>): Promise<ResponseOf<Answer>>
}

/** A value that a schema of answers describes, as a presenter gives it: nothing in it is changed any more. */
export type ResponseOf<Schema extends z.ZodType> = DeepReadonly<z.input<Schema>>

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T

type ResponseSchema = z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>

function withSuccess(answer: ResponseSchema): ResponseSchema {
  const succeed = ({ shape }: z.ZodObject) => z.object({ success: z.literal(true), ...shape })
  return answer instanceof z.ZodUnion ? z.union(answer.options.map(succeed)) : succeed(answer)
}

const EMPTY_OBJECT = z.object({})

/** An endpoint from its parts; the handler sees only what its schemas let through, and gives what the answer's schema says. */
export function defineEndpoint<
  Params extends z.ZodObject = typeof EMPTY_OBJECT,
  Query extends z.ZodObject = typeof EMPTY_OBJECT,
  Body extends z.ZodType = z.ZodUndefined,
  Answer extends ResponseSchema = z.ZodObject,
>(definition: Definition<Params, Query, Body, Answer>): Endpoint {
  const {
    params = EMPTY_OBJECT,
    query = EMPTY_OBJECT,
    body,
    response: answer,
    errors = [],
    handle,
  } = definition
  const { maxBodyBytes = MAX_BODY_BYTES } = definition
  return {
    ...definition,
    maxBodyBytes,
    params,
    query,
    body,
    response: answer && withSuccess(answer),
    errors,
    handle: async (call) => ({
      success: true,
      ...(await handle({
        ...call,
        params: validate(params, call.params, 'path') as z.output<Params>,
        query: validate(query, call.query, 'query') as z.output<Query>,
        body: (body && validate(body, call.body, 'body')) as z.output<Body>,
      })),
    }),
  }
}

/** All that is wrong with what was sent, at once and by name. */
function validate(schema: z.ZodType, value: unknown, where: 'path' | 'query' | 'body'): unknown {
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
