import express, { type Express } from 'express'
import type { Db } from '../../db/database.ts'
import type { Log } from '../../log.ts'
import { findSite } from '../../wordpress/network/find-site.ts'
import type { GlobalTables } from '../../wordpress/network/global-tables.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { Executor } from '../executor.ts'
import type { ExecutorKey } from '../executor-key.ts'
import { type ExecutorAnswer, type ExecutorRequest, encodeEffects } from '../wire.ts'
import { OneTimeIds } from './one-time-ids.ts'
import { RefusedRequest, verifyRequest } from './verify-request.ts'

export type ExecutorServerOptions = {
  readonly db: Db
  readonly globals: GlobalTables
  readonly executor: Executor
  readonly key: ExecutorKey
  readonly log: Log
}

/** A change may name every page of a large site. */
const BODY_LIMIT = '16mb'

/** The executor for APIs in other processes: `POST /sites/<id>`, each request signed. */
export function createExecutorServer(options: ExecutorServerOptions): Express {
  const { db, globals, executor, key, log } = options
  const ids = new OneTimeIds()
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.post(
    '/sites/:site',
    express.raw({ type: () => true, limit: BODY_LIMIT }),
    async (request, response) => {
      response.locals.route = request.route.path
      const { site: blogId = '' } = request.params
      const body: Buffer = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      await verifyRequest(key, ids, {
        authorization: request.headers.authorization,
        site: Number(blogId),
        body,
      })
      const site = await findSite(db, globals, Number(blogId))
      if (!site) return void response.status(404).json({ error: `there is no site ${blogId}` })
      // What its own API signed is of the form that both sides share.
      response.json(await carryOut(executor, site, JSON.parse(body.toString())))
    },
  )
  app.use(answerFailures(log))
  return app
}

async function carryOut(
  executor: Executor,
  site: Site,
  request: ExecutorRequest,
): Promise<ExecutorAnswer> {
  return 'render' in request
    ? { html: (await executor.render(site, request.render)) ?? null }
    : { effects: encodeEffects(await executor.apply(site, request.apply)) }
}

function answerFailures(log: Log): express.ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error)
    if (error instanceof RefusedRequest) {
      log.warn({ reason: error.message, path: request.path }, 'request refused')
      return void response.status(401).json({ error: error.message })
    }
    log.error({ err: error, path: request.path }, 'executor failed')
    const status = Number(Reflect.get(Object(error), 'status'))
    response.status(status >= 400 && status < 500 ? status : 500).json({ error: 'failed' })
  }
}
