import { type RequestHandler, type Response, Router } from 'express'
import type { RateLimits } from '../../auth/rate-limits.ts'
import { versionOf } from '../../preconditions.ts'
import { limitByAddress } from '../authenticate-request.ts'
import { entityTag } from '../entity-tag.ts'
import { noRoute } from '../http-errors.ts'
import { openApiDocument } from './openapi-document.ts'
import { ASSETS, findGuide, readVersion } from './docs-files.ts'
import { renderDocsPage } from './page.ts'
import { renderGuide } from './render-guide.ts'

type DocsOptions = {
  readonly limits: RateLimits
  /** Where the API is mounted, without a slash at the end. */
  readonly basePath: string
}

/** The OpenAPI document and the pages of `/docs`, for everybody: no token is asked for, but requests count for their address. */
export function serveDocs({ limits, basePath }: DocsOptions): Router {
  const router = Router()
  router.use(
    [`${basePath}/openapi.json`, `${basePath}/docs`],
    limitByAddress(limits),
    requireRevalidation,
  )
  router.get(`${basePath}/openapi.json`, sendDocument(basePath))
  router.get(`${basePath}/docs`, (request, response, next) => {
    if (!request.path.endsWith('/')) return response.redirect(301, `${basePath}/docs/`)
    return sendGuide(response, 'index').catch(next)
  })
  router.get(`${basePath}/docs/reference`, sendReference)
  router.get(`${basePath}/docs/:name`, async ({ params }, response) => {
    const asset = ASSETS.get(params.name)
    if (asset === undefined) await sendGuide(response, params.name)
    else response.sendFile(asset)
  })
  router.use(`${basePath}/docs`, noRoute)
  return router
}

/** Kept by browsers, and asked for again: the next release of the service may have others. */
const requireRevalidation: RequestHandler = (_request, response, next) => {
  response.locals.route = '/docs'
  response.set('Cache-Control', 'no-cache')
  next()
}

/**
 * Makes the document at the first request for it.
 * @param read gives the version
 */
export function sendDocument(basePath: string, read = readVersion): RequestHandler {
  let made: string | undefined
  return async (_request, response) => {
    made ??= JSON.stringify(openApiDocument(await read(), basePath))
    const text = made
    response
      .set('ETag', entityTag(versionOf([text])))
      .type('json')
      .send(text)
  }
}

async function sendGuide(response: Response, name: string): Promise<void> {
  const guide = await findGuide(name)
  if (guide === undefined) return noRoute(response.req)
  const { title, html } = renderGuide(guide)
  sendPage(
    response,
    renderDocsPage({ title, main: `<main class="guide">${html}</main>` }),
    "style-src 'self'; img-src 'self'",
  )
}

/** The viewer holds pictures in its style sheet, and asks this service alone. */
const VIEWER_POLICY =
  "script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'"

const sendReference: RequestHandler = (_request, response) => {
  const page = renderDocsPage({
    title: 'API reference',
    main: '<main id="reference"></main>',
    styles: ['swagger-ui.css'],
    scripts: ['swagger-ui-bundle.js', 'reference.js'],
  })
  sendPage(response, page, VIEWER_POLICY)
}

function sendPage(response: Response, html: string, policy: string): void {
  response
    .set(
      'Content-Security-Policy',
      `default-src 'none'; ${policy}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    )
    .type('html')
    .send(html)
}
