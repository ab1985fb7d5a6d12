import { type RequestHandler, Router } from 'express'
import type { Caller } from '../../auth/authenticate.ts'
import { assertScope } from '../../auth/token-scopes.ts'
import type { ByteBudget } from '../../concurrency/byte-budget.ts'
import { type Database, writeAs } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { writeOnce } from '../../idempotency/write-once.ts'
import type { GlobalTables } from '../../wordpress/network/site.ts'
import { isSuperAdminEverywhere } from '../../wordpress/users/site-membership.ts'
import { authorOf, callerOf } from '../authenticate-request.ts'
import { tagResponse } from '../entity-tag.ts'
import { keyedRequestOf, sendOnce } from '../idempotency-key.ts'
import { hasBody, readJson } from '../request-body.ts'
import type { NetworkEndpoint } from './network-endpoint.ts'
import { networkEndpoints } from './network-endpoints.ts'

type NetworkServices = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly bodies: ByteBudget
  readonly now: () => Date
}

/** Where the endpoints of the network are mounted. */
export const NETWORK_PREFIX = '/network'

/** Routes the endpoints of the network. */
export function networkRoutes(basePath: string, services: NetworkServices): Router {
  const router = Router()
  for (const endpoint of networkEndpoints) {
    const path = `${basePath}${NETWORK_PREFIX}${endpoint.path}`
    router[endpoint.method](path, serveNetworkEndpoint(endpoint, services))
  }
  return router
}

function serveNetworkEndpoint(
  endpoint: NetworkEndpoint,
  { db, globals, bodies, now }: NetworkServices,
): RequestHandler {
  return async (request, response) => {
    const caller = callerOf(response)
    response.locals.route = `${NETWORK_PREFIX}${endpoint.path}`
    await assertMayManageNetwork(db, globals, caller)
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

/** @throws AppError `insufficient_role`; `insufficient_scope` for a token that is limited to sites */
async function assertMayManageNetwork(
  db: Database,
  globals: GlobalTables,
  { user, limits }: Caller,
): Promise<void> {
  if (!(await isSuperAdminEverywhere(db, globals, user))) {
    throw new AppError(
      'insufficient_role',
      'This token does not belong to a super administrator of the network. Use a token of one.',
    )
  }
  if (limits.sites === null) return
  throw new AppError(
    'insufficient_scope',
    'This token is limited to sites, and this request concerns the network. Use a token without that limit.',
    { scope: limits.scope, required: 'all' },
  )
}
