import { randomUUID } from 'node:crypto'
import type { RequestHandler } from 'express'
import type { Log } from '../host/log.ts'
import type { Caller } from '../record/auth/authenticate.ts'

declare module 'node:http' {
  interface IncomingMessage {
    /** Given by `logRequests`. */
    id: string
  }
}

/** What middleware records about a request: undefined for one that was rejected before its token or site was known. `legacy`: the family of one that was passed to the old endpoint. */
type RequestLocals = { readonly caller?: Caller; readonly site?: number; readonly legacy?: string }

/** 503 is a warning: a busy service is no error, and an unreachable database is logged as an error where it is detected. */
function logLevelOf(status: number): 'error' | 'warn' | 'info' {
  if (status === 503) return 'warn'
  return status >= 500 ? 'error' : 'info'
}

/**
 * Gives every request an id, which is returned in X-Request-Id, and logs one line when the response is sent. Headers and the query may contain
 * secrets of the client, so they are not logged.
 */
export function logRequests(log: Log): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now()
    const id = randomUUID()
    request.id = id
    response.setHeader('X-Request-Id', id)
    response.once('close', () => {
      const { caller, site, legacy }: RequestLocals = response.locals
      const { method, originalUrl } = request
      const path = redactTokens(originalUrl.split('?', 1)[0] ?? '')
      const status = response.headersSent ? response.statusCode : null
      log[logLevelOf(status ?? 0)](
        {
          req: { id, method, path },
          site,
          token: caller?.tokenId,
          legacy,
          res: { status },
          responseTime: Math.round(performance.now() - startedAt),
        },
        response.writableFinished ? 'request completed' : 'request aborted',
      )
    })
    next()
  }
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
