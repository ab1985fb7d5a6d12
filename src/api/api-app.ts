import express, { type Express, type RequestHandler } from 'express'
import type { Log } from '../host/log.ts'
import type { Metrics } from '../host/metrics.ts'
import {
  type AuthServices,
  authenticateRequest,
  refuseUnrouted,
  warnAboutUntrustedProxy,
} from './authenticate-request.ts'
import { serveConsole } from './console/serve-console.ts'
import { allowOrigins } from './cross-origin.ts'
import { serveDocs } from './docs/serve-docs.ts'
import { readForwardedAddresses } from './forwarded-addresses.ts'
import { handleErrors } from './http-errors.ts'
import { logRequests } from './request-log.ts'
import { contractRequests, type RouteServices, routes } from './routes.ts'
import { timeRequests } from './server-timing.ts'

export type ApiOptions = RouteServices &
  AuthServices & {
    readonly log: Log
    readonly trustProxy: boolean | number | string
    /** Origins whose pages may use the API; `*` for all. */
    readonly corsOrigins: readonly string[]
    /** Answers the requests of MCP clients. */
    readonly mcp: RequestHandler
    readonly metrics?: Metrics | undefined
    /** Passes requests to the endpoint that this service replaces [there is none]. */
    readonly passRequests?: ((options: ApiOptions) => RequestHandler) | undefined
  }

/**
 * The API as an Express application. Middleware in order: timing, log, headers, documentation, console, requests of other origins and of the old endpoint, authentication,
 * routes, errors.
 */
export function createApiApp(options: ApiOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', options.trustProxy)
  app.set('query parser', 'simple')
  app.use(timeRequests())
  app.use(logRequests(options.log))
  app.use(setSecurityHeaders)
  app.use(readForwardedAddresses(options.log))
  if (options.trustProxy === false) app.use(warnAboutUntrustedProxy(options.log))
  app.use(serveDocs(options))
  app.use(serveConsole(options))
  const crossOrigin = allowOrigins(options.corsOrigins)
  // A preflight asks about this service, also where the old endpoint answers the request.
  if (options.corsOrigins.length > 0) app.options('/{*path}', crossOrigin)
  if (options.passRequests) app.use(options.passRequests(options))
  if (options.corsOrigins.length > 0) app.use(crossOrigin)
  app.use(refuseUnrouted(options))
  app.use(authenticateRequest(options))
  app.use(options.mcp)
  app.use(routes(options.basePath, options))
  app.use(handleErrors(options.log, contractRequests(options.basePath)))
  return app
}

/**
 * Headers that keep browsers from treating a response as anything but data, and caches from storing it. Strict-Transport-Security is left out: the
 * API shares its host with the sites of the network, so their owner decides about it.
 */
const SECURITY_HEADERS = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none';frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'SAMEORIGIN',
  'X-Permitted-Cross-Domain-Policies': 'none',
  // 0: the filters of old browsers cause vulnerabilities.
  'X-XSS-Protection': '0',
}

const headers = Object.entries(SECURITY_HEADERS)

const setSecurityHeaders: RequestHandler = (_request, response, next) => {
  for (const [name, value] of headers) response.setHeader(name, value)
  next()
}
