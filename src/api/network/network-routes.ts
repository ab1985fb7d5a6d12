import { type RequestHandler, Router } from 'express'
import { assertScope } from '../../auth/token-scopes.ts'
import type { ByteBudget } from '../../concurrency/byte-budget.ts'
import { callerOf } from '../authenticate-request.ts'
import { hasBody, readJson } from '../request-body.ts'
import { keyedRequestOf, sendOnce } from '../run/idempotency-key.ts'
import { assertMayManageNetwork } from './authorize-network.ts'
import type { NetworkEndpoint } from './network-endpoint.ts'
import { callerEndpoints, networkEndpoints } from './network-endpoints.ts'
import { type NetworkServices, networkCall, runNetworkEndpoint } from './run-network-endpoint.ts'

type NetworkRouteServices = NetworkServices & { readonly bodies: ByteBudget }

/** Where the endpoints of the network are mounted. */
export const NETWORK_PREFIX = '/network'

/** Routes the endpoints of the network, for super administrators, and those that concern the caller. */
export function networkRoutes(basePath: string, services: NetworkRouteServices): Router {
  const router = Router()
  for (const [prefix, endpoints] of [
    [NETWORK_PREFIX, networkEndpoints],
    ['', callerEndpoints],
  ] as const) {
    for (const endpoint of endpoints) {
      const route = `${prefix}${endpoint.path}`
      router[endpoint.method](
        `${basePath}${route}`,
        serveNetworkEndpoint(endpoint, route, services),
      )
    }
  }
  return router
}

function serveNetworkEndpoint(
  endpoint: NetworkEndpoint,
  route: string,
  { bodies, ...services }: NetworkRouteServices,
): RequestHandler {
  const isForNetwork = route.startsWith(NETWORK_PREFIX)
  return async (request, response) => {
    const caller = callerOf(response)
    response.locals.route = route
    if (isForNetwork) await assertMayManageNetwork(services.db, services.globals, caller)
    // A site of a request is set once it is authorized; the network is no site.
    response.locals.site = 0
    assertScope(caller.limits, endpoint.scope)
    const reservation = hasBody(request) ? bodies.reserve(String(caller.user.id)) : undefined
    try {
      const body = reservation && (await readJson(request, endpoint.maxBodyBytes, reservation))
      const { params, query, id: requestId } = request
      const call = networkCall(services, { caller, params, query, body, requestId })
      const keyed = keyedRequestOf(request, endpoint, [params, query, body])
      sendOnce(response, await runNetworkEndpoint(endpoint, call, keyed))
    } finally {
      reservation?.release()
    }
  }
}
