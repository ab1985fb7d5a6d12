import { pendingEffects } from '../../build/executor/effects-of.ts'
import { isExecutorUnavailable } from '../../build/executor/executor.ts'
import { markSeen } from '../../changes/record-write.ts'
import { type RecordedChange, recordChange } from '../../content/work/record-work.ts'
import { type Db, writeAs } from '../../db/database.ts'
import { isMissingTable } from '../../db/database-error.ts'
import type { Author, Tx } from '../../db/transaction.ts'
import type { RequestCoalescer } from '../../host/concurrency/request-coalescer.ts'
import { AppError, errorRow } from '../../host/errors.ts'
import type { Precondition } from '../../host/preconditions.ts'
import type { Caller } from '../../record/auth/authenticate.ts'
import {
  type AuthorizedSite,
  authorizeSite,
  type SiteChoice,
  siteNotFound,
} from '../../record/auth/authorize-site.ts'
import type { RateLimits } from '../../record/auth/rate-limits.ts'
import { assertScope } from '../../record/auth/token-scopes.ts'
import { keyedRequest } from '../../record/idempotency/keyed-request.ts'
import { writeOnce } from '../../record/idempotency/write-once.ts'
import { hasTables } from '../../wordpress/network/find-sites.ts'
import { findNetworkRefusal } from '../authorize-network.ts'
import type {
  AnyContext,
  Endpoint,
  EndpointServices,
  SentInput,
  SiteWriteContext,
  Written,
} from '../endpoint.ts'
import { type TaggedResponse, tagResponse } from '../entity-tag.ts'
import { flag } from '../fields.ts'
import {
  invalidParam,
  mergeSent,
  refuseUnused,
  unusedFields,
  withWarnings,
} from '../sent-fields.ts'
import type { ServerTiming } from '../server-timing.ts'
import type { ReadQueue } from './read-queue.ts'
import type { UserQueues } from './user-queues.ts'

/** Where endpoints run: their services, and what all calls share. */
export type Host = EndpointServices & {
  /** Shares concurrent identical reads. */
  readonly coalescer: RequestCoalescer
  readonly readQueue: ReadQueue
  readonly userQueues: UserQueues
  /** Counts the bytes of kept answers, by token. */
  readonly limits: Pick<RateLimits, 'assertMayKeep' | 'countKept'>
}

/** The caller, and the site with the caller's rights; no site for an endpoint of the network or of the caller. */
export type CallerAccess = Pick<AuthorizedSite, 'caller'> & Partial<AuthorizedSite>

/** @param choice the site; undefined for an endpoint without one */
type Authorize = (choice?: SiteChoice) => Promise<CallerAccess>

/** A request to an endpoint, whatever way it comes. */
export type SentRequest = Pick<SentInput, 'params' | 'query'> & {
  readonly caller: Caller
  /** The history has it. Undefined for a command, whose writes have the author of the database. */
  readonly requestId: string | undefined
  readonly precondition?: Precondition | undefined
  readonly timings?: ServerTiming | undefined
  readonly signal?: AbortSignal | undefined
  /** Finds the site, has the caller authorized, and reads the body. It runs in the queue of the endpoint. */
  open(authorize: Authorize): Promise<OpenedRequest>
}

/** What is known of a request when its caller is authorized. */
export type OpenedRequest = CallerAccess &
  Pick<SentInput, 'body'> & {
    /** The `Idempotency-Key`, and the token that it belongs to. */
    readonly key?: { readonly token: string; readonly key: string } | undefined
  }

/** A response, and the id of the request that has written, if it is a repetition of that. */
export type EndpointAnswer = {
  readonly answer: TaggedResponse
  readonly replayOf?: string | undefined
}

/** An authorized call with its validated input. */
type OpenCall = AnyContext &
  Omit<OpenedRequest, 'body'> &
  SentInput & {
    readonly precondition: Precondition | undefined
    /** Before its validation. */
    readonly sentBody: unknown
    /** What the request contains and the endpoint does not use. */
    readonly unused: readonly string[]
    readonly isDryRun: boolean
  }

/** What a write has done in a transaction that is still open. */
export type Done = Omit<Written<object>, 'change'> & { readonly change?: RecordedChange }

/** A write that is ready for its transaction. */
export type ReadyWrite = {
  readonly call: OpenCall
  /** Writes in a transaction, and again if that is repeated. */
  write(tx: Tx): Promise<Done>
  /** The response if the process ended now, in the middle of the effects; undefined if there are none. */
  pending(done: Done): object | undefined
  /** Waits until what a committed write touches is built. @returns the whole response */
  finish(done: Done): Promise<object>
}

/**
 * Runs an endpoint: a read in the queue of its site, and shared with identical ones; a write in one transaction, which is rolled back if the request
 * is a dry run, and once if it has a key.
 * @throws AppError of the endpoint
 */
export function run(host: Host, endpoint: Endpoint, sent: SentRequest): Promise<EndpointAnswer> {
  return opened(host, endpoint, sent, async (known, open) => {
    if (endpoint.method === 'get')
      return { answer: await readShared(host, endpoint, known, open, sent) }
    const call = open()
    if (endpoint.write) return runWrite(host, endpoint, sent, call)
    const body = await (endpoint.act ?? endpoint.read)?.({ ...call, setEtag: () => {} })
    return {
      answer: await tagResponse(responseOf(endpoint, call, body), undefined, { isRead: false }),
    }
  })
}

/**
 * Opens a write for somebody who ends its transaction otherwise, such as a plan.
 * @throws AppError of the endpoint, and what `work` throws
 */
export function withWrite<T>(
  host: Host,
  endpoint: Endpoint,
  sent: SentRequest,
  work: (ready: ReadyWrite) => Promise<T>,
): Promise<T> {
  return opened(host, endpoint, sent, async (_, open) => work(await readyWrite(endpoint, open())))
}

/** A request to an endpoint that is a part of another one. */
export type PartialRequest = SentInput & {
  readonly endpoint: Endpoint
  readonly precondition?: Precondition | undefined
}

/**
 * Runs a write as a part of another one, in its transaction. Nothing is recorded or built: that is for the whole.
 * @param whole the call of the other one
 */
export async function runWithin(
  tx: Tx,
  whole: SiteWriteContext,
  { endpoint, precondition, ...sent }: PartialRequest,
): Promise<Written<Readonly<Record<string, unknown>>>> {
  return accepted(endpoint, sent, async (input) => {
    const executor = { ...whole.executor, within: undefined }
    const call = { ...whole, ...input, db: tx, executor, precondition }
    const prepared = await endpoint.prepare?.(call)
    const written = await completed(await writtenIn(tx, endpoint, call, prepared), tx)
    // Its errors are those of this write, not of the next one.
    await tx.flush()
    return { ...written, body: { ...written.body } }
  })
}

/**
 * Authorizes a caller for an endpoint.
 * @throws AppError `site_not_found`, `insufficient_role`, `insufficient_scope`
 */
export async function authorize(
  { db, globals }: Pick<Host, 'db' | 'globals'>,
  { on, scope }: Pick<Endpoint, 'on' | 'scope'>,
  caller: Caller,
  choice?: SiteChoice,
): Promise<CallerAccess> {
  const refusal = on === 'network' && (await findNetworkRefusal(db, globals, caller))
  if (refusal) throw refusal
  const access =
    on === 'site' && choice ? await authorizeSite(db, globals, caller, choice) : { caller }
  assertScope(access.caller.limits, scope)
  return access
}

/** Whether a request is a dry run: by a field of the body, or a parameter. @throws AppError `rest_invalid_param` */
export function wantsDryRun({
  query,
  body,
}: Pick<SentInput, 'query'> & Partial<SentInput>): boolean {
  const parsed = DRY_RUN.safeParse(Object(body).dry_run ?? Object(query).dry_run)
  if (parsed.success) return parsed.data
  throw invalidParam('dry_run', 'must be true or false')
}

const DRY_RUN = flag(false, '')

/** An authorized request with its accepted input: all that a read needs to find out whether its answer is kept. */
type AcceptedRequest = Omit<OpenedRequest, 'body'> & SentInput & Pick<OpenCall, 'unused'>

/** @param work gets what it needs for the endpoint from `open`: it is much for a read whose answer is kept */
async function opened<T>(
  host: Host,
  endpoint: Endpoint,
  sent: SentRequest,
  work: (known: AcceptedRequest, open: () => OpenCall) => Promise<T>,
): Promise<T> {
  const { caller, requestId, precondition, timings, signal } = sent
  return host.userQueues.run(endpoint, caller, async () => {
    const { body, ...access } = await sent.open((choice) =>
      authorize(host, endpoint, caller, choice),
    )
    const { db } = host
    const running = () =>
      accepted(endpoint, { ...sent, body }, (input) => {
        const isDryRun = endpoint.knowsDryRun && wantsDryRun({ query: sent.query, body })
        const known = { ...access, ...input }
        return work(known, () => {
          const executor = timings?.measure(host.executor) ?? host.executor
          return {
            ...host,
            sentBody: body,
            ...known,
            db: requestId === undefined ? db : writeAs(db, authorOf(access.caller, requestId)),
            // What a transaction would build is not built if it is rolled back.
            executor: isDryRun ? { ...executor, within: undefined } : executor,
            precondition,
            signal,
            isDryRun,
          }
        })
      })
    try {
      return await (timings ? timings.time('work', running) : running())
    } catch (error) {
      const { site } = access
      if (site && isMissingTable(error) && !(await hasTables(db, site))) throw siteNotFound()
      throw error
    }
  })
}

/** The author of what a request writes. */
export const authorOf = ({ user, tokenId, tokenLabel }: Caller, requestId: string): Author => ({
  // The operator has neither.
  userId: user.id || null,
  tokenId: tokenId || null,
  label: tokenLabel,
  requestId,
})

/**
 * Validates what an endpoint was sent, unless it is a read, and works with it. An endpoint of the contract takes fields of the body also from the query, and says what it does
 * not use, also in its errors: a misspelt field is missing where it is meant. Others refuse that.
 * @throws AppError `rest_invalid_param`
 */
async function accepted<T>(
  endpoint: Endpoint,
  sent: SentInput,
  work: (input: SentInput & Pick<OpenCall, 'unused'>) => Promise<T>,
): Promise<T> {
  const { known, isOfContract, method, ignores } = endpoint
  const isRead = method === 'get'
  const { params } = sent
  const request = isRead ? { query: sent.query, body: undefined } : sent
  if (!isOfContract) refuseUnused(request, known)
  const merged = { params, ...(isOfContract && !isRead ? mergeSent(request, known) : request) }
  const unused = isOfContract ? [...unusedFields(merged, known), ...(ignores?.(merged) ?? [])] : []
  try {
    // A read that is kept was validated when it was read.
    return await work({ ...(isRead ? merged : endpoint.validate(merged)), unused })
  } catch (error) {
    throw withUnused(error, unused)
  }
}

function withUnused(error: unknown, unused: readonly string[]): unknown {
  const isOfRequest = error instanceof AppError && errorRow(error.code).status === 400
  if (!isOfRequest || unused.length === 0) return error
  return new AppError(error.code, [error.message, ...unused].join(' '), error.fields)
}

/** A read, once for all that ask for the same at the same time, and again only if the database has changed. */
async function readShared(
  { coalescer, readQueue, db }: Host,
  endpoint: Endpoint,
  known: AcceptedRequest,
  open: () => OpenCall,
  sent: SentRequest,
): Promise<TaggedResponse> {
  const read = async (own: OpenCall): Promise<TaggedResponse> => {
    let version: string | undefined
    const setEtag = (set: string | undefined): void => {
      version = set
    }
    const body = await (endpoint.read ?? endpoint.act)?.({
      ...own,
      ...endpoint.validate(own),
      setEtag,
    })
    // The network has no entity tags: nothing of it is written on a condition.
    const response = { ...headOf(endpoint, own), ...body }
    return tagResponse(response, version, { isRead: endpoint.on === 'site' })
  }
  // Two that wait for changes would wait one after the other.
  if (endpoint.events || endpoint.on !== 'site') return read(open())
  const { site, unused } = known
  const key = readKeyOf(endpoint, known, sent)
  const validated = () =>
    db.validated(
      key,
      (db, markVolatile) => {
        const call = open()
        return read({ ...call, db, now: () => markVolatile(call.now()) })
      },
      ({ bytes }) => bytes.length,
    )
  const queued = () =>
    endpoint.hasOwnQueue || !site ? validated() : readQueue.run(site.blogId, validated)
  const answer = await coalescer.run(key, queued)
  return unused.length > 0 ? { ...answer, bytes: withWarnings(answer.bytes, unused) } : answer
}

/**
 * Everything that the response to a read depends on, except stored data: reads with the same key have the same response. A parameter that the endpoint
 * does not know must not pass by the cache, nor fill it.
 */
function readKeyOf(
  { name, known }: Endpoint,
  { caller, rights, site }: CallerAccess,
  { params, query }: SentRequest,
): string {
  const values = [...known.query].map((parameter) => Object(query)[parameter] ?? null)
  return JSON.stringify([name, caller.user, rights, site, params, values])
}

async function readyWrite(endpoint: Endpoint, call: OpenCall): Promise<ReadyWrite> {
  const { effects } = endpoint
  const { site, executor, db } = call
  const prepared = await endpoint.prepare?.(call)
  return {
    call,
    write: async (tx) => {
      const written = await writtenIn(tx, endpoint, { ...call, db: tx }, prepared)
      const { change, ...others } = written
      if (site) markSeen(tx, site)
      return change && site ? { ...others, change: await recordChange(tx, site, change) } : others
    },
    pending: ({ body, change }) =>
      effects && change && site
        ? { ...body, ...effects.report(site, pendingEffects(change), body) }
        : undefined,
    finish: async (done) => {
      const { body, change } = await completed(done, db)
      if (!effects || !change || !site) return body
      try {
        return { ...body, ...effects.report(site, await executor.apply(site, change), body) }
      } catch (error) {
        if (!effects.unavailable || !isExecutorUnavailable(error)) throw error
        // The write is stored all the same.
        return { ...body, ...effects.unavailable(error) }
      }
    },
  }
}

async function writtenIn(
  tx: Tx,
  endpoint: Endpoint,
  call: Omit<OpenCall, 'db' | 'sentBody'> & Pick<SiteWriteContext, 'db'>,
  prepared: unknown,
): Promise<Written<object>> {
  const written = await endpoint.write?.(tx, call, prepared)
  if (!written) throw new Error(`${endpoint.name} is no write`)
  const body = responseOf(endpoint, call, written.body)
  return { ...written, body: call.isDryRun ? { ...body, ...endpoint.ofDryRun } : body }
}

/** A write with its whole response. @param db the transaction while it is open */
export async function completed<Some extends Pick<Done, 'body' | 'later'>>(
  done: Some,
  db: Db,
): Promise<Some> {
  if (!done.later) return done
  return { ...done, body: { ...done.body, ...(await done.later(db)) }, later: undefined }
}

const responseOf = (
  endpoint: Endpoint,
  call: Pick<OpenCall, 'site' | 'unused'>,
  body: object = {},
): object => {
  const { warnings = [] } = body as { readonly warnings?: readonly string[] }
  return { ...headOf(endpoint, call), ...body, warnings: [...warnings, ...call.unused] }
}

/** What every response begins with. */
const headOf = ({ namesSite }: Endpoint, { site }: Pick<OpenCall, 'site'>): object => ({
  success: true,
  ...(namesSite && site ? { site_id: site.blogId } : {}),
})

async function runWrite(
  host: Host,
  endpoint: Endpoint,
  { params, query, requestId = '' }: SentRequest,
  call: OpenCall,
): Promise<EndpointAnswer> {
  const { db, site, sentBody, precondition, isDryRun, key } = call
  const written = endpoint.isOfService && site ? { blogId: site.blogId } : site
  const { tokenId } = call.caller
  const answerOf = (response: object, version?: string): Promise<TaggedResponse> =>
    tagResponse(response, version, { isRead: false })
  if (isDryRun) {
    const { write } = await readyWrite(endpoint, call)
    const { body } = await completed(await db.write({ site: written, dryRun: true }, write), db)
    return { answer: await answerOf(withoutSecrets(body)) }
  }
  if (!key || endpoint.repeatable) {
    const { write, finish } = await readyWrite(endpoint, call)
    const done = await db.write({ site: written }, write)
    return { answer: await answerOf(await finish(done), done.version) }
  }
  const identity = site
    ? [site.blogId, params, query, sentBody, precondition]
    : [params, query, sentBody]
  const keyed = keyedRequest(key.token, key.key, [endpoint.name, ...identity])
  const once = await writeOnce({ ...call, site: written }, keyed, async () => {
    await host.limits.assertMayKeep(tokenId)
    const { write, finish, pending } = await readyWrite(endpoint, call)
    return async (tx) => {
      const done = await completed(await write(tx), tx)
      const answer = async (response: object) => ({
        ...(await answerOf(response, done.version)),
        requestId,
      })
      const builds = pending(done)
      if (!builds) return { answer: await answer(done.body), complete: undefined }
      return { answer: await answer(builds), complete: async () => answer(await finish(done)) }
    }
  })
  if (once.replayOf === undefined) await host.limits.countKept(tokenId, once.answer.bytes.length)
  return once
}

/** A new token of a dry run is never valid, but it looks like one. */
export function withoutSecrets(response: object): object {
  const text = JSON.stringify(response)
  const without = text.replace(/(?:op_|whsec_)[A-Za-z0-9+/=]{20,}/g, '(shown when it is issued)')
  return without === text ? response : JSON.parse(without)
}
