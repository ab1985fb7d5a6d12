import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { pinoHttp } from 'pino-http'
import type { Caller } from '../callers/authenticate.ts'

/** What is noted of a request on its way. */
type RequestLocals = { readonly caller?: Caller; readonly site?: number }

/** Gives every request an id, sent back as X-Request-Id, and writes one line about it when it is answered. */
export function logRequests(log: Logger): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId: (_request, response) => {
      const id = randomUUID()
      response.setHeader('X-Request-Id', id)
      return id
    },
    customLogLevel: (_request, response) => (response.statusCode >= 500 ? 'error' : 'info'),
    // Known when it is answered, but for those who were refused before.
    customProps: (_request, response) => {
      const { caller, site }: RequestLocals = Reflect.get(response, 'locals') ?? {}
      return { site, token: caller?.tokenId }
    },
    serializers: {
      // Headers and query are the caller's; what is not written down can't leak.
      req: ({ id, method, url }) => ({
        id,
        method,
        path: withoutTokens(String(url).split('?')[0]),
      }),
      res: ({ statusCode }) => ({ status: statusCode }),
    },
  })
}

/** A token where an id should stand is a slip; it stays a secret all the same. */
const withoutTokens = (path = ''): string => path.replace(/op_[A-Za-z0-9]{16,}/g, 'op_[hidden]')
