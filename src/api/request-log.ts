import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { pinoHttp } from 'pino-http'
import type { Caller } from '../auth/authenticate.ts'

/** What middleware records about a request. */
type RequestLocals = { readonly caller?: Caller; readonly site?: number }

/** 503 is a warning: a busy service is no error, and an unreachable database is logged as an error where it is detected. */
function logLevelOf(status: number): 'error' | 'warn' | 'info' {
  if (status === 503) return 'warn'
  return status >= 500 ? 'error' : 'info'
}

/** Gives every request an id, which is returned in X-Request-Id, and logs one line when the response is sent. */
export function logRequests(log: Logger): RequestHandler {
  return pinoHttp({
    logger: log,
    genReqId: (_request, response) => {
      const id = randomUUID()
      response.setHeader('X-Request-Id', id)
      return id
    },
    customLogLevel: (_request, { statusCode }) => logLevelOf(statusCode),
    // Undefined for a request that was rejected before its token or site was known.
    customProps: (_request, response) => {
      const { caller, site }: RequestLocals = Reflect.get(response, 'locals') ?? {}
      return { site, token: caller?.tokenId }
    },
    serializers: {
      // Headers and the query may contain secrets of the client, so they are not logged.
      req: ({ id, method, url }) => ({
        id,
        method,
        path: redactTokens(String(url).split('?', 1)[0] ?? ''),
      }),
      res: ({ statusCode }) => ({ status: statusCode }),
    },
  })
}

/** Hides tokens that a client has put into the path by mistake, also percent-encoded ones. */
export function redactTokens(path: string): string {
  const decoded = decodeFully(path)
  if (decoded === undefined) return '[malformed]'
  const hidden = decoded.replace(/op_[A-Za-z0-9]{16,}/g, 'op_[hidden]')
  return hidden === decoded ? path : hidden
}

/** Maximum number of percent-decodings of a path. */
const MAX_DECODINGS = 4

/** Decodes a path until nothing is left to decode, as a reader of the log could do. Undefined if that takes too many steps, or the path is malformed. */
function decodeFully(path: string): string | undefined {
  let text = path
  for (let times = 0; times < MAX_DECODINGS; times += 1) {
    try {
      const decoded = decodeURIComponent(text)
      if (decoded === text) return text
      text = decoded
    } catch {
      // The last decoding has produced a bare percent sign.
      return times > 0 ? text : undefined
    }
  }
  return undefined
}
