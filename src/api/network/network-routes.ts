import { type RequestHandler, Router } from 'express'
import { assertScope } from '../../auth/token-scopes.ts'
import type { ByteBudget } from '../../concurrency/byte-budget.ts'
import { type Database, writeAs } from '../../db/database.ts'
import { writeOnce } from '../../idempotency/write-once.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { authorOf, callerOf } from '../authenticate-request.ts'
import { tagResponse } from '../entity-tag.ts'
import { keyedRequestOf, sendOnce } from '../idempotency-key.ts'
import { hasBody, readJson } from '../request-body.ts'
import { assertMayManageNetwork } from './authorize-network.ts'
import type { NetworkEndpoint } from './network-endpoint.ts'
import { callerEndpoints, networkEndpoints } from './network-endpoints.ts'

type NetworkServices = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly bodies: ByteBudget
  readonly now: () => Date
}

/** Where the endpoints of the network are mounted. */
export const NETWORK_PREFIX = '/network'

/** Routes the endpoints of the network, for super administrators, and those that concern the caller. */
export function networkRoutes(basePath: string, services: NetworkServices): Router {
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
  { db, globals, bodies, now }: NetworkServices,
): RequestHandler {
  const isForNetwork = route.startsWith(NETWORK_PREFIX)
  return async (request, response) => {
    const caller = callerOf(response)
    response.locals.route = route
    if (isForNetwork) await assertMayManageNetwork(db, globals, caller)
    // A site of a request is set once it is authorized; the network is no site.
    response.locals.site = 0
    assertScope(caller.limits, endpoint.scope)
    const reservation = hasBody(request) ? bodies.reserve(String(caller.user.id)) : undefined
    try {
      const body = reservation && (await readJson(request, endpoint.maxBodyBytes, reservation))
      const { params, query } = request
      const author = authorOf(caller, request)
      const call = { db: writeAs(db, author), globals, caller, now, params, query, body }
      const keyed = keyedRequestOf(request, endpoint, [params, query, body])
      if (!keyed) return void response.json(await endpoint.handle(call))
      const write = async (db: Database) => {
        const body = await endpoint.handle({ ...call, db })
        const answer = tagResponse(body, undefined, { isRead: false })
        return { answer: { ...answer, requestId: request.id }, complete: undefined }
      }
      const answer = await writeOnce({ ...call, effectsBudgetMs: 0 }, keyed, async () => write)
      sendOnce(response, answer)
    } finally {
      reservation?.release()
    }
  }
}
