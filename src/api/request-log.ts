import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { pinoHttp } from 'pino-http'
import type { Caller } from '../auth/authenticate.ts'

/** What is noted of a request on its way. */
type RequestLocals = { readonly caller?: Caller; readonly site?: number }

/** A refusal because the service is busy is no error of the service. A database that is away is logged as one where that is found. */
function logLevelOf(status: number): 'error' | 'warn' | 'info' {
  if (status === 503) return 'warn'
  return status >= 500 ? 'error' : 'info'
}

/** Gives every request an id, sent back as X-Request-Id, and writes one line about it when it is answered. */
export function logRequests(log: Logger): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId: (_request, response) => {
      const id = randomUUID()
      response.setHeader('X-Request-Id', id)
      return id
    },
    customLogLevel: (_request, { statusCode }) => logLevelOf(statusCode),
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
        path: redactTokens(String(url).split('?', 1)[0] ?? ''),
      }),
      res: ({ statusCode }) => ({ status: statusCode }),
    },
  })
}

/** A token where an id should stand is a slip; it stays a secret all the same, also percent-encoded. */
export function redactTokens(path: string): string {
  const decoded = decodeFully(path)
  if (decoded === undefined) return '[not readable]'
  const hidden = decoded.replace(/op_[A-Za-z0-9]{16,}/g, 'op_[hidden]')
  return hidden === decoded ? path : hidden
}

/** Nobody encodes a path more often. */
const MAX_DECODINGS = 4

/** Decoded until nothing is left to decode, as a reader of the log could do. Undefined where that does not end, or the path is malformed. */
function decodeFully(path: string): string | undefined {
  let text = path
  for (let times = 0; times < MAX_DECODINGS; times += 1) {
    try {
      const decoded = decodeURIComponent(text)
      if (decoded === text) return text
      text = decoded
    } catch {
      // A percent sign that was encoded.
      return times > 0 ? text : undefined
    }
  }
  return undefined
}
