import { z } from 'zod'
import type { Caller } from '../auth/authenticate.ts'
import type { TokenScope } from '../auth/token-scopes.ts'
import type { Bakery } from '../baking/bakery/bakery.ts'
import type { FairQueue } from '../concurrency/fair-queue.ts'
import type { MarkupWriters } from '../config/config.ts'
import type { Database } from '../db/database.ts'
import type { DeepReadonly, Effects } from '../effects.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import type { ChangeWatch } from '../events/change-watch.ts'
import { type Executor, isExecutorUnavailable } from '../executor/executor.ts'
import type { MarkupAnalyzer } from '../frames/frame-markup.ts'
import type { Log } from '../log.ts'
import type { Precondition } from '../preconditions.ts'
import type { CopyTarget } from '../publishing/copy-target.ts'
import { describeIssue } from '../schema-messages.ts'
import type { WebhookSender } from '../webhooks/webhook-sender.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { SiteRights } from '../wordpress/users/site-membership.ts'
import type { RecordedChange } from '../work/record-work.ts'
import type { Feed } from './events/feed.ts'
import { MAX_BODY_BYTES } from './request-body.ts'
import type { UserQueueSize } from './run/user-queues.ts'
import { fieldNames, type KnownFields } from './sent-fields.ts'

/** The services that endpoints use. */
export type EndpointServices = {
  readonly db: Database
  readonly executor: Executor
  /** Builds previews in this process, also with a remote executor. */
  readonly bakery: Bakery
  readonly log: Log
  /** Analyzes markup that is written to a site; slow markup is analyzed on another thread. */
  readonly markupAnalyzer: (site: Site) => MarkupAnalyzer
  readonly now: () => Date
  /** The feed of changes. */
  readonly changes: ChangeWatch
  /** Sends messages to webhooks. */
  readonly webhookSender: WebhookSender
  /** Queues the examinations of sites. */
  readonly examinations: FairQueue
  /** The static copies that this process writes; undefined if it writes none. */
  readonly copies?: CopyTarget | undefined
  /** How long a request waits for its effects, in milliseconds. */
  readonly effectsBudgetMs: number
  /** Whose tokens may write markup; default: administrators of the site. */
  readonly markupWriters?: MarkupWriters
  /** Maximum size of the markup of all frames of a site, in megabytes; 0, the default: no limit. */
  readonly storedMbPerSite?: number
}

/** What an endpoint of a site gets besides its input. */
export type SiteContext = EndpointServices & {
  readonly site: Site
  readonly caller: Caller
  /** The caller's rights on the site. */
  readonly rights: SiteRights
  /** The conditions of `If-Match` and `If-None-Match` on the frame or menu that is written. */
  readonly precondition: Precondition | undefined
  /** Is aborted when nobody waits for the answer of a read any more [never]. */
  readonly signal?: AbortSignal | undefined
  /** Sets the version of the frame or menu in the response; it becomes the `ETag`, which a later write can send in `If-Match`. */
  setEtag(version: string | undefined): void
}

type Input<Params, Query, Body> = {
  readonly params: Params
  readonly query: Query
  readonly body: Body
}

/** One call of an endpoint: the caller, the site, and the validated input. */
export type Call<Params, Query, Body> = SiteContext & Input<Params, Query, Body>

/** The response of a write that reports its effects. They follow the commit, so the caller of the handler applies the change. */
export class WithEffects<Body> {
  readonly change: RecordedChange
  readonly present: (effects: Effects) => Body
  readonly #presentUnavailable: ((error: AppError) => Body) | undefined

  /** @param presentUnavailable the response if the executor does not respond [the error `internal_unavailable`] */
  constructor(
    change: RecordedChange,
    present: (effects: Effects) => Body,
    presentUnavailable?: (error: AppError) => Body,
  ) {
    this.change = change
    this.present = present
    this.#presentUnavailable = presentUnavailable
  }

  /**
   * Applies the committed change.
   * @throws AppError `internal_unavailable`
   */
  async apply(executor: Executor, site: Site): Promise<Body> {
    try {
      return this.present(await executor.apply(site, this.change))
    } catch (error) {
      if (!this.#presentUnavailable || !isExecutorUnavailable(error)) throw error
      return this.#presentUnavailable(error)
    }
  }

  map<Mapped>(map: (body: Body) => Mapped): WithEffects<Mapped> {
    const present = this.present
    const unavailable = this.#presentUnavailable
    return new WithEffects(
      this.change,
      (effects) => map(present(effects)),
      unavailable && ((error) => map(unavailable(error))),
    )
  }
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
  /** It stores nothing that a repetition would store again, so it ignores `Idempotency-Key`. */
  readonly repeatable: boolean
  /** Whether it is a tool of MCP clients. */
  readonly isTool: boolean
  /**
   * An MCP tool runs this write directly instead of planning it first, because it only stores a plan (`plans`), only builds what is stored
   * (`builds`), or writes what the client has seen before (`writes`).
   */
  readonly mcpRunsDirectly: 'plans' | 'builds' | 'writes' | undefined
  /** Parameters that an MCP tool has if the client sends no others [none]. */
  readonly mcpQuery?: Readonly<Record<string, string>> | undefined
  /** Fields of the response that an MCP tool leaves out unless the client asks for all: `total`, `frames.sha256`. */
  readonly mcpLeavesOut: readonly string[]
  /** The contract with old clients has it: a field that it does not know is a warning. Other endpoints refuse it. */
  readonly isOfContract: boolean
  /** The fields that a request may contain. */
  readonly known: KnownFields
  /** How a write does `dry_run`: `own` by its handler, `rolled-back` by the transaction around it; undefined if it stores nothing. */
  readonly dryRun: 'own' | 'rolled-back' | undefined
  /** Warnings of a write of the contract about known fields that a call does not use, and about fields within them [none]. */
  readonly ignores?: ((call: Input<unknown, unknown, unknown>) => readonly string[]) | undefined
  /** The queue in which the calls of a user wait [none]. */
  readonly queue: UserQueueSize | undefined
  /** It waits in a queue of its own, and not in the queue of the site's reads: they must not wait for it. */
  readonly hasOwnQueue: boolean
  /** It answers with a part of the feed of changes: after a wait, and as a stream to clients that accept `text/event-stream`. */
  readonly isFeed: boolean
}

/** An endpoint: its route, input, response and handler. */
export type EndpointWith<Context> = DocumentedEndpoint & {
  /** Validates the input and returns the body of the response, or `WithEffects` of one; throws `AppError`. */
  handle(call: Context & Input<unknown, unknown, unknown>): Promise<object>
  /**
   * The part of the feed that a call asks for; only of an endpoint that answers with one.
   * @throws AppError for invalid input
   */
  readonly feed?: ((call: Context & Input<unknown, unknown, unknown>) => Feed) | undefined
}

/** One endpoint of a site. */
export type Endpoint = EndpointWith<SiteContext>

type Definition<
  Context,
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
  /** See `DocumentedEndpoint` [true for a read, otherwise false]. */
  readonly repeatable?: boolean
  /** See `DocumentedEndpoint` [true]. */
  readonly isTool?: boolean
  /** See `DocumentedEndpoint` [undefined]. */
  readonly mcpRunsDirectly?: 'plans' | 'builds' | 'writes'
  /** See `DocumentedEndpoint` [none]. */
  readonly mcpQuery?: Readonly<Record<string, string>>
  /** See `DocumentedEndpoint` [none]. */
  readonly mcpLeavesOut?: readonly string[]
  /** See `DocumentedEndpoint` [false]. */
  readonly isOfContract?: true
  /** Warnings about known fields that a call does not use, and about fields within them [none]. */
  readonly ignores?: (call: Input<unknown, unknown, unknown>) => readonly string[]
  /** See `DocumentedEndpoint` [none]. */
  readonly queue?: UserQueueSize
  /** See `DocumentedEndpoint` [false]. */
  readonly hasOwnQueue?: boolean
  /** See `EndpointWith` [none]. */
  readonly feed?: (call: Context & Input<z.output<Params>, z.output<Query>, z.output<Body>>) => Feed
  handle(
    call: Context & Input<z.output<Params>, z.output<Query>, z.output<Body>>,
  ): Promise<ResponseOf<Response> | WithEffects<ResponseOf<Response>>>
}

/** The value of a response schema, as presenters return it: deeply read-only. */
export type ResponseOf<Schema extends z.ZodType> = DeepReadonly<z.input<Schema>>

export type ResponseSchema = z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>

/** An endpoint whose responses are known to the compiler. */
export type RespondsWith<Response extends ResponseSchema> = {
  /** Never set: only the type of a successful response, for programs that call the API. */
  readonly $response?: z.output<Response>
}

/** Read by `runSent`, here and in the body. */
const dryRunField = z.unknown().optional().meta({
  'x-rare': true,
  type: 'boolean',
  default: false,
  description: 'Validate and report, but store nothing; also as a field of the body.',
})

/** What the answer of each write has. */
const writeFields = {
  warnings: z
    .array(z.string())
    .describe(
      'What the service did differently from the request, such as a field that it does not use.',
    ),
  dry_run: z.literal(true).optional().describe('Only of a dry run: nothing was stored.'),
}

function commonFields(method: Method, isOfContract: boolean): z.ZodRawShape {
  if (method !== 'get') return writeFields
  return isOfContract ? { warnings: writeFields.warnings.optional() } : {}
}

/** @param common fields that the response of every endpoint of its kind has */
function withSuccess(response: ResponseSchema, common: z.ZodRawShape): ResponseSchema {
  const extend = ({ shape }: z.ZodObject) =>
    z.object({ success: z.literal(true), ...common, ...shape })
  return response instanceof z.ZodUnion ? z.union(response.options.map(extend)) : extend(response)
}

const EMPTY_OBJECT = z.object({})

/**
 * Defines endpoints whose handlers get a context. A handler receives only validated input, and the type of its result follows from the
 * response schema.
 */
export function endpointsWith<Context extends object>() {
  return <
    Params extends z.ZodObject = typeof EMPTY_OBJECT,
    Query extends z.ZodObject = typeof EMPTY_OBJECT,
    Body extends z.ZodType = z.ZodUndefined,
    Response extends ResponseSchema = z.ZodObject,
  >(
    definition: Definition<Context, Params, Query, Body, Response>,
  ): EndpointWith<Context> & RespondsWith<Response> => {
    const { params = EMPTY_OBJECT, query = EMPTY_OBJECT, body, response, handle, feed } = definition
    const { method, scope, errors = [], maxBodyBytes = MAX_BODY_BYTES } = definition
    const { isTool = true, mcpRunsDirectly, mcpLeavesOut = [], hasOwnQueue = false } = definition
    const validated = (call: Context & Input<unknown, unknown, unknown>) => ({
      ...call,
      params: validate(params, call.params, 'path') as z.output<Params>,
      query: validate(query, call.query, 'query') as z.output<Query>,
      body: (body && validate(body, call.body, 'body')) as z.output<Body>,
    })
    const { isOfContract = false } = definition
    const repeatable = definition.repeatable ?? method === 'get'
    const inBody = new Set(fieldNames(body))
    const dryRun = inBody.has('dry_run') ? 'own' : repeatable ? undefined : 'rolled-back'
    const documented = dryRun === 'rolled-back' ? query.extend({ dry_run: dryRunField }) : query
    if (dryRun === 'rolled-back') inBody.add('dry_run')
    return {
      ...definition,
      isOfContract,
      known: { query: new Set(Object.keys(documented.shape)), body: inBody },
      dryRun,
      params,
      query: documented,
      body,
      errors,
      maxBodyBytes,
      isTool,
      mcpRunsDirectly,
      mcpLeavesOut,
      queue: definition.queue,
      hasOwnQueue,
      isFeed: feed !== undefined,
      feed: feed && ((call) => feed(validated(call))),
      scope: scope ?? defaultScope(definition),
      repeatable,
      response: response && withSuccess(response, commonFields(method, isOfContract)),
      handle: async (call) => {
        const handled = await handle(validated(call))
        return handled instanceof WithEffects ? handled.map(succeeded) : succeeded(handled)
      },
    }
  }
}

const succeeded = (body: object): object => ({ success: true, ...body })

/** Defines an endpoint of a site. */
export const defineEndpoint = endpointsWith<SiteContext>()

function defaultScope({ method, path }: Pick<Endpoint, 'method' | 'path'>): TokenScope {
  if (method === 'get') return 'read'
  if (path.startsWith('/frames')) return 'frames'
  return path.startsWith('/menus') ? 'menus' : 'all'
}

/** @throws AppError `rest_invalid_param` with every invalid parameter, by name */
function validate(schema: z.ZodType, value: unknown, where: 'path' | 'query' | 'body'): unknown {
  const parsed = schema.safeParse(value, { error: (issue) => describeIssue(issue) })
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
