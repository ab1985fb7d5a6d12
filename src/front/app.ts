import express, { type Express } from 'express'
import type { Db } from '../db/database.ts'
import type { Executor } from '../executor/executor.ts'
import type { Log } from '../log.ts'
import type { GlobalTables } from '../wordpress/network/global-tables.ts'
import { notFound } from './not-found.ts'
import { servePage } from './serve-page.ts'
import { serveStaticCopy } from './serve-static-copy.ts'

export type FrontOptions = {
  readonly db: Db
  readonly globals: GlobalTables
  readonly executor: Executor
  readonly log: Log
  /** Folder of the static copies; undefined turns them off. */
  readonly staticDir: string | undefined
  readonly trustProxy: boolean | number | string
}

/** The front as an Express application: a page's static copy, else the page rendered now, else 404. */
export function createFront(options: FrontOptions): Express {
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', options.trustProxy)
  app.set('query parser', 'simple')
  app.use(refuseOtherMethods)
  if (options.staticDir !== undefined) app.use(serveStaticCopy(options.staticDir))
  app.use(servePage(options))
  app.use(notFound)
  return app
}

const refuseOtherMethods: express.RequestHandler = (request, response, next) => {
  if (request.method === 'GET' || request.method === 'HEAD') return next()
  response
    .status(405)
    .set('Allow', 'GET, HEAD')
    .type('text')
    .send('Pages can only be read: GET or HEAD.\n')
}
