import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { isDatabaseUnavailable } from '../db/database-error.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { StaticCopyCache } from '../publishing/static-copy-cache.ts'
import { sendErrorPage } from './page-responses.ts'
import { contentSecurityPolicy, serveCopies } from './serve-copy.ts'
import { type PageServices, servePages } from './serve-page.ts'

export type FrontOptions = PageServices & {
  /** Folder of the static copies; undefined turns them off. */
  readonly staticDir: string | undefined
  /** Content-Security-Policy of every page, the error pages too. */
  readonly pageCsp?: string | undefined
}

/**
 * What visitors meet: a page's static copy, else the page rendered now, else a page that says what is wrong. Copies are sent past
 * Express, which would take longer over one than all the rest does.
 */
export function createFrontApp(options: FrontOptions): RequestListener {
  const { staticDir, log } = options
  const app = pagesApp(options)
  if (staticDir === undefined) return app
  const serveCopy = serveCopies({ ...options, copies: new StaticCopyCache(staticDir) })
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const served = await serveCopy(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'static copy could not be read')
      return false
    })
    if (!served) app(request, response)
  }
  // Still the Express application to the server, which gives it requests and responses of its own.
  return new Proxy(app, { apply: (_app, _this, [request, response]) => serve(request, response) })
}

function pagesApp(options: FrontOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('query parser', false)
  const headers = { 'X-Content-Type-Options': 'nosniff', ...contentSecurityPolicy(options.pageCsp) }
  app.use((_request, response, next) => {
    response.locals.route = 'page'
    response.set(headers)
    next()
  })
  app.use(refuseOtherMethods)
  app.use(servePages(options))
  app.use(errorHandler(options.log))
  return app
}

const refuseOtherMethods: express.RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next()
  response.set('Allow', 'GET, HEAD')
  sendErrorPage(response, 405)
}

/** Seconds after which a visitor may try again. */
const RETRY_AFTER = 5

/** The page for what went wrong: 503 where the database or the executor is away or too busy, else 500. The reason is in the log only. */
export function errorHandler(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    log.error({ err: error, method: request.method, path: request.path }, 'page failed')
    if (response.headersSent) return next(error)
    if (!isUnavailable(error)) return sendErrorPage(response, 500)
    response.set('Retry-After', String(RETRY_AFTER))
    sendErrorPage(response, 503)
  }
}

function isUnavailable(error: unknown): boolean {
  if (error instanceof AppError)
    return error.code === 'internal_unavailable' || error.code === 'service_busy'
  return isDatabaseUnavailable(error)
}
