import { z } from 'zod'
import type { Bakery } from '../build/baking/bakery/bakery.ts'
import type { Executor } from '../build/executor/executor.ts'
import type { CopyStore } from '../build/publishing/copy-store.ts'
import type { ChangeWatch } from '../changes/events/change-watch.ts'
import type { WebhookSender } from '../changes/webhooks/webhook-sender.ts'
import type { MarkupAnalyzer } from '../content/frames/frame-markup.ts'
import type { Change } from '../content/work/change.ts'
import type { Database, Db } from '../db/database.ts'
import type { Tx } from '../db/transaction.ts'
import type { FairQueue } from '../host/concurrency/fair-queue.ts'
import type { MarkupWriters } from '../host/config/config.ts'
import type { DeepReadonly, Effects } from '../host/effects.ts'
import type { AppError, ErrorCode } from '../host/errors.ts'
import type { Log } from '../host/log.ts'
import type { Precondition } from '../host/preconditions.ts'
import { describeIssue } from '../host/schema-messages.ts'
import type { Caller } from '../record/auth/authenticate.ts'
import type { TokenScope } from '../record/auth/token-scopes.ts'
import type { GlobalTables, Site } from '../wordpress/network/site.ts'
import type { SiteRights } from '../wordpress/users/site-membership.ts'
import { refusalOf } from './coded-fields.ts'
import { field, optional } from './described.ts'
import { MAX_BODY_BYTES } from './request-body.ts'
import type { UserQueueSize } from './run/user-queues.ts'
import { fieldNames, invalidParams, type KnownFields } from './sent-fields.ts'

/** The services that endpoints use. */
export type EndpointServices = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly executor: Executor
  /** Builds previews in this process, also if the executor is apart. */
  readonly bakery: Bakery
  readonly log: Log
  /** Analyzes markup that is written to a site; slow markup is analyzed on another thread. */
  readonly markupAnalyzer: (site: Site) => MarkupAnalyzer
  readonly now: () => Date
  /** The events. */
  readonly changes: ChangeWatch
  /** Sends messages to webhooks. */
  readonly webhookSender: WebhookSender
  /** Queues the examinations of sites. */
  readonly examinations: FairQueue
  /** The static copies that this process writes; undefined if it writes none. */
  readonly copies?: CopyStore | undefined
  /** How long a request waits for its effects, in milliseconds. */
  readonly effectsBudgetMs: number
  /** Whose tokens may write markup; default: administrators of the site. */
  readonly markupWriters?: MarkupWriters
  /** Maximum size of the markup of all frames of a site, in megabytes; 0, the default: no limit. */
  readonly storedMbPerSite?: number
}

/**
 * What an endpoint is about: a site; the network, for super administrators whose token has no limits on sites, below `/network`; or the caller, for
 * every caller.
 */
export type EndpointKind = 'site' | 'network' | 'caller'

/** What every endpoint gets besides its input. */
export type AnyContext = EndpointServices & {
  readonly caller: Caller
  /** Is aborted when nobody waits for the answer of a read any more [never]. */
  readonly signal?: AbortSignal | undefined
}

/** What an endpoint of a site gets besides its input. */
export type SiteContext = AnyContext & {
  readonly site: Site
  /** The caller's rights on the site. */
  readonly rights: SiteRights
  /** The conditions of `If-Match` and `If-None-Match` on the frame or menu that is written. */
  readonly precondition: Precondition | undefined
}

/** What an endpoint that is defined for sites and for the network gets: no site for the network. */
export type OwnerContext = AnyContext & { readonly site?: Site | undefined }

type ContextOf<On> = On extends 'site' ? SiteContext : On extends 'both' ? OwnerContext : AnyContext

type Input<Params, Query, Body> = {
  readonly params: Params
  readonly query: Query
  readonly body: Body
}

/** What an endpoint was sent. */
export type SentInput = Input<unknown, unknown, unknown>

/** One call of an endpoint of a site: the caller, the site, and the validated input. */
export type Call<Params, Query, Body> = SiteContext & Input<Params, Query, Body>

/** Of a read: sets the version of the frame or menu in the response; it becomes the `ETag`, which a later write can send in `If-Match`. */
export type SetEtag = { setEtag(version: string | undefined): void }

/** A call of a write has no way to open a transaction: it is within one, or before it. */
type ToWrite<Context> = Omit<Context, 'db'> & {
  readonly db: Db
  /** The transaction will be rolled back. Only a write that says so in fields of its own needs to know it. */
  readonly isDryRun: boolean
}

/** What a write of a site gets besides its input. */
export type SiteWriteContext = ToWrite<SiteContext>

/** One call of a write of a site. */
export type WriteCall<Params, Query, Body> = SiteWriteContext & Input<Params, Query, Body>

/** What a write has done in its transaction. */
export type Written<Body> = {
  /** The response, without what was built. */
  readonly body: Body
  /** What is to be built; the pipeline records it, and reports in the response what became of it [nothing]. */
  readonly change?: Change | undefined
  /** Of the frame or menu that was written; it becomes the `ETag`. */
  readonly version?: string | undefined
  /** Fields of the response that take long and need no lock, such as differences. It runs after the transaction if it can. */
  readonly later?: ((db: Db) => Promise<Partial<Body>>) | undefined
}

/** The fields in which a write reports what was built. */
export type EffectsReport<Fields extends z.ZodRawShape = z.ZodRawShape> = {
  readonly fields: Fields
  report(site: Site, effects: Effects, body: object): object
  /** The report if the executor does not answer [the request fails with `internal_unavailable`]. */
  unavailable?(error: AppError): object
}

/** Where a request for events begins, and how long it waits. */
export type EventPosition = {
  /** Undefined for all sites and the tokens. */
  readonly blogId: number | undefined
  /** See `readEvents`. */
  readonly since: string | undefined
  /** How long an answer without events waits for the first one; 0 to answer at once. In milliseconds. */
  readonly waitMs: number
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

/** An endpoint: its route, input and response, and one of `read`, `write` and `act`. The OpenAPI document and the tools of MCP clients follow from it. */
export type Endpoint = {
  readonly on: EndpointKind
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
  /** Maximum size of the body, in bytes [`MAX_BODY_BYTES`]. */
  readonly maxBodyBytes: number
  /** An example body for the documentation. */
  readonly example?: unknown
  /** The scope that a token needs [`read` for a read; otherwise that of the path's family, or `all`]. */
  readonly scope: TokenScope
  /** Undefined for an endpoint that never succeeds. */
  readonly response: ResponseSchema | undefined
  /** The errors of this endpoint, in addition to those that every endpoint may return [none]. */
  readonly errors: readonly ErrorCode[]
  /** It stores nothing that a repetition would store again, so it ignores `Idempotency-Key` [true for a read, otherwise false]. */
  readonly repeatable: boolean
  /** Whether it is a tool of MCP clients [true]. */
  readonly isTool: boolean
  /**
   * An MCP tool runs this write directly instead of planning it first, because it only stores a plan (`plans`), only builds what is stored
   * (`builds`), or writes what the client has seen before (`writes`) [it is planned].
   */
  readonly mcpRunsDirectly?: 'plans' | 'builds' | 'writes' | undefined
  /** Parameters that an MCP tool has if the client sends no others [none]. */
  readonly mcpQuery?: Readonly<Record<string, string>> | undefined
  /** Fields of the response that an MCP tool leaves out unless the client asks for all: `total`, `frames.sha256` [none]. */
  readonly mcpLeavesOut: readonly string[]
  /** The contract with old clients has it: a field that it does not know is a warning. Other endpoints refuse it [false]. */
  readonly isOfContract: boolean
  /** Its response names the site [true for an endpoint that is defined for sites only]. */
  readonly namesSite: boolean
  /** The fields that a request may contain. */
  readonly known: KnownFields
  /** It stores nothing in a dry run. False if nothing is stored anyway. */
  readonly knowsDryRun: boolean
  /** What the response of a dry run says instead of that of a write. */
  readonly ofDryRun: object
  /** Warnings of a write of the contract about known fields that a call does not use, and about fields within them [none]. */
  readonly ignores?: ((call: SentInput) => readonly string[]) | undefined
  /** The queue in which the calls of a user wait [none]. */
  readonly queue?: UserQueueSize | undefined
  /** It waits in a queue of its own, and not in the queue of the site's reads: they must not wait for it [false]. */
  readonly hasOwnQueue: boolean
  /** The command that equals it [none]. */
  readonly command?: EndpointCommand | undefined
  /** How it reports what was built [nothing is built]. */
  readonly effects?: EffectsReport | undefined
  /** Its writes store in tables of the service only, so those of the site need not be writable [false]. */
  readonly isOfService: boolean
  /** @throws AppError `rest_invalid_param` with every invalid parameter, by name; an error of the contract, see `coded` */
  validate(sent: SentInput): SentInput
} & Partial<Handlers<AnyContext, SentInput, object>>

/** A command that equals an endpoint. Its options and their help follow from the schemas of the input. */
export type EndpointCommand = {
  /** With its group: `frames rename`. */
  readonly name: string
  /** What it does [the summary of the endpoint]. */
  readonly summary?: string
  /** The fields that are arguments, in their order. */
  readonly args?: readonly string[]
  /** Names of options that are not those of their fields; false for a field that has none. */
  readonly options?: Readonly<Record<string, string | false>>
  /** The list in the response, and the fields of a row that are shown. */
  readonly list?: Omit<CommandList, 'others'>
  /**
   * What it prints of a response, sentence by sentence, with values in braces: `Token {id} was revoked.` A sentence is left out if one of its values
   * is missing or empty.
   */
  readonly text?: readonly string[]
  /** The value of a response that it prints as it is: `frame.html`. */
  readonly prints?: string
  /** What it prints of that on standard error: advice for people, which no program reads. */
  readonly note?: readonly string[]
  /** Asked on a terminal before it is sent, with values of the input in braces. */
  readonly question?: string
  /** What a change or the deletion of the frame in `ref` touches is shown before. */
  readonly impact?: 'change' | 'deletion'
  readonly examples: readonly string[]
}

/** A list that a command prints. */
export type CommandList = {
  /** The field of the response that has the rows. */
  readonly rows: string
  /** What one row is: `frame`. */
  readonly noun: string
  /** The field that `--format ids` prints. */
  readonly id: string
  /**
   * The fields that are shown: with what is shown for null, `expires_at=never`; with a form, `updated_by:user`; or by a path, `details.shown_on`, as
   * `shown_on`.
   */
  readonly shown: readonly string[]
  /** Parameters with which the list is asked for. */
  readonly sends?: Readonly<Record<string, boolean>>
  /** The other fields of the rows, which `--fields` may name, too. */
  readonly others: readonly string[]
  /** As many rows are read by default, of a list with pages [all]. */
  readonly limit?: number
}

type Handlers<Context, Valid, Body, Prepared = unknown> = {
  /** Reads, and changes nothing. */
  read(call: Context & Valid & SetEtag): Promise<Body>
  /** Does what a write needs before its transaction, such as an analysis of markup: other writers of the site do not wait meanwhile. */
  prepare(call: ToWrite<Context> & Valid): Promise<Prepared>
  /** Writes in a transaction. It may run again, see `Database.write`. */
  write(tx: Tx, call: ToWrite<Context> & Valid, prepared: Prepared): Promise<Written<Body>>
  /** Does what is no single transaction: builds, sends, or applies several fixes. Nothing of that in a dry run. */
  act(call: Context & Valid & Pick<ToWrite<Context>, 'isDryRun'>): Promise<Body>
  /**
   * The part of the events that a call asks for: it answers after a wait, and as a stream to clients that accept `text/event-stream`.
   * @throws AppError for invalid input
   */
  events(call: Context & Valid): EventPosition
}

/** What follows from a definition. */
type Derived = 'known' | 'knowsDryRun' | 'ofDryRun' | 'validate'

/** What a definition has with types of its own. */
type Typed = 'on' | 'params' | 'query' | 'body' | 'example' | 'response' | 'effects'

/** What a definition says as the endpoint has it; what is left out has a default, which the field of `Endpoint` names. */
type Defined = Pick<Endpoint, 'name' | 'method' | 'path' | 'summary'> &
  Partial<Omit<Endpoint, Derived | Typed | keyof Handlers<AnyContext, SentInput, object>>>

type Definition<
  On extends EndpointKind | 'both',
  Params extends z.ZodObject,
  Query extends z.ZodObject,
  Body extends z.ZodType,
  Response extends ResponseSchema,
  Built extends z.ZodRawShape,
  Prepared,
> = Defined & {
  /** [`site`] */
  readonly on?: On
  readonly params?: Params
  readonly query?: Query
  readonly body?: Body
  readonly example?: z.input<Body>
  /** The fields of a successful response, without `success: true`, `site_id` and those of `effects`. */
  readonly response?: Response
  readonly effects?: EffectsReport<Built>
} & Partial<
    Handlers<
      ContextOf<On>,
      Input<z.output<Params>, z.output<Query>, z.output<Body>>,
      ResponseOf<Response>,
      Prepared
    >
  >

/** The path of the endpoints of the network. */
export const NETWORK_PREFIX = '/network'

/** What an endpoint belongs to in the reference and among the tools of MCP clients: `Network`, or the first segment of its path: `Frames`. */
export function familyOf({ on, path }: Pick<Endpoint, 'on' | 'path'>): string {
  if (on === 'network') return 'Network'
  const [, segment = ''] = path.split('/')
  return segment.charAt(0).toUpperCase() + segment.slice(1)
}

/** The value of a response schema, as presenters return it: deeply read-only. */
export type ResponseOf<Schema extends z.ZodType> = DeepReadonly<z.input<Schema>>

export type ResponseSchema = z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>

const NO_FIELDS = {}

/** `wantsDryRun` validates it, here and in the body. */
const dryRunField = z.unknown().optional().meta({
  'x-rare': true,
  type: 'boolean',
  default: false,
  description: 'Validate and report, but store nothing; also as a field of the body.',
})

/** `site_id` in responses. */
export const siteId = field(z.int(), 'The site of the response.', 2)

/** What the answer of each write has. */
const writeFields = {
  warnings: field(
    z.array(z.string()),
    'What the service did differently from the request, such as a field that it does not use.',
  ),
  dry_run: optional(z.literal(true), 'Only of a dry run: nothing was stored.'),
}

/** The response of an endpoint: `success: true`, the fields of all of its kind, its own, and those that report what was built. */
function wholeResponse(
  response: ResponseSchema,
  {
    method,
    isOfContract,
    namesSite,
    effects,
  }: Pick<Endpoint, 'method' | 'isOfContract' | 'namesSite' | 'effects'>,
): ResponseSchema {
  const reads = isOfContract ? { warnings: writeFields.warnings.optional() } : {}
  const common = {
    ...(method === 'get' ? reads : writeFields),
    ...(namesSite ? { site_id: siteId } : {}),
  }
  // A dry run builds nothing.
  const built = effects ? z.object(effects.fields).partial().shape : {}
  const extend = ({ shape }: z.ZodObject) =>
    z.object({ success: z.literal(true), ...common, ...shape, ...built })
  return response instanceof z.ZodUnion ? z.union(response.options.map(extend)) : extend(response)
}

const EMPTY_OBJECT = z.object({})

/**
 * Defines an endpoint. Its functions receive only validated input, and the type of their result follows from the response schema.
 */
export function defineEndpoint<
  On extends EndpointKind = 'site',
  Params extends z.ZodObject = typeof EMPTY_OBJECT,
  Query extends z.ZodObject = typeof EMPTY_OBJECT,
  Body extends z.ZodType = z.ZodUndefined,
  Response extends ResponseSchema = z.ZodObject,
  Built extends z.ZodRawShape = typeof NO_FIELDS,
  Prepared = undefined,
>(definition: Definition<On, Params, Query, Body, Response, Built, Prepared>): Endpoint {
  const { on = 'site', namesSite = on === 'site' } = definition
  return endpointOf({ ...definition, namesSite } as AnyDefinition, on)
}

/** Defines two endpoints: one of a site, and one of the network, whose name and summary say so: `listWebhooks`, `listNetworkWebhooks`. */
export function defineForBoth<
  Params extends z.ZodObject = typeof EMPTY_OBJECT,
  Query extends z.ZodObject = typeof EMPTY_OBJECT,
  Body extends z.ZodType = z.ZodUndefined,
  Response extends ResponseSchema = z.ZodObject,
  Prepared = undefined,
>(
  definition: Definition<'both', Params, Query, Body, Response, typeof NO_FIELDS, Prepared>,
): readonly [Endpoint, Endpoint] {
  const ofNetwork = {
    ...definition,
    name: definition.name.replace(/^[a-z]+/, '$&Network'),
    summary: definition.summary.replace('the site', 'the network'),
  }
  return [
    endpointOf(definition as AnyDefinition, 'site'),
    endpointOf(ofNetwork as AnyDefinition, 'network'),
  ]
}

// biome-ignore lint/suspicious/noExplicitAny: what its functions take was checked where it was defined.
type AnyDefinition = Definition<any, any, any, any, any, any, any>

function endpointOf(definition: AnyDefinition, on: EndpointKind): Endpoint {
  const { params = EMPTY_OBJECT, query = EMPTY_OBJECT, body, method, write } = definition
  const { isOfContract = false, namesSite = false, effects, response } = definition
  const inBody = new Set(fieldNames(body))
  const isDryRunInBody = inBody.has('dry_run')
  const knowsDryRun = write !== undefined || isDryRunInBody
  const documented =
    write && response && !isDryRunInBody ? query.extend({ dry_run: dryRunField }) : query
  const inQuery = new Set(Object.keys(documented.shape))
  if (knowsDryRun) for (const fields of [inQuery, inBody]) fields.add('dry_run')
  return {
    ...definition,
    on,
    params,
    query: documented,
    body,
    errors: errorsOf(definition),
    maxBodyBytes: definition.maxBodyBytes ?? MAX_BODY_BYTES,
    isTool: definition.isTool ?? true,
    mcpLeavesOut: definition.mcpLeavesOut ?? [],
    isOfContract,
    namesSite,
    known: { query: inQuery, body: inBody },
    knowsDryRun,
    ofDryRun: {
      ...Object.fromEntries(
        ['applied', 'updated'].flatMap((name) =>
          response instanceof z.ZodObject && name in response.shape ? [[name, false]] : [],
        ),
      ),
      dry_run: true,
    },
    hasOwnQueue: definition.hasOwnQueue ?? false,
    isOfService: definition.isOfService ?? false,
    scope: definition.scope ?? defaultScope(definition),
    repeatable: definition.repeatable ?? method === 'get',
    response: response && wholeResponse(response, { method, isOfContract, namesSite, effects }),
    validate: (sent) => ({
      params: validate(params, sent.params, 'path'),
      query: validate(query, sent.query, 'query'),
      body: body && validate(body, sent.body, 'body'),
    }),
  }
}

/** What is built may be unavailable, and a report may say so instead. */
function errorsOf({ errors = [], effects }: Pick<AnyDefinition, 'errors' | 'effects'>) {
  const isRefused = effects && !effects.unavailable
  return [
    ...new Set<ErrorCode>([...errors, ...(isRefused ? ['internal_unavailable' as const] : [])]),
  ]
}

function defaultScope({ method, path }: Pick<Endpoint, 'method' | 'path'>): TokenScope {
  if (method === 'get') return 'read'
  if (path.startsWith('/frames')) return 'frames'
  return path.startsWith('/menus') ? 'menus' : 'all'
}

/**
 * @throws AppError `rest_invalid_param` with every invalid parameter, by name; if all of them have errors of the contract (`coded`), the first of these
 */
function validate(schema: z.ZodType, value: unknown, where: 'path' | 'query' | 'body'): unknown {
  const parsed = schema.safeParse(value, { error: (issue) => describeIssue(issue) })
  if (parsed.success) return parsed.data
  const faults = parsed.error.issues.map((issue) => ({
    at: issue.path.join('.'),
    reason: issue.message,
    refuse: refusalOf(issue),
  }))
  const refuse = faults.every((fault) => fault.refuse) ? faults[0]?.refuse : undefined
  if (refuse) {
    const ofIt = faults.filter((fault) => fault.refuse === refuse)
    throw refuse(ofIt.map(({ at, reason }) => ({ at, reason })))
  }
  const others = faults.filter((fault) => !fault.refuse)
  throw invalidParams(Object.fromEntries(others.map(({ at, reason }) => [at || where, reason])))
}
