import { type RequestHandler, Router } from 'express'
import { authorizeSite } from '../callers/authorize-site.ts'
import type { GlobalTables } from '../wordpress/network/global-tables.ts'
import { callerOf } from './caller.ts'
import type { Endpoint, EndpointServices } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { siteOfPath, siteOfSelectors } from './site-choice.ts'

type RouteServices = EndpointServices & { readonly globals: GlobalTables }

/** Every endpoint twice: below `/site/<id>`, and in the old addressing (contract, section 9). */
export function routes(services: RouteServices): Router {
  const router = Router()
  for (const endpoint of endpoints) {
    router[endpoint.method](`/site/:site_id${endpoint.path}`, serve(endpoint, services))
    router[endpoint.method](endpoint.path, serve(endpoint, services))
  }
  return router
}

function serve(endpoint: Endpoint, services: RouteServices): RequestHandler {
  const { globals, ...endpointServices } = services
  return async (request, response) => {
    const { site_id: siteId, ...params } = request.params as Record<string, string>
    const choice = siteId === undefined ? siteOfSelectors(request) : siteOfPath(siteId)
    if (siteId === undefined) response.set('X-Svc-Blog-Source', choice.by)
    const caller = callerOf(response)
    const site = await authorizeSite(services.db, globals, caller.user, choice)
    const { query, body, log } = request
    response.json(
      await endpoint.handle({ ...endpointServices, site, caller, params, query, body, log }),
    )
  }
}
