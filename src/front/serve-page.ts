import type { RequestHandler } from 'express'
import type { FrontOptions } from './app.ts'
import { findPageAt } from './find-page-at.ts'
import { findSiteAt } from './find-site-at.ts'

/** Renders the page at an address; an address that is not quite the page's own is redirected there. */
export function servePage({ db, globals, executor }: FrontOptions): RequestHandler {
  return async (request, response, next) => {
    const host = request.get('host') ?? ''
    const site = await findSiteAt(db, globals, host, request.path)
    const found = site && (await findPageAt(db, site, request.path))
    if (!site || !found) return next()
    const html = await executor.render(site, found.page.id)
    if (html === undefined) return next()
    if (new URL(found.url).pathname !== new URL(request.originalUrl, found.url).pathname) {
      return response.redirect(301, found.url)
    }
    response.type('html').send(html)
  }
}
