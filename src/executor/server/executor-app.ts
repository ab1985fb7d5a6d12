import express, { type Express, type Request } from 'express'
import { ByteBudget, type Reservation } from '../../concurrency/byte-budget.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { findSite } from '../../wordpress/network/find-sites.ts'
import type { GlobalTables, Site } from '../../wordpress/network/site.ts'
import type { Executor } from '../executor.ts'
import {
  type ExecutorKey,
  type ExecutorRequest,
  type ExecutorResponse,
  encodeEffects,
} from '../executor-protocol.ts'
import { OneTimeIds, RefusedRequest, verifyBody, verifyRequest } from './verify-request.ts'

export type ExecutorServerOptions = {
  readonly db: Db
  readonly globals: GlobalTables
  readonly executor: Executor
  readonly key: ExecutorKey
  readonly log: Log
  /** Memory for request bodies. */
  readonly bodies?: ByteBudget
}

/** Largest body of a request, in bytes: a change may name every page of a large site. */
export const MAX_EXECUTOR_BODY_BYTES = 16 * 1024 * 1024
/** Most bytes of bodies that requests in progress hold. */
export const MAX_EXECUTOR_BYTES_IN_PROCESS = 64 * 1024 * 1024

/** The executor for APIs in other processes: `POST /sites/<id>`, each request signed. */
export function createExecutorServer(options: ExecutorServerOptions): Express {
  const { db, globals, executor, key, log } = options
  const { bodies = new ByteBudget('request bodies', MAX_EXECUTOR_BYTES_IN_PROCESS) } = options
  const ids = new OneTimeIds()
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.post('/sites/:site', async (request, response) => {
    response.locals.route = request.route.path
    const blogId = Number(request.params.site)
    const { authorization } = request.headers
    const digest = await verifyRequest(key, ids, { authorization, site: blogId })
    const reservation = bodies.reserve()
    try {
      const body = await readBytes(request, reservation)
      verifyBody(digest, body)
      const site = await findSite(db, globals, blogId)
      if (!site) return void response.status(404).json({ error: `there is no site ${blogId}` })
      // What its own API signed is of the form that both sides share.
      response.json(await executeRequest(executor, site, JSON.parse(body.toString())))
    } finally {
      reservation.release()
    }
  })
  app.use(errorHandler(log))
  return app
}

/** A request that the executor does not read, with the HTTP status of the refusal. */
class UnreadableRequest extends Error {
  override readonly name = 'UnreadableRequest'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** The body as it was sent. The API never compresses one, so nothing here can grow when it is decompressed. */
async function readBytes(request: Request, reservation: Reservation): Promise<Buffer> {
  if (request.headers['content-encoding'] !== undefined)
    throw new UnreadableRequest(415, 'the body is compressed')
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += chunk.length
      if (size > MAX_EXECUTOR_BODY_BYTES) throw new UnreadableRequest(413, 'the body is too large')
      reservation.grow(chunk.length)
      chunks.push(chunk)
    }
  } catch (error) {
    // The rest is discarded as it arrives, so that a client that first sends everything can read the answer.
    request.resume()
    throw error
  }
  return Buffer.concat(chunks)
}

async function executeRequest(
  executor: Executor,
  site: Site,
  request: ExecutorRequest,
): Promise<ExecutorResponse> {
  return 'render' in request
    ? { html: (await executor.render(site, request.render)) ?? null }
    : { effects: encodeEffects(await executor.apply(site, request.apply)) }
}

function errorHandler(log: Log): express.ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error)
    if (error instanceof RefusedRequest) {
      log.warn({ reason: error.message, path: request.path }, 'request refused')
      return void response.status(401).json({ error: error.message })
    }
    if (error instanceof UnreadableRequest || error instanceof AppError) {
      log.warn({ reason: error.message, path: request.path }, 'request not carried out')
    } else log.error({ err: error, path: request.path }, 'executor failed')
    response.status(statusOf(error)).json({ error: 'failed' })
  }
}

function statusOf(error: unknown): number {
  if (error instanceof UnreadableRequest) return error.status
  return error instanceof AppError && error.code === 'service_busy' ? 503 : 500
}
