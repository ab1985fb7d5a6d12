import type { RequestHandler } from 'express'
import helmet from 'helmet'

/**
 * What keeps a browser from taking an answer for more than data, and anything on the way from keeping it. No
 * Strict-Transport-Security: the API shares its host with the network's sites, whose owner decides that.
 */
export function securityHeaders(): RequestHandler[] {
  return [
    helmet({
      strictTransportSecurity: false,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
      },
    }),
    (_request, response, next) => {
      response.set('Cache-Control', 'no-store')
      next()
    },
  ]
}
