import { type Request, type RequestHandler, type Response, Router } from 'express'
import type { ByteBudget } from '../host/concurrency/byte-budget.ts'
import type { SiteChoice } from '../record/auth/authorize-site.ts'
import { callerAgain, callerOf } from './authenticate-request.ts'
import { type Endpoint, NETWORK_PREFIX } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { preconditionOf } from './entity-tag.ts'
import { EventRequests, type EventServices } from './event-requests.ts'
import { noRoute } from './http-errors.ts'
import { hasBody, readJson } from './request-body.ts'
import { keyOf, sendOnce } from './run/idempotency-key.ts'
import { authorize, type CallerAccess, type Host, run, type SentRequest } from './run/run.ts'
import { endpointAt } from './served-routes.ts'
import { timingsOf } from './server-timing.ts'
import {
  type LegacySelector,
  legacySelectorOf,
  siteChoiceOfPath,
  siteChoiceOfSelector,
} from './site-choice.ts'

/** Where endpoints run, and the memory for what they are sent. */
export type RouteServices = Host &
  EventServices & {
    /** Memory for request bodies, by user. */
    readonly bodies: ByteBudget
  }

/**
 * Routes every endpoint: one of a site below `/site/<id>`, and in the legacy addressing.
 * @param basePath the path prefix of the API, without a trailing slash
 */
export function routes(basePath: string, services: RouteServices): Router {
  const router = Router()
  const events = new EventRequests(services)
  for (const endpoint of endpoints) {
    const { on, path, method } = endpoint
    const route = on === 'network' ? NETWORK_PREFIX + path : path
    const handler = serveEndpoint(endpoint, route, { ...services, events })
    if (on === 'site') router[method](`${basePath}/site/:site_id${path}`, handler)
    router[method](basePath + route, handler)
  }
  // Last in this router: otherwise Express would answer OPTIONS itself.
  router.use(noRoute)
  return router
}

/**
 * Whether the contract has the endpoint of a request. It also has the old addressing, and every path without an endpoint.
 * @param basePath as in `routes`
 */
export const contractRequests =
  (basePath: string) =>
  ({ method, path }: Pick<Request, 'method' | 'path'>): boolean =>
    endpointAt(method, path.slice(basePath.length))?.endpoint.isOfContract ?? true

function serveEndpoint(
  endpoint: Endpoint,
  route: string,
  { bodies, events, ...host }: RouteServices & { readonly events: EventRequests },
): RequestHandler {
  const { events: eventsAt, maxBodyBytes } = endpoint
  return async (request, response) => {
    const { site_id: siteId, ...params } = request.params as Record<string, string>
    const caller = callerOf(response)
    response.locals.route = route
    const timings = timingsOf(response)
    const reservation = hasBody(request) ? bodies.reserve(String(caller.user.id)) : undefined
    const read = reservation && (() => readJson(request, maxBodyBytes, reservation))
    let isAuthorized = false
    const open: SentRequest['open'] = async (authorize) => {
      const opened = await siteAndBodyOf(endpoint, request, response, {
        read,
        authorize: async (choice) => {
          const access = await timings.time('auth', () => authorize(choice))
          // The network is no site.
          response.locals.site = access.site?.blogId ?? 0
          isAuthorized = true
          return access
        },
      })
      return { ...opened, key: keyOf(request, endpoint) }
    }
    const { query, id: requestId } = request
    const precondition = preconditionOf(request)
    const sent = { caller, requestId, params, query, precondition, timings }
    const answer = async (opening: typeof open, signal?: AbortSignal): Promise<void> => {
      const running = run(host, endpoint, { ...sent, open: opening, signal }).finally(() => {
        // Sent only to callers who were authorized, because timings of others would reveal which sites exist.
        if (isAuthorized) response.setHeader('Server-Timing', timings.describe())
      })
      sendOnce(response, await running)
    }
    try {
      if (!eventsAt) return await answer(open)
      const access = await open((choice) => authorize(host, endpoint, caller, choice))
      const positionOf = (asked: object) =>
        eventsAt({
          ...host,
          ...access,
          ...endpoint.validate({ params, query: asked, body: undefined }),
        })
      const assertAllowed = async () => {
        const choice = access.site && siteChoiceOfPath(String(access.site.blogId))
        await authorize(host, endpoint, await callerAgain(response), choice)
      }
      const answerPage = (signal?: AbortSignal) => answer(async () => access, signal)
      await events.serve({
        request,
        response,
        caller,
        positionOf,
        answer: answerPage,
        assertAllowed,
      })
    } finally {
      // Not when the client disconnects: the endpoint may still use the body.
      reservation?.release()
    }
  }
}

type RequestSteps = {
  readonly authorize: (choice?: SiteChoice) => Promise<CallerAccess>
  /** Reads the body; undefined for a request without one. */
  readonly read: (() => Promise<unknown>) | undefined
}

/**
 * Finds and authorizes the site of a request, and reads the body. A site in the path, or in `blog_id` of the query, is authorized before the body is
 * read. In all other cases of the legacy addressing the body may name the site, with a `blog_id` that overrides the header and `domain`, even if those
 * name a site that is not the caller's.
 */
async function siteAndBodyOf(
  { on }: Endpoint,
  request: Request,
  response: Response,
  { authorize, read }: RequestSteps,
): Promise<CallerAccess & { readonly body: unknown }> {
  const { site_id: siteId } = request.params
  if (siteId !== undefined || on !== 'site') {
    const access = await authorize(on === 'site' ? siteChoiceOfPath(String(siteId)) : undefined)
    return { ...access, body: await read?.() }
  }
  const choose = (selector: LegacySelector): Promise<CallerAccess> => {
    response.set('X-Svc-Blog-Source', selector.by)
    return authorize(siteChoiceOfSelector(selector))
  }
  const beforeBody = legacySelectorOf(request)
  if (!read) return { ...(await choose(beforeBody)), body: undefined }
  const authorized = beforeBody.by === 'blog_id' ? await choose(beforeBody) : undefined
  const body = await read()
  return { ...(authorized ?? (await choose(legacySelectorOf(request, body)))), body }
}
