import express, { type Express } from 'express'
import type { Logger } from 'pino'
import type { ByteBudget } from '../concurrency/byte-budget.ts'
import { RequestCoalescer } from '../concurrency/request-coalescer.ts'
import { handleErrors } from './answer-errors.ts'
import { type AuthServices, authenticateRequest, warnAboutUntrustedProxy } from './caller.ts'
import { serveDocs } from './docs/serve-docs.ts'
import type { EndpointServices } from './endpoint.ts'
import { logRequests } from './request-log.ts'
import { routes } from './routes.ts'
import { securityHeaders } from './security-headers.ts'
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
