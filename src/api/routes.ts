import { type Request, type RequestHandler, type Response, Router } from 'express'
import {
  type AuthorizedSite,
  authorizeSite,
  type SiteChoice,
  siteNotFound,
} from '../auth/authorize-site.ts'
import { assertScope } from '../auth/token-scopes.ts'
import type { ByteBudget } from '../concurrency/byte-budget.ts'
import type { RequestCoalescer } from '../concurrency/request-coalescer.ts'
import { writeAs } from '../db/database.ts'
import { isMissingTable } from '../db/database-error.ts'
import { writeOnce } from '../idempotency/write-once.ts'
import { hasTables } from '../wordpress/network/find-sites.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { analyzeAhead } from './analyze-ahead.ts'
import { authorOf, callerOf } from './authenticate-request.ts'
import { type Call, type Endpoint, type EndpointServices, WithEffects } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { preconditionOf, type TaggedResponse, tagResponse } from './entity-tag.ts'
import { noRoute } from './http-errors.ts'
import { doneWrite, keyedRequestOf, sendOnce } from './idempotency-key.ts'
import { networkRoutes } from './network/network-routes.ts'
import type { ReadQueue } from './read-queue.ts'
import { hasBody, readJson } from './request-body.ts'
import { timingsOf } from './server-timing.ts'
import {
  type LegacySelector,
  legacySelectorOf,
  siteChoiceOfPath,
  siteChoiceOfSelector,
} from './site-choice.ts'

/** The services that run endpoints, and the services of the endpoints. */
export type RouteServices = EndpointServices & {
  readonly globals: GlobalTables
  /** Shares concurrent identical reads. */
  readonly coalescer: RequestCoalescer
  readonly readQueue: ReadQueue
  /** Memory for request bodies, by user. */
  readonly bodies: ByteBudget
}

/**
 * Routes every endpoint twice: below `/site/<id>`, and in the legacy addressing (contract, section 9).
 * @param basePath the path prefix of the API, without a trailing slash
 */
export function routes(basePath: string, services: RouteServices): Router {
  const router = Router()
  for (const endpoint of endpoints) {
    const handler = serveEndpoint(endpoint, services)
    router[endpoint.method](`${basePath}/site/:site_id${endpoint.path}`, handler)
    router[endpoint.method](`${basePath}${endpoint.path}`, handler)
  }
  router.use(networkRoutes(basePath, services))
  // Last in this router: otherwise Express would answer OPTIONS itself.
  router.use(noRoute)
  return router
}

function serveEndpoint(
  endpoint: Endpoint,
  { globals, coalescer, readQueue, bodies, ...services }: RouteServices,
): RequestHandler {
  return async (request, response) => {
    const { site_id: siteId, ...params } = request.params as Record<string, string>
    const caller = callerOf(response)
    response.locals.route = endpoint.path
    const timings = timingsOf(response)
    const authorize = async (choice: SiteChoice): Promise<AuthorizedSite> => {
      const authorized = await timings.time('auth', () =>
        authorizeSite(services.db, globals, caller, choice),
      )
      response.locals.site = authorized.site.blogId
      assertScope(caller.limits, endpoint.scope)
      return authorized
    }
    const reservation = hasBody(request) ? bodies.reserve(String(caller.user.id)) : undefined
    const readBody = reservation && (() => readJson(request, endpoint.maxBodyBytes, reservation))
    try {
      const { site, rights, body } = await resolveSiteAndBody(request, response, {
        authorize,
        read: readBody,
      })
      const { query } = request
      const precondition = preconditionOf(request)
      const executor = timings.measure(services.executor)
      const call = {
        ...services,
        db: writeAs(services.db, authorOf(caller, request)),
        ...{ executor, site, caller, rights, params, query, body, precondition },
      }
      const read = (key: string) =>
        call.db.validated(
          key,
          (db, beyondRows) =>
            handleCall(endpoint, { ...call, db, now: () => beyondRows(call.now()) }),
          sizeOf,
        )
      const readInQueue = (key: string) => readQueue.run(site.blogId, () => read(key))
      const input = [site.blogId, params, query, body, precondition]
      const keyed = keyedRequestOf(request, endpoint, input)
      const responding = timings.time('work', async () => {
        if (endpoint.method === 'get') {
          const key = readKeyOf(endpoint, call)
          return { answer: await coalescer.run(key, () => readInQueue(key)), replayOf: undefined }
        }
        if (!keyed) return { answer: await handleCall(endpoint, call), replayOf: undefined }
        return writeOnce({ ...call, globals }, keyed, async () => {
          const markupAnalyzer = await analyzeAhead(call, body)
          return async (db) => {
            const { handled, version } = await runHandler(endpoint, { ...call, db, markupAnalyzer })
            return doneWrite(handled, version, { ...call, requestId: request.id })
          }
        })
      })
      // Sent only to administrators of the site, because timings of others would reveal which sites exist.
      const setServerTiming = () => response.setHeader('Server-Timing', timings.describe())
      sendOnce(response, await responding.finally(setServerTiming))
    } finally {
      // Not when the client disconnects: the endpoint may still use the body.
      reservation?.release()
    }
  }
}

type RequestSteps = {
  readonly authorize: (choice: SiteChoice) => Promise<AuthorizedSite>
  /** Reads the body; undefined for a request without one. */
  readonly read: (() => Promise<unknown>) | undefined
}

/**
 * Finds and authorizes the site of a request, and reads the body. A site that the path, the query or a header names is authorized before the body is
 * read. In the legacy addressing the body may name the site too: alone, or as `blog_id`, which overrides a header or a domain.
 */
async function resolveSiteAndBody(
  request: Request,
  response: Response,
  { authorize, read }: RequestSteps,
): Promise<AuthorizedSite & { readonly body: unknown }> {
  const { site_id: siteId } = request.params
  if (siteId !== undefined) {
    const authorized = await authorize(siteChoiceOfPath(String(siteId)))
    return { ...authorized, body: await read?.() }
  }
  const choose = (selector: LegacySelector): Promise<AuthorizedSite> => {
    response.set('X-Svc-Blog-Source', selector.by)
    return authorize(siteChoiceOfSelector(selector))
  }
  const beforeBody = legacySelectorOf(request)
  if (!read) return { ...(await choose(beforeBody)), body: undefined }
  const authorized = beforeBody.by === 'default' ? undefined : await choose(beforeBody)
  const body = await read()
  const selector = legacySelectorOf(request, body)
  const isUnchanged = selector.by === beforeBody.by && selector.value === beforeBody.value
  return { ...(authorized && isUnchanged ? authorized : await choose(selector)), body }
}

type CallWithoutEtag = Omit<Call<unknown, unknown, unknown>, 'setEtag'>

async function handleCall(endpoint: Endpoint, call: CallWithoutEtag): Promise<TaggedResponse> {
  const { handled, version } = await runHandler(endpoint, call)
  const body =
    handled instanceof WithEffects ? await handled.apply(call.executor, call.site) : handled
  return tagResponse(body, version, { isRead: endpoint.method === 'get' })
}

/** @returns the response, or `WithEffects` of it, and the version of the frame or menu in it */
async function runHandler(
  endpoint: Endpoint,
  call: CallWithoutEtag,
): Promise<{ readonly handled: object; readonly version: string | undefined }> {
  let version: string | undefined
  const setEtag = (newVersion: string | undefined): void => {
    version = newVersion
  }
  const handled = await endpoint.handle({ ...call, setEtag }).catch(async (error) => {
    if (isMissingTable(error) && !(await hasTables(call.db, call.site))) throw siteNotFound()
    throw error
  })
  return { handled, version }
}

/** Everything that the response to a read depends on, except stored data: reads with the same key have the same response. */
function readKeyOf(
  { name }: Endpoint,
  { caller, rights, site, params, query }: CallWithoutEtag,
): string {
  return JSON.stringify([name, caller.user, rights, site, params, query])
}

const sizeOf = ({ bytes }: TaggedResponse): number => bytes.length
