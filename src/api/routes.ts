import { type Request, type RequestHandler, type Response, Router } from 'express'
import { authorizeSite, type SiteChoice } from '../callers/authorize-site.ts'
import { timed } from '../timings.ts'
import type { GlobalTables } from '../wordpress/network/global-tables.ts'
import { callerOf } from './caller.ts'
import type { Endpoint, EndpointServices } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { expectationOf, sendTagged } from './entity-tag.ts'
import { noRoute } from './no-route.ts'
import { setServerTiming, timedExecutor } from './server-timing.ts'
import { selectorOf, siteOfPath, siteOfSelector } from './site-choice.ts'

type RouteServices = EndpointServices & {
  readonly globals: GlobalTables
  /** Where the API is mounted, without a slash at the end. */
  readonly basePath: string
}

/** Every endpoint twice: below `/site/<id>`, and in the old addressing (contract, section 9). */
export function routes({ globals, basePath, ...options }: RouteServices): Router {
  const services = { ...options, executor: timedExecutor(options.executor) }
  const router = Router()
  for (const endpoint of endpoints) {
    const handler = serve(endpoint, globals, services)
    router[endpoint.method](`${basePath}/site/:site_id${endpoint.path}`, handler)
    router[endpoint.method](`${basePath}${endpoint.path}`, handler)
  }
  // Last in this router, or Express would answer OPTIONS by itself.
  router.use(noRoute)
  return router
}

function serve(
  endpoint: Endpoint,
  globals: GlobalTables,
  services: EndpointServices,
): RequestHandler {
  return async (request, response) => {
    const { site_id: siteId, ...params } = request.params as Record<string, string>
    const choice = siteId === undefined ? chooseByOldWays(request, response) : siteOfPath(siteId)
    const caller = callerOf(response)
    response.locals.route = endpoint.path
    const site = await timed('auth', () => authorizeSite(services.db, globals, caller, choice))
    response.locals.site = site.blogId
    const { query, body, log } = request
    let version: string | undefined
    const answering = endpoint.handle({
      ...services,
      site,
      caller,
      params,
      query,
      body,
      log,
      expected: expectationOf(request),
      tellVersion: (told) => {
        version = told
      },
    })
    const answer = await answering.finally(() => setServerTiming(response))
    sendTagged(request, response, answer, version)
  }
}

function chooseByOldWays(request: Request, response: Response): SiteChoice {
  const selector = selectorOf(request)
  response.set('X-Svc-Blog-Source', selector.by)
  return siteOfSelector(selector)
}
