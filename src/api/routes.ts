import { type Request, type RequestHandler, type Response, Router } from 'express'
import { authorizeSite, type SiteChoice, siteNotFound } from '../callers/authorize-site.ts'
import { FairQueue } from '../concurrency/fair-queue.ts'
import { isMissingTable } from '../db/database-error.ts'
import type { SharedReads } from '../shared-reads.ts'
import { hasTables } from '../wordpress/network/find-site.ts'
import type { GlobalTables } from '../wordpress/network/global-tables.ts'
import { callerOf } from './caller.ts'
import type { Call, Endpoint, EndpointServices } from './endpoint.ts'
import { endpoints } from './endpoints.ts'
import { expectationOf, sendTagged, type TaggedAnswer, tagAnswer } from './entity-tag.ts'
import { noRoute } from './no-route.ts'
import { timingsOf } from './server-timing.ts'
import { selectorOf, siteOfPath, siteOfSelector } from './site-choice.ts'

type RouteServices = EndpointServices & {
  readonly globals: GlobalTables
  readonly reads: SharedReads
  /** Where the API is mounted, without a slash at the end. */
  readonly basePath: string
}

/** Reads of one site that run at the same time in a process; further ones wait. So one site's reads never take all connections. */
export const MAX_RUNNING_READS = 2
/** Reads of one site that may wait. */
export const MAX_WAITING_READS = 100
/** Longest wait of a read, in milliseconds. */
export const MAX_READ_WAIT_MS = 10_000

/** Every endpoint twice: below `/site/<id>`, and in the old addressing (contract, section 9). */
export function routes({ globals, reads, basePath, ...services }: RouteServices): Router {
  const router = Router()
  const readQueue = new FairQueue({
    resource: 'reads of this site',
    concurrency: Number.POSITIVE_INFINITY,
    concurrencyPerKey: MAX_RUNNING_READS,
    maxWaitingPerKey: MAX_WAITING_READS,
    maxWaitMs: MAX_READ_WAIT_MS,
  })
  for (const endpoint of endpoints) {
    const handler = serve(endpoint, { globals, reads, readQueue }, services)
    router[endpoint.method](`${basePath}/site/:site_id${endpoint.path}`, handler)
    router[endpoint.method](`${basePath}${endpoint.path}`, handler)
  }
  // Last in this router, or Express would answer OPTIONS by itself.
  router.use(noRoute)
  return router
}

type ReadServices = Pick<RouteServices, 'globals' | 'reads'> & { readonly readQueue: FairQueue }

function serve(
  endpoint: Endpoint,
  { globals, reads, readQueue }: ReadServices,
  services: EndpointServices,
): RequestHandler {
  return async (request, response) => {
    const { site_id: siteId, ...params } = request.params as Record<string, string>
    const choice = siteId === undefined ? chooseByOldWays(request, response) : siteOfPath(siteId)
    const caller = callerOf(response)
    response.locals.route = endpoint.path
    const timings = timingsOf(response)
    const site = await timings.time('auth', () =>
      authorizeSite(services.db, globals, caller, choice),
    )
    response.locals.site = site.blogId
    const { query, body, log } = request
    const expected = expectationOf(request)
    const executor = timings.over(services.executor)
    const call = { ...services, executor, site, caller, params, query, body, log, expected }
    const work = () => answer(endpoint, call)
    const read = () => readQueue.run(String(site.blogId), work)
    const answering = timings.time('work', () =>
      endpoint.method === 'get' ? reads.share(keyOf(endpoint, call), read) : work(),
    )
    // For administrators of the site: nobody else is to learn what looking for a site takes.
    const tellTimings = () => response.set('Server-Timing', timings.describe())
    sendTagged(response, await answering.finally(tellTimings))
  }
}

type ToldCall = Omit<Call<unknown, unknown, unknown>, 'tellVersion'>

async function answer(endpoint: Endpoint, call: ToldCall): Promise<TaggedAnswer> {
  let version: string | undefined
  const tellVersion = (told: string | undefined): void => {
    version = told
  }
  const body = await endpoint.handle({ ...call, tellVersion }).catch(async (error) => {
    if (isMissingTable(error) && !(await hasTables(call.db, call.site))) throw siteNotFound()
    throw error
  })
  return tagAnswer(body, version, { isRead: endpoint.method === 'get' })
}

/** All that the answer to a read may depend on. */
function keyOf({ name }: Endpoint, { caller, site, params, query }: ToldCall): string {
  return JSON.stringify([name, caller.user.id, site.blogId, params, query])
}

function chooseByOldWays(request: Request, response: Response): SiteChoice {
  const selector = selectorOf(request)
  response.set('X-Svc-Blog-Source', selector.by)
  return siteOfSelector(selector)
}
