import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { isDatabaseUnavailable } from '../../db/database-error.ts'
import { AppError } from '../../host/errors.ts'
import type { Log } from '../../host/log.ts'
import { parseAddress } from '../../wordpress/permalinks/address.ts'
import type { StaticCopyCache } from '../publishing/static-copy-cache.ts'
import { sendErrorPage } from './page-responses.ts'
import { contentSecurityPolicy, serveCopies } from './serve-copy.ts'
import { type PageLocals, type PageServices, servePages } from './serve-page.ts'

export type FrontOptions = PageServices & {
  /** Undefined if static copies are turned off. */
  readonly copies: Pick<StaticCopyCache, 'find'> | undefined
  /** Content-Security-Policy of every page, the error pages too. */
  readonly pageCsp?: string | undefined
}

/**
 * Creates the web front for visitors. It serves the static copy of a page, else renders the page, else sends an error page. Copies are sent
 * without Express, which would take longer than the rest of the request.
 */
export function createFrontApp(options: FrontOptions): RequestListener {
  const { copies, log } = options
  const app = pagesApp(options)
  const serveCopy = copies && serveCopies({ ...options, copies })
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const address = parseAddress(request.headers.host ?? '', request.url ?? '')
    const served = await serveCopy?.(request, response, address).catch((error: unknown) => {
      log.error({ err: error }, 'static copy cannot be read; the page is rendered')
      return false
    })
    if (served) return
    const locals: PageLocals = { route: 'page', address }
    app(request, Object.assign(response, { locals }))
  }
  // A proxy of the Express application: `HttpServer` still finds the prototypes of its requests and responses.
  return new Proxy(app, { apply: (_app, _this, [request, response]) => serve(request, response) })
}

function pagesApp(options: FrontOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('query parser', false)
  const headers = { 'X-Content-Type-Options': 'nosniff', ...contentSecurityPolicy(options.pageCsp) }
  app.use((_request, response, next) => {
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

/** Value of `Retry-After`, in seconds. */
const RETRY_AFTER = 5

/** Sends an error page: 503 if the database or the service is unavailable or too busy, else 500. The reason is only in the log. */
function errorHandler(log: Log): ErrorRequestHandler {
  return (error: unknown, request, response, next) => {
    log.error({ err: error, method: request.method, path: request.path }, 'page failed')
    if (response.headersSent) return next(error)
    if (!isUnavailable(error)) return sendErrorPage(response, 500)
    response.set('Retry-After', String(RETRY_AFTER))
    sendErrorPage(response, 503)
  }
}

function isUnavailable(error: unknown): boolean {
  const isBusy = error instanceof AppError && error.code === 'service_busy'
  return isBusy || isDatabaseUnavailable(error)
}
