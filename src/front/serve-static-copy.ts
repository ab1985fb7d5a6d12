import type { RequestHandler } from 'express'
import { COPY_FILE } from '../publishing/static-copy.ts'
import { staticFolder } from '../publishing/static-path.ts'

/** Serves the static copy at an address, if there is one; an address without its slash is left to the page. */
export function serveStaticCopy(staticDir: string): RequestHandler {
  return (request, response, next) => {
    const address = `http://${request.get('host') ?? ''}${request.originalUrl}`
    const folder = request.path.endsWith('/') ? staticFolder(staticDir, address) : undefined
    if (folder === undefined) return next()
    response.type('html')
    response.sendFile(COPY_FILE, { root: folder, cacheControl: false }, (error) => {
      if (error) next(response.headersSent ? error : undefined)
    })
  }
}
