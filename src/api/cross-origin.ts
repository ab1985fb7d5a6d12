import cors from 'cors'
import type { RequestHandler } from 'express'

/** Headers of requests that are more than CORS allows by itself. */
const REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Last-Event-ID',
  'Mcp-Protocol-Version',
  'Mcp-Session-Id',
  'Prefer',
  'X-Svc-Blog-Id',
  'X-Svc-Key',
  'traceparent',
]

/** Headers of responses that scripts of pages may read. */
const RESPONSE_HEADERS = [
  'ETag',
  'Idempotency-Replayed',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'Server-Timing',
  'X-Request-Id',
  'X-RateLimit-Remaining',
  'X-Svc-Blog-Source',
]

/** How long browsers keep the answer to a preflight, in seconds. */
const MAX_AGE_SECONDS = 600

/**
 * Lets pages of other origins use the API (CORS). Their browsers send no cookies: a token is sent in a header, by the page that has it.
 * @param origins the origins, or `*` for all; without any, browsers refuse
 */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: REQUEST_HEADERS,
    exposedHeaders: RESPONSE_HEADERS,
    maxAge: MAX_AGE_SECONDS,
  })
}
