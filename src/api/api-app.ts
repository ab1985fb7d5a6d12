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
    /** Where the API is mounted, without a slash at the end. */
    readonly basePath: string
    readonly trustProxy: boolean | number | string
    /** Memory for request bodies; a budget of its own where it is left out. */
    readonly bodies?: ByteBudget
  }

/** The API as an Express application: log, headers, documentation, caller, route, and what went wrong. */
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
 * What keeps a browser from taking an answer for more than data, and anything on the way from keeping it. No
 * Strict-Transport-Security: the API shares its host with the network's sites, whose owner decides that.
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
