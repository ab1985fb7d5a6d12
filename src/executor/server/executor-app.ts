import express, { type Express } from 'express'
import type { Db } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { findSite } from '../../wordpress/network/find-sites.ts'
import type { GlobalTables, Site } from '../../wordpress/network/site.ts'
import {
  type ExecutorKey,
  type ExecutorRequest,
  type ExecutorResponse,
  encodeEffects,
} from '../executor-protocol.ts'
import type { LocalExecutor } from '../local-executor.ts'
import { verifyBody, verifyRequest } from './verify-request.ts'

export type ExecutorAppOptions = {
  readonly db: Db
  readonly globals: GlobalTables
  readonly executor: Pick<LocalExecutor, 'apply' | 'rebake'>
  /** The keys that requests may be signed with. */
  readonly keys: readonly ExecutorKey[]
  readonly log: Log
}

/** Maximum size of a request body, in bytes: that of a change of 40,000 pages. */
export const MAX_EXECUTOR_BODY_BYTES = 2 * 1024 * 1024

/** Creates the HTTP server of the executor for APIs in other processes: `POST /sites/<id>/effects`, each request signed. */
export function createExecutorApp({
  db,
  globals,
  executor,
  keys,
  log,
}: ExecutorAppOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.post(
    '/sites/:site/effects',
    async (request, response, next) => {
      response.locals.route = request.route.path
      const { authorization } = request.headers
      const site = Number(request.params.site)
      response.locals.digest = await verifyRequest(keys, { authorization, site })
      next()
    },
    // The API sends no compressed bodies, so a body cannot grow by decompression.
    express.raw({ type: () => true, limit: MAX_EXECUTOR_BODY_BYTES, inflate: false }),
    async (request, response) => {
      const body = String(request.body)
      verifyBody(response.locals.digest, body)
      const blogId = Number(request.params.site)
      const site = await findSite(db, globals, blogId)
      if (!site) return void response.status(404).json({ error: `there is no site ${blogId}` })
      // The body needs no validation: the API signed it, and both sides share its type.
      response.json(await executeRequest(executor, site, JSON.parse(body)))
    },
  )
  app.use(errorHandler(log))
  return app
}

async function executeRequest(
  executor: ExecutorAppOptions['executor'],
  site: Site,
  request: ExecutorRequest,
): Promise<ExecutorResponse> {
  const effects =
    'rebake' in request
      ? await executor.rebake(site, request.rebake)
      : await executor.apply(site, { ...request.apply, isRecorded: request.apply.version > 0 })
  return { effects: encodeEffects(effects) }
}

/** Errors of requests that are refused have a status. */
function errorHandler(log: Log): express.ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error)
    const status = Reflect.get(Object(error), 'status')
    if (error instanceof Error && typeof status === 'number' && status < 500) {
      log.warn({ reason: error.message, path: request.path }, 'request rejected')
      return void response.status(status).json({ error: error.message })
    }
    log.error({ err: error, path: request.path }, 'executor failed')
    response.status(500).json({ error: 'failed' })
  }
}
