import { type Request, type RequestHandler, type Response, Router } from 'express'
import { type AuthorizedSite, authorizeSite, type SiteChoice } from '../auth/authorize-site.ts'
import { assertScope } from '../auth/token-scopes.ts'
import type { ByteBudget } from '../concurrency/byte-budget.ts'
import { callerAgain, callerOf } from './authenticate-request.ts'
import type { Endpoint } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { preconditionOf } from './entity-tag.ts'
import { FeedRequests, type FeedServices } from './events/feed-requests.ts'
import { noRoute } from './http-errors.ts'
import { networkRoutes } from './network/network-routes.ts'
import { hasBody, readJson } from './request-body.ts'
import { keyedRequestOf, sendOnce } from './run/idempotency-key.ts'
import { type RunServices, runEndpoint, siteCall } from './run/run-endpoint.ts'
import { timingsOf } from './server-timing.ts'
import {
  type LegacySelector,
  legacySelectorOf,
  siteChoiceOfPath,
  siteChoiceOfSelector,
} from './site-choice.ts'

/** The services that run endpoints, and the memory for what they are sent. */
export type RouteServices = RunServices &
  FeedServices & {
    /** Memory for request bodies, by user. */
    readonly bodies: ByteBudget
  }

/**
 * Routes every endpoint twice: below `/site/<id>`, and in the legacy addressing.
 * @param basePath the path prefix of the API, without a trailing slash
 */
export function routes(basePath: string, services: RouteServices): Router {
  const router = Router()
  const feeds = new FeedRequests(services)
  for (const endpoint of endpoints) {
    const handler = serveEndpoint(endpoint, { ...services, feeds })
    router[endpoint.method](`${basePath}/site/:site_id${endpoint.path}`, handler)
    router[endpoint.method](`${basePath}${endpoint.path}`, handler)
  }
  router.use(networkRoutes(basePath, { ...services, feeds }))
  // Last in this router: otherwise Express would answer OPTIONS itself.
  router.use(noRoute)
  return router
}

function serveEndpoint(
  endpoint: Endpoint,
  { bodies, feeds, ...services }: RouteServices & { readonly feeds: FeedRequests },
): RequestHandler {
  const serve: RequestHandler = async (request, response) => {
    const { site_id: siteId, ...params } = request.params as Record<string, string>
    const caller = callerOf(response)
    response.locals.route = endpoint.path
    const timings = timingsOf(response)
    const authorize = async (choice: SiteChoice): Promise<AuthorizedSite> => {
      const authorized = await timings.time('auth', () =>
        authorizeSite(services.db, services.globals, caller, choice),
      )
      response.locals.site = authorized.site.blogId
      assertScope(caller.limits, endpoint.scope)
      return authorized
    }
    const reservation = hasBody(request) ? bodies.reserve(String(caller.user.id)) : undefined
    const readBody = reservation && (() => readJson(request, endpoint.maxBodyBytes, reservation))
    try {
      const { body, ...authorized } = await resolveSiteAndBody(request, response, {
        authorize,
        read: readBody,
      })
      const { query, id: requestId } = request
      const precondition = preconditionOf(request)
      const { site } = authorized
      const input = { ...authorized, params, query, body, precondition, requestId }
      const call = siteCall(services, input, timings)
      const identity = [site.blogId, params, query, body, precondition]
      const keyed = keyedRequestOf(request, endpoint, identity)
      // Sent only to administrators of the site, because timings of others would reveal which sites exist.
      const setServerTiming = () => response.setHeader('Server-Timing', timings.describe())
      const answer = async (signal?: AbortSignal) => {
        const run = () => runEndpoint(endpoint, services, { ...call, signal }, keyed)
        sendOnce(response, await timings.time('work', run).finally(setServerTiming))
      }
      const { feed } = endpoint
      if (!feed) return await answer()
      const feedOf = (asked: object) => feed({ ...call, query: asked, setEtag: () => {} })
      const assertAllowed = async () => {
        const again = await callerAgain(response)
        const choice = siteChoiceOfPath(String(site.blogId))
        const allowed = await authorizeSite(services.db, services.globals, again, choice)
        assertScope(allowed.caller.limits, endpoint.scope)
      }
      await feeds.serve({ request, response, caller, feedOf, answer, assertAllowed })
    } finally {
      // Not when the client disconnects: the endpoint may still use the body.
      reservation?.release()
    }
  }
  // Before the body is read: it may have megabytes, and parsing it takes the main thread.
  return (request, response, next) =>
    services.userQueues.run(endpoint, callerOf(response), async () =>
      serve(request, response, next),
    )
}

type RequestSteps = {
  readonly authorize: (choice: SiteChoice) => Promise<AuthorizedSite>
  /** Reads the body; undefined for a request without one. */
  readonly read: (() => Promise<unknown>) | undefined
}

/**
 * Finds and authorizes the site of a request, and reads the body. A site in the path, or in `blog_id` of the query, is authorized before the body is
 * read. In all other cases of the legacy addressing the body may name the site, with a `blog_id` that overrides the header and `domain`, even if those
 * name a site that is not the caller's.
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
  const authorized = beforeBody.by === 'blog_id' ? await choose(beforeBody) : undefined
  const body = await read()
  return { ...(authorized ?? (await choose(legacySelectorOf(request, body)))), body }
}
