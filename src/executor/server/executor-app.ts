import express, { type Express, type Request } from 'express'
import type { ByteBudget, Reservation } from '../../concurrency/byte-budget.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
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
import { RefusedRequest, verifyBody, verifyRequest } from './verify-request.ts'

export type ExecutorAppOptions = {
  readonly db: Db
  readonly globals: GlobalTables
  readonly executor: Pick<LocalExecutor, 'apply' | 'rebake'>
  readonly key: ExecutorKey
  readonly log: Log
  /** Memory budget of request bodies. */
  readonly bodies: ByteBudget
}

/** Maximum size of a request body, in bytes: a change may list every page of a large site. */
export const MAX_EXECUTOR_BODY_BYTES = 16 * 1024 * 1024
/** Maximum size of all request bodies in memory, in bytes. */
export const MAX_EXECUTOR_BYTES_IN_PROCESS = 64 * 1024 * 1024

/** Creates the HTTP server of the executor for APIs in other processes: `POST /sites/<id>`, each request signed. */
export function createExecutorApp(options: ExecutorAppOptions): Express {
  const { db, globals, executor, key, bodies, log } = options
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.post('/sites/:site', async (request, response) => {
    response.locals.route = request.route.path
    const blogId = Number(request.params.site)
    const { authorization } = request.headers
    const digest = await verifyRequest(key, { authorization, site: blogId })
    const reservation = bodies.reserve()
    try {
      const body = await readBytes(request, reservation)
      verifyBody(digest, body)
      const site = await findSite(db, globals, blogId)
      if (!site) return void response.status(404).json({ error: `there is no site ${blogId}` })
      // The body needs no validation: the API signed it, and both sides share its type.
      response.json(await executeRequest(executor, site, JSON.parse(body.toString())))
    } finally {
      reservation.release()
    }
  })
  app.use(errorHandler(log))
  return app
}

/** A request body that the executor rejects, with the HTTP status of the response. */
class UnreadableRequest extends Error {
  override readonly name = 'UnreadableRequest'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Reads the body. Compressed bodies are rejected (the API sends none), so a body cannot grow by decompression. */
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
    // Discard the rest as it arrives, so that a client that sends the whole body first can read the response.
    request.resume()
    throw error
  }
  return Buffer.concat(chunks)
}

async function executeRequest(
  executor: ExecutorAppOptions['executor'],
  site: Site,
  request: ExecutorRequest,
): Promise<ExecutorResponse> {
  const effects =
    'rebake' in request
      ? await executor.rebake(site, request.rebake)
      : await executor.apply(site, request.apply)
  return { effects: encodeEffects(effects) }
}

function errorHandler(log: Log): express.ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    if (response.headersSent) return next(error)
    if (error instanceof RefusedRequest) {
      log.warn({ reason: error.message, path: request.path }, 'request rejected')
      return void response.status(401).json({ error: error.message })
    }
    if (error instanceof UnreadableRequest || error instanceof AppError) {
      log.warn({ reason: error.message, path: request.path }, 'request failed')
    } else log.error({ err: error, path: request.path }, 'executor failed')
    response.status(statusOf(error)).json({ error: 'failed' })
  }
}

function statusOf(error: unknown): number {
  if (error instanceof UnreadableRequest) return error.status
  return error instanceof AppError && error.code === 'service_busy' ? 503 : 500
}
