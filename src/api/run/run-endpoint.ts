import type { Caller } from '../../auth/authenticate.ts'
import { siteNotFound } from '../../auth/authorize-site.ts'
import type { RateLimits } from '../../auth/rate-limits.ts'
import type { RequestCoalescer } from '../../concurrency/request-coalescer.ts'
import { type Database, writeAs } from '../../db/database.ts'
import { isMissingTable } from '../../db/database-error.ts'
import type { Author } from '../../db/transaction.ts'
import type { KeyedRequest } from '../../idempotency/keyed-request.ts'
import { writeOnce } from '../../idempotency/write-once.ts'
import { hasTables } from '../../wordpress/network/find-sites.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { type Call, type Endpoint, type EndpointServices, WithEffects } from '../endpoint.ts'
import { type TaggedResponse, tagResponse } from '../entity-tag.ts'
import { withWarnings } from '../sent-fields.ts'
import type { ServerTiming } from '../server-timing.ts'
import { analyzeAhead } from './analyze-ahead.ts'
import { doneWrite } from './idempotency-key.ts'
import type { ReadQueue } from './read-queue.ts'
import { readWarnings, runSent } from './run-sent.ts'
import type { UserQueues } from './user-queues.ts'

/** The services that run endpoints, and the services of the endpoints. */
export type RunServices = EndpointServices & {
  readonly globals: GlobalTables
  /** Shares concurrent identical reads. */
  readonly coalescer: RequestCoalescer
  readonly readQueue: ReadQueue
  readonly userQueues: UserQueues
  /** Counts the bytes of kept answers, by token. */
  readonly limits: RateLimits
}

/** One call of an endpoint of a site by an authorized caller. The input is not validated yet. */
export type SiteCall = Omit<Call<unknown, unknown, unknown>, 'setEtag'> & {
  readonly requestId: string
}

/** A response, and the id of the request that has written, if it is a repetition of that. */
export type EndpointAnswer = {
  readonly answer: TaggedResponse
  readonly replayOf: string | undefined
}

/** What a handler returns: the response, or `WithEffects` of it, and the version of the frame or menu in it. */
export type Handled = { readonly handled: object; readonly version: string | undefined }

/** A write that can run within an open transaction: on a database that has joined it, and again if the transaction is repeated. */
export type PreparedWrite = (db: Database) => Promise<Handled>

/** The author of what a request writes. */
export function authorOf({ user, tokenId, tokenLabel }: Caller, requestId: string): Author {
  return { userId: user.id, tokenId, label: tokenLabel, requestId }
}

/** The call of an endpoint: its writes have the caller as their author. */
export function siteCall(
  {
    globals: _,
    coalescer: __,
    readQueue: ___,
    userQueues: ____,
    limits: _____,
    ...services
  }: RunServices,
  request: Omit<SiteCall, keyof EndpointServices>,
  timings: ServerTiming,
): SiteCall {
  return {
    ...services,
    db: writeAs(services.db, authorOf(request.caller, request.requestId)),
    executor: timings.measure(services.executor),
    ...request,
  }
}

/**
 * Runs an endpoint of a site: a read in the queue of its site, and shared with identical ones; a write with a key once.
 * @throws AppError of the endpoint
 */
export async function runEndpoint(
  endpoint: Endpoint,
  { globals, coalescer, readQueue, limits }: RunServices,
  call: SiteCall,
  keyed?: KeyedRequest,
): Promise<EndpointAnswer> {
  // Two that wait for changes would wait one after the other.
  if (endpoint.isFeed) return { answer: await handleCall(endpoint, call), replayOf: undefined }
  if (endpoint.method === 'get') {
    const key = readKeyOf(endpoint, call)
    const read = () =>
      call.db.validated(
        key,
        (db, markVolatile) =>
          handleCall(endpoint, {
            ...call,
            query: knownQuery(endpoint, call),
            db,
            now: () => markVolatile(call.now()),
          }),
        sizeOf,
      )
    const readInQueue = () =>
      endpoint.hasOwnQueue ? read() : readQueue.run(call.site.blogId, read)
    const warnings = readWarnings(endpoint, call)
    const answer = await coalescer.run(key, readInQueue)
    const bytes = warnings.length > 0 ? withWarnings(answer.bytes, warnings) : answer.bytes
    return { answer: { ...answer, bytes }, replayOf: undefined }
  }
  if (!keyed) return { answer: await handleCall(endpoint, call), replayOf: undefined }
  const { tokenId } = call.caller
  const once = await writeOnce({ ...call, globals }, keyed, async () => {
    await limits.assertMayKeep(tokenId)
    const write = await prepareWrite(endpoint, call)
    return async (db) => {
      const { handled, version } = await write(db)
      return doneWrite(handled, version, call)
    }
  })
  if (once.replayOf === undefined) await limits.countKept(tokenId, once.answer.bytes.length)
  return once
}

/** Does what a write of a site needs before its transaction. */
export async function prepareWrite(endpoint: Endpoint, call: SiteCall): Promise<PreparedWrite> {
  const markupAnalyzer = await analyzeAhead(call, call.body)
  return (db) => runHandler(endpoint, { ...call, db, markupAnalyzer })
}

async function handleCall(endpoint: Endpoint, call: SiteCall): Promise<TaggedResponse> {
  const { handled, version } = await runHandler(endpoint, call)
  const body =
    handled instanceof WithEffects ? await handled.apply(call.executor, call.site) : handled
  return tagResponse(body, version, { isRead: endpoint.method === 'get' })
}

async function runHandler(endpoint: Endpoint, call: SiteCall): Promise<Handled> {
  let version: string | undefined
  const setEtag = (newVersion: string | undefined): void => {
    version = newVersion
  }
  const handled = await runSent(endpoint, { ...call, setEtag }).catch(async (error) => {
    if (isMissingTable(error) && !(await hasTables(call.db, call.site))) throw siteNotFound()
    throw error
  })
  return { handled, version }
}

/** Everything that the response to a read depends on, except stored data: reads with the same key have the same response. */
function readKeyOf(endpoint: Endpoint, { caller, rights, site, params, query }: SiteCall): string {
  // A parameter that the endpoint does not know must not pass by the cache, nor fill it.
  const known = Object.keys(endpoint.query.shape).map((name) => Object(query)[name] ?? null)
  return JSON.stringify([endpoint.name, caller.user, rights, site, params, known])
}

/** Others may read the same with other parameters that the endpoint does not know. */
const knownQuery = ({ known }: Endpoint, { query }: SiteCall): object =>
  Object.fromEntries(Object.entries(Object(query)).filter(([name]) => known.query.has(name)))

const sizeOf = ({ bytes }: TaggedResponse): number => bytes.length
