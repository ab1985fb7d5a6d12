import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import express, { type RequestHandler, type Response, Router } from 'express'
import { readRow } from '../../db/sql.ts'
import type { Log } from '../../host/log.ts'
import { versionOf } from '../../host/preconditions.ts'
import { type AuthServices, limitByAddress } from '../authenticate-request.ts'
import { entityTag } from '../entity-tag.ts'
import { noRoute } from '../http-errors.ts'

type ConsoleOptions = Pick<AuthServices, 'db' | 'globals' | 'limits' | 'basePath'> & {
  readonly log: Log
}

/** The files that `npm run build:console` makes. */
const FOLDER = fileURLToPath(
  new URL(
    import.meta.url.endsWith('.ts') ? '../../../dist/console' : '../../console',
    import.meta.url,
  ),
)

/** Only scripts and styles of this service; nothing inline. Trusted Types: its code cannot write HTML into the page. */
const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types wp-frames-text',
].join('; ')

/**
 * Serves the console. Its files need no token. Requests count against the rate limit of their address, except those for scripts and styles: one view
 * needs twenty, and the people of an office share an address.
 */
export function serveConsole(options: ConsoleOptions): Router {
  const { limits, basePath, log } = options
  if (basePath !== '')
    log.warn(`BASE_PATH is set: if that mounts the API on a host of a site, ${SHARED_HOST}`)
  const root = `${basePath}/console`
  const router = Router()
  router.use(root, describeRoute)
  router.use(
    `${root}/assets`,
    // The names contain a hash of the contents.
    express.static(`${FOLDER}/assets`, {
      index: false,
      cacheControl: false,
      setHeaders: (response) => response.setHeader('Cache-Control', FOREVER),
    }),
  )
  router.use(root, limitByAddress(limits))
  const warnAboutHost = sharedHostWarning(options)
  router.get(root, (request, response, next) => {
    warnAboutHost(request.hostname)
    if (!request.path.endsWith('/')) return response.redirect(301, `${root}/`)
    return sendPage(response, CONSOLE_POLICY, read('index.html')).catch(next)
  })
  router.get(`${root}/preview-frame`, sendPreviewFrame)
  router.use(root, noRoute)
  return router
}

/** The consequence, in the log of the start and of the first request for the console on the host of a site. */
const SHARED_HOST =
  'the console is on a host of a site. Scripts of all sites on that host can act on a console that is open there. Serve the API and its console on a host without sites that have other administrators, see docs/security.md'

/** Warns once when the console is asked for on the host of a site. */
function sharedHostWarning({ db, globals, log }: ConsoleOptions): (host: string) => void {
  const looked = new Set<string>()
  return (host) => {
    // A client can make up any host.
    if (looked.has(host) || looked.size >= MAX_LOOKED_HOSTS) return
    looked.add(host)
    void readRow(db, 'SELECT blog_id FROM :blogs: WHERE domain = :domain AND deleted = 0 LIMIT 1', {
      blogs: globals.blogs,
      domain: host.toLowerCase(),
    })
      .then((site) => {
        if (site) log.warn({ host }, SHARED_HOST)
      })
      .catch(() => looked.delete(host))
  }
}

const MAX_LOOKED_HOSTS = 100

const describeRoute: RequestHandler = (_request, response, next) => {
  response.locals.route = '/console'
  next()
}

const FOREVER = 'public, max-age=31536000, immutable'

const read = (name: string): Promise<string> => readFile(`${FOLDER}/${name}`, 'utf8')

/** Sends a page that browsers may keep but must revalidate, because the next release may change it. */
async function sendPage(
  response: Response,
  policy: string,
  page: string | Promise<string>,
): Promise<void> {
  const html = await page
  response
    .set({
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': policy,
      ETag: entityTag(versionOf([html, policy])),
    })
    .type('html')
    .send(html)
}

/**
 * Sends the document in which the console shows pages of sites. It has an origin of its own, and runs no script but its own: a frame that
 * the console fills itself would have the policy of the console, which allows no style of a page.
 */
const sendPreviewFrame: RequestHandler = async (_request, response) => {
  const script = (await read('preview-frame.js')).trim()
  const hash = createHash('sha256').update(script).digest('base64')
  const policy = [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'sha256-${hash}'`,
    "style-src * 'unsafe-inline'",
    'img-src * data:',
    'font-src * data:',
    'media-src * data:',
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ')
  const html = `<!doctype html><meta charset="utf-8"><title>Preview</title><script>${script}</script>`
  await sendPage(response, policy, html)
}
