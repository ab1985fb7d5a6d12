import { type Client, createClient } from '#client'
import type { Endpoint } from '../api/endpoint.ts'
import { examinationQueue } from '../api/endpoints/findings.ts'
import { readPrecondition } from '../api/entity-tag.ts'
import { errorResponseOf, knownErrorOf, noRoute } from '../api/http-errors.ts'
import { ReadQueue } from '../api/run/read-queue.ts'
import { type Host, run } from '../api/run/run.ts'
import { UserQueues } from '../api/run/user-queues.ts'
import { endpointAt } from '../api/served-routes.ts'
import { RequestCoalescer } from '../host/concurrency/request-coalescer.ts'
import type { Caller } from '../record/auth/authenticate.ts'
import { OPERATOR } from '../record/auth/authorize-site.ts'
import { UNLIMITED } from '../record/auth/token-scopes.ts'
import type { Site } from '../wordpress/network/site.ts'
import { findUserByLogin } from '../wordpress/users/users.ts'
import { type CliServices, CommandError } from './cli-context.ts'
import { getSite } from './sites/get-site.ts'
import { COMMAND, commandLabel } from './with-services.ts'

/** No request is sent to it. */
const HERE = 'http://localhost'

/** The headers that have an effect without a service. */
const CONDITIONS = ['if-match', 'if-none-match']
/** What the client sends by itself. */
const OF_CLIENT = ['accept', 'authorization', 'content-type']

/** The operator, as the caller of an endpoint: without a token, and without a user unless one is named as the author. */
const operator = (userId: number): Caller => ({
  tokenId: 0,
  tokenLabel: commandLabel(),
  tokenExpiresAt: null,
  limits: UNLIMITED,
  user: { id: userId, login: '', isBlocked: false },
  membership: { blogId: 0, blog: undefined, rights: OPERATOR },
  isOperator: true,
})

/**
 * A client whose requests are answered in this process, as the operator on its database. A write waits for its effects.
 * @param userId author of frames and items that are written [none]
 */
export function inProcessClient(services: CliServices, userId = 0): Client {
  const host = operatorsHost(services)
  return createClient({
    url: HERE,
    token: COMMAND,
    fetch: (request) => answer(services, host, operator(userId), request),
    retries: 0,
    idempotencyKeys: false,
  })
}

/**
 * The id of the author that `--user` names; 0 without one.
 * @throws CommandError if no user has this login
 */
export async function getAuthorId(
  { db, globals }: CliServices,
  login: string | undefined,
): Promise<number> {
  if (login === undefined) return 0
  const user = await findUserByLogin(db, globals, login)
  if (user) return user.id
  throw new CommandError(
    `There is no user with the login "${login}". The logins are in wp-admin under Network Admin, Users; WP-CLI lists them with "wp user list --network --field=user_login".`,
  )
}

function operatorsHost(services: CliServices): Host {
  const { api } = services.db.timings
  return {
    ...services,
    storedMbPerSite: services.config.storedMbPerSite,
    markupWriters: services.config.markupWriters,
    effectsBudgetMs: Number.POSITIVE_INFINITY,
    now: () => new Date(),
    coalescer: new RequestCoalescer(),
    readQueue: new ReadQueue(api),
    userQueues: new UserQueues(api),
    examinations: examinationQueue(api.examinationWaitMs),
    // Only requests with a key count.
    limits: { assertMayKeep: async () => {}, countKept: async () => {} },
  }
}

/**
 * The response of an endpoint, also with an error of the API.
 * @throws what the operator can resolve and a service would not describe to a client, such as the failure of the database; what nobody expects
 */
async function answer(
  services: CliServices,
  host: Host,
  caller: Caller,
  request: Request,
): Promise<Response> {
  try {
    const { endpoint, params, site } = await routeOf(services, request)
    const precondition = readConditions(request, endpoint)
    const text = await request.text()
    const { answer } = await run(host, endpoint, {
      caller,
      // The database has the author of the command.
      requestId: undefined,
      params,
      query: Object.fromEntries(new URL(request.url).searchParams),
      precondition,
      signal: request.signal,
      open: async () => ({
        caller,
        body: text === '' ? undefined : JSON.parse(text),
        ...(site ? { site, rights: OPERATOR } : {}),
      }),
    })
    return response(200, answer.bytes, answer.tag)
  } catch (error) {
    const known = knownErrorOf(error)
    if (!known) throw error
    const { status, body } = errorResponseOf(known)
    return response(status, JSON.stringify(body))
  }
}

const response = (status: number, body: string | Buffer, tag?: string): Response =>
  new Response(typeof body === 'string' ? body : new Uint8Array(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...(tag === undefined ? {} : { ETag: tag }) },
  })

type Route = {
  readonly endpoint: Endpoint
  readonly params: Record<string, string>
  readonly site: Site | undefined
}

/** @throws AppError `rest_no_route`; CommandError for an endpoint about a token, and for a site that does not exist */
async function routeOf(services: CliServices, { method, url }: Request): Promise<Route> {
  const { pathname } = new URL(url)
  const found = endpointAt(method, pathname)
  if (!found || !/^(?:[1-9]\d{0,14})?$/.test(found.siteId ?? ''))
    return noRoute({ method, originalUrl: pathname })
  const { siteId, ...route } = found
  if (siteId !== undefined)
    return { ...route, site: await getSite(services, { blogId: Number(siteId) }) }
  if (route.endpoint.name !== 'getMe') return { ...route, site: undefined }
  throw new CommandError(
    `${pathname} is about the user of a token, and this command has none. Log in with "wp-frames login <url>".`,
  )
}

/** @throws CommandError for a header that has no effect without a service */
function readConditions({ headers }: Request, { on }: Endpoint) {
  const known = on === 'site' ? [...OF_CLIENT, ...CONDITIONS] : OF_CLIENT
  const other = [...headers.keys()].find((name) => !known.includes(name))
  if (other !== undefined)
    throw new CommandError(
      `The header ${other} has no effect without a service. Log in with "wp-frames login <url>", or leave it out.`,
    )
  const [match, noneMatch] = CONDITIONS.map((name) => headers.get(name) ?? undefined)
  return readPrecondition(match, noneMatch)
}
