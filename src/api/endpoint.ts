import { z } from 'zod'
import type { Caller } from '../auth/authenticate.ts'
import type { TokenScope } from '../auth/token-scopes.ts'
import type { DeepReadonly } from '../change.ts'
import type { MarkupWriters } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { Executor } from '../executor/executor.ts'
import type { MarkupAnalyzer } from '../frames/frame-markup.ts'
import type { Precondition } from '../preconditions.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { SiteRights } from '../wordpress/users/site-membership.ts'
import { MAX_BODY_BYTES } from './request-body.ts'

/** The services that endpoints use. */
export type EndpointServices = {
  readonly db: Database
  readonly executor: Executor
  /** Analyzes markup that is written to a site; slow markup is analyzed on another thread. */
  readonly markupAnalyzer: (site: Site) => MarkupAnalyzer
  readonly now: () => Date
  /** How long a request waits for its effects, in milliseconds. */
  readonly effectsBudgetMs: number
  /** Whose tokens may write markup; default: administrators of the site. */
  readonly markupWriters?: MarkupWriters
  /** Maximum size of the markup of all frames of a site, in megabytes; 0, the default: no limit. */
  readonly storedMbPerSite?: number
}

/** One call of an endpoint: the caller, the site, and the validated input. */
export type Call<Params, Query, Body> = EndpointServices & {
  readonly site: Site
  readonly caller: Caller
  /** The caller's rights on the site. */
  readonly rights: SiteRights
  readonly params: Params
  readonly query: Query
  readonly body: Body
  /** The conditions of `If-Match` and `If-None-Match` on the frame or menu that is written. */
  readonly precondition: Precondition | undefined
  /** Sets the version of the frame or menu in the response; it becomes the `ETag`, which a later write can send in `If-Match`. */
  setEtag(version: string | undefined): void
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** The parts of an endpoint that the OpenAPI document is generated from. */
export type DocumentedEndpoint = {
  /** The `operationId` of the document. */
  readonly name: string
  readonly method: Method
  /** The path below the site: `/frames/:ref`. */
  readonly path: string
  /** One line of documentation. */
  readonly summary: string
  /** More documentation, in Markdown. */
  readonly description?: string
  readonly params: z.ZodObject
  readonly query: z.ZodObject
  /** Undefined if the endpoint reads no body. */
  readonly body: z.ZodType | undefined
  /** Maximum size of the body, in bytes. */
  readonly maxBodyBytes: number
  /** An example body for the documentation. */
  readonly example?: unknown
  /** The scope that a token needs. */
  readonly scope: TokenScope
  /** Undefined for an endpoint that never succeeds. */
  readonly response: ResponseSchema | undefined
  /** The errors of this endpoint, in addition to the errors that every endpoint may return. */
  readonly errors: readonly ErrorCode[]
}

/** One endpoint of a site: its route, input, response and handler. */
export type Endpoint = DocumentedEndpoint & {
  /** Validates the input and returns the body of the response; throws `AppError` or `DomainError`. */
  handle(call: Call<unknown, unknown, unknown>): Promise<object>
}

type Definition<
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Response extends ResponseSchema,
> = {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  /** Maximum size of the body, in bytes; default: `MAX_BODY_BYTES`. */
  readonly maxBodyBytes?: number
  readonly example?: z.input<Body>
  /** The scope that a token needs [`read` for a read; otherwise that of the path's family, or `all`]. */
  readonly scope?: TokenScope
  /** The fields of a successful response, without `success: true`. */
  readonly response?: Response
  readonly errors?: readonly ErrorCode[]
  handle(
    call: Call<z.output<Params>, z.output<Query>, z.output<Body>>,
  ): Promise<ResponseOf<Response>>
}

/** The value of a response schema, as presenters return it: deeply read-only. */
export type ResponseOf<Schema extends z.ZodType> = DeepReadonly<z.input<Schema>>

export type ResponseSchema = z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>

export function withSuccess(response: ResponseSchema): ResponseSchema {
  const extend = ({ shape }: z.ZodObject) => z.object({ success: z.literal(true), ...shape })
  return response instanceof z.ZodUnion ? z.union(response.options.map(extend)) : extend(response)
}

const EMPTY_OBJECT = z.object({})

/** Defines an endpoint. The handler receives only validated input, and the type of its result follows from the response schema. */
export function defineEndpoint<
  Params extends z.ZodObject = typeof EMPTY_OBJECT,
  Query extends z.ZodObject = typeof EMPTY_OBJECT,
  Body extends z.ZodType = z.ZodUndefined,
  Response extends ResponseSchema = z.ZodObject,
>(definition: Definition<Params, Query, Body, Response>): Endpoint {
  const {
    params = EMPTY_OBJECT,
    query = EMPTY_OBJECT,
    body,
    response,
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
    scope: definition.scope ?? defaultScope(definition),
    response: response && withSuccess(response),
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

function defaultScope({ method, path }: Pick<Endpoint, 'method' | 'path'>): TokenScope {
  if (method === 'get') return 'read'
  if (path.startsWith('/frames')) return 'frames'
  return path.startsWith('/menus') ? 'menus' : 'all'
}

/** @throws AppError `rest_invalid_param` with every invalid parameter, by name */
export function validate(
  schema: z.ZodType,
  value: unknown,
  where: 'path' | 'query' | 'body',
): unknown {
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
