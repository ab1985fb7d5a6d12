import express, { type Express, type RequestHandler } from 'express'
import helmet from 'helmet'
import type { Logger } from 'pino'
import type { ByteBudget } from '../concurrency/byte-budget.ts'
import { RequestCoalescer } from '../concurrency/request-coalescer.ts'
import {
  type AuthServices,
  authenticateRequest,
  warnAboutUntrustedProxy,
} from './authenticate-request.ts'
import { serveDocs } from './docs/serve-docs.ts'
import type { EndpointServices } from './endpoint.ts'
import { handleErrors } from './http-errors.ts'
import { logRequests } from './request-log.ts'
import { routes } from './routes.ts'
import { timeRequests } from './server-timing.ts'

export type ApiOptions = EndpointServices &
  Omit<AuthServices, 'reads'> & {
    readonly log: Logger
    /** The path prefix of the API, without a trailing slash. */
    readonly basePath: string
    readonly trustProxy: boolean | number | string
    /** Memory for request bodies. */
    readonly bodies?: ByteBudget
  }

/** The API as an Express application. Middleware in order: timing, log, headers, documentation, authentication, routes, errors. */
export function createApiApp(options: ApiOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', options.trustProxy)
  app.set('query parser', 'simple')
  const services = { ...options, reads: new RequestCoalescer() }
  app.use(timeRequests())
  app.use(logRequests(options.log))
  app.use(securityHeaders())
  if (options.trustProxy === false) app.use(warnAboutUntrustedProxy(options.log))
  app.use(serveDocs(options))
  app.use(authenticateRequest(services))
  app.use(routes(services))
  app.use(handleErrors())
  return app
}

/**
 * Headers that keep browsers from treating a response as anything but data, and caches from storing it. Strict-Transport-Security is left out: the
 * API shares its host with the sites of the network, so their owner decides about it.
 */
export function securityHeaders(): RequestHandler[] {
  return [
    helmet({
      strictTransportSecurity: false,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
    }),
    (_request, response, next) => {
      response.set('Cache-Control', 'no-store')
      next()
    },
  ]
}
