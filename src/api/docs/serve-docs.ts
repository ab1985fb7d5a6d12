import { escapeText } from 'entities'
import express, { type RequestHandler, type Response, Router } from 'express'
import { Marked } from 'marked'
import type { RateLimits } from '../../auth/rate-limits.ts'
import { versionOf } from '../../preconditions.ts'
import { limitByAddress } from '../authenticate-request.ts'
import { entityTag } from '../entity-tag.ts'
import { noRoute } from '../http-errors.ts'
import { ASSETS, ASSETS_FOLDER, findGuide, readVersion } from './docs-files.ts'
import { openApiDocument } from './openapi-document.ts'

type DocsOptions = {
  readonly limits: RateLimits
  /** The path prefix of the API, without a trailing slash. */
  readonly basePath: string
}

/** Serves the OpenAPI document and the pages of `/docs`. They need no token, but requests count against the rate limit of their address. */
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
  router.use(`${basePath}/docs/assets`, express.static(ASSETS_FOLDER, { index: false }))
  router.get(`${basePath}/docs/:name`, async ({ params }, response) => {
    const asset = ASSETS.get(params.name)
    if (asset === undefined) await sendGuide(response, params.name)
    else response.sendFile(asset)
  })
  router.use(`${basePath}/docs`, noRoute)
  return router
}

/** Lets browsers cache the pages but revalidate them, because the next release may change them. */
const requireRevalidation: RequestHandler = (_request, response, next) => {
  response.locals.route = '/docs'
  response.set('Cache-Control', 'no-cache')
  next()
}

/**
 * Sends the OpenAPI document, which is generated at the first request.
 * @param read reads the version of the package
 */
export function sendDocument(basePath: string, read = readVersion): RequestHandler {
  const describe = async () => JSON.stringify(await openApiDocument(await read(), basePath))
  let described: Promise<string> | undefined
  return async (_request, response) => {
    // Concurrent requests share one description; after a failure the next request tries again.
    described ??= describe().catch((error) => {
      described = undefined
      throw error
    })
    const text = await described
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

/** Swagger UI has images in its style sheet, and sends requests only to this service. */
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

type DocsPage = {
  readonly title: string
  /** The HTML of the element `main`. */
  readonly main: string
  /** File names of style sheets and scripts in the same folder as the page. */
  readonly styles?: readonly string[]
  readonly scripts?: readonly string[]
}

/** A page of the documentation. All URLs are relative to `/docs/`, so that the page works with any path prefix. */
function renderDocsPage({ title, main, styles = [], scripts = [] }: DocsPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="icon.svg">
<title>${escapeText(title)} - wp-frames</title>
${['docs.css', ...styles].map((name) => `<link rel="stylesheet" href="${name}">`).join('\n')}
${scripts.map((name) => `<script src="${name}" defer></script>`).join('\n')}
</head>
<body>
<nav><a href="./">Guides</a> <a href="reference">API reference</a> <a href="../openapi.json">openapi.json</a></nav>
${main}
</body>
</html>
`
}

/** The title and the HTML of a guide. The HTML is not sanitized, because guides are files of this project. */
function renderGuide(markdown: string): { readonly title: string; readonly html: string } {
  const [, title = ''] = /^# (.+)$/m.exec(markdown) ?? []
  return { title, html: marked.parse(markdown) as string }
}

const marked = new Marked({
  async: false,
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
  },
  walkTokens(token) {
    // Links between Markdown files become links between pages.
    if (token.type === 'link') token.href = token.href.replace(/^([a-z0-9-]+)\.md(?=#|$)/, '$1')
  },
})

/** The anchor that GitHub generates for a heading, so that links work there and here. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
