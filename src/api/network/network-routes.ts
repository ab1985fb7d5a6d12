import { type RequestHandler, Router } from 'express'
import type { Caller } from '../../auth/authenticate.ts'
import { assertScope } from '../../auth/token-scopes.ts'
import type { ByteBudget } from '../../concurrency/byte-budget.ts'
import { callerAgain, callerOf } from '../authenticate-request.ts'
import type { FeedRequests } from '../events/feed-requests.ts'
import { hasBody, readJson } from '../request-body.ts'
import { keyedRequestOf, sendOnce } from '../run/idempotency-key.ts'
import { assertMayManageNetwork } from './authorize-network.ts'
import { callerEndpoints } from './caller-endpoints.ts'
import { NETWORK_PREFIX, type NetworkEndpoint } from './network-endpoint.ts'
import { networkEndpoints } from './network-endpoints.ts'
import { type NetworkServices, networkCall, runNetworkEndpoint } from './run-network-endpoint.ts'

type NetworkRouteServices = NetworkServices & {
  readonly bodies: ByteBudget
  readonly feeds: FeedRequests
}

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
  { bodies, feeds, ...services }: NetworkRouteServices,
): RequestHandler {
  const isForNetwork = route.startsWith(NETWORK_PREFIX)
  return async (request, response) => {
    const caller = callerOf(response)
    response.locals.route = route
    const authorize = async (one: Caller) => {
      if (isForNetwork) await assertMayManageNetwork(services.db, services.globals, one)
      // A site of a request is set once it is authorized; the network is no site.
      response.locals.site = 0
      assertScope(one.limits, endpoint.scope)
    }
    await authorize(caller)
    const reservation = hasBody(request) ? bodies.reserve(String(caller.user.id)) : undefined
    try {
      const body = reservation && (await readJson(request, endpoint.maxBodyBytes, reservation))
      const { params, query, id: requestId } = request
      const call = networkCall(services, { caller, params, query, body, requestId })
      const keyed = keyedRequestOf(request, endpoint, [params, query, body])
      const answer = async (signal?: AbortSignal) =>
        sendOnce(response, await runNetworkEndpoint(endpoint, { ...call, signal }, keyed))
      const { feed } = endpoint
      if (!feed) return await answer()
      const feedOf = (asked: object) => feed({ ...call, query: asked })
      const assertAllowed = async () => authorize(await callerAgain(response))
      await feeds.serve({ request, response, caller, feedOf, answer, assertAllowed })
    } finally {
      reservation?.release()
    }
  }
}
