import { readdir, readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type RequestHandler, type Response, Router } from 'express'
import { readVersion } from '../../host/package-version.ts'
import { shortHash, versionOf } from '../../host/preconditions.ts'
import { type AuthServices, limitByAddress } from '../authenticate-request.ts'
import { entityTag } from '../entity-tag.ts'
import { noRoute } from '../http-errors.ts'
import { openApiDocument } from './openapi-document.ts'

type DocsOptions = Pick<AuthServices, 'limits' | 'basePath'>

/**
 * Serves the OpenAPI document, the built pages of `/docs`, and a page for browsers at the root of the API. They need no token, but requests count
 * against the rate limit of their address.
 */
export function serveDocs({ limits, basePath }: DocsOptions): Router {
  const root = `${basePath}/docs`
  const router = Router()
  const limit = limitByAddress(limits)
  router.use([`${basePath}/openapi.json`, root], limit, requireRevalidation)
  router.get(`${basePath}/openapi.json`, sendDocument(basePath))
  router.get(root, (request, response, next) => {
    if (request.path.endsWith('/')) return next()
    response.redirect(301, `${root}/`)
  })
  router.get([root, `${root}/*path`], ({ path }, response) =>
    sendSiteFile(response, path.slice(root.length + 1) || 'index', basePath),
  )
  router.use(root, noRoute)
  router.get(['/', `${basePath}/`], onlyBrowsers, limit, requireRevalidation, (_, response) =>
    sendSiteFile(response, 'home', basePath),
  )
  return router
}

/** Lets browsers cache the pages but revalidate them, because the next release may change them. */
const requireRevalidation: RequestHandler = (_request, response, next) => {
  response.locals.route = '/docs'
  response.set('Cache-Control', 'no-cache')
  next()
}

/** Programs that request the root of the API get its JSON. */
const onlyBrowsers: RequestHandler = (request, _response, next) =>
  next(request.accepts(['json', 'html']) === 'html' ? undefined : 'router')

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

/** Everything comes from this service. Pages have no inline scripts and styles; style sheets have images in them. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The address of the API in the built files, see `tools/docs/base.ts`. */
const API_BASE = '/wp-frames-base'
const TEXTS: readonly string[] = ['.html', '.js', '.css', '.json']
/** The scripts of the guides, which browsers would store instead of showing them. */
const SCRIPTS: readonly string[] = ['.ts', '.sh']

/** Sends a file of the documentation, or the page that says that there is none. */
async function sendSiteFile(response: Response, name: string, basePath: string): Promise<void> {
  const files = await listSiteFiles()
  const found = [name, `${name}.html`].find((file) => files.has(file))
  if (found === undefined) response.status(404)
  if (files.size === 0) return sendSource(response, name)
  const file = found ?? '404.html'
  const bytes = await readFile(new URL(file, SITE))
  const type = extname(file)
  const sent = TEXTS.includes(type)
    ? Buffer.from(bytes.toString().replaceAll(API_BASE, basePath))
    : bytes
  // The names of these files contain a hash of their contents.
  if (file.startsWith('assets/'))
    response.set('Cache-Control', 'public, max-age=31536000, immutable')
  response.set({ 'Content-Security-Policy': POLICY, ETag: entityTag(shortHash(sent)) })
  response.type(SCRIPTS.includes(type) ? 'text' : type).send(sent)
}

/** Sends a page as it is in the repository, with how to build it. */
export async function sendSource(response: Response, name: string): Promise<void> {
  const source = /^[a-z-]+$/.test(name)
    ? await readFile(new URL(`${name}.md`, SOURCES), 'utf8').catch(() => '')
    : ''
  if (source !== '') response.status(200)
  const page = source === '' ? 'The documentation is not built.' : 'This is the source of a page.'
  response
    .type('text')
    .send(
      `${page} Run "npm run build:docs" in the folder of wp-frames, which takes half a minute, and load this page again.\n\n${source}`,
    )
}

/** The files that `npm run build:docs` makes. */
const SITE = new URL(
  import.meta.url.endsWith('.ts') ? '../../../dist/docs/' : '../../docs/',
  import.meta.url,
)

const SOURCES = new URL('../../docs/', SITE)

/** The names of the built files, such as `commands/serve.html`; none if the documentation is not built. */
async function listSiteFiles(): Promise<ReadonlySet<string>> {
  const names = await readdir(fileURLToPath(SITE), { recursive: true }).catch((error) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  return new Set(names.filter((name) => extname(name) !== ''))
}
