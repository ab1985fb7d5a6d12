import type { Request, RequestHandler, Response } from 'express'
import type { Db } from '../db/database.ts'
import type { RequestCoalescer } from '../host/concurrency/request-coalescer.ts'
import { AppError, type ErrorCode } from '../host/errors.ts'
import type { Log } from '../host/log.ts'
import type { AskedTokens } from '../record/auth/asked-tokens.ts'
import {
  assertSent,
  type Caller,
  findStoredToken,
  invalidToken,
} from '../record/auth/authenticate.ts'
import type { SiteChoice } from '../record/auth/authorize-site.ts'
import { addressKey, type RateLimits, WINDOW_SECONDS } from '../record/auth/rate-limits.ts'
import type { TokenUse } from '../record/auth/tokens.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { endpointsOn } from './endpoints.ts'
import { findEndpoint } from './find-endpoint.ts'
import { noRoute } from './http-errors.ts'
import { hasBody } from './request-body.ts'
import { targetOf } from './request-target.ts'
import { hasEndpoint } from './served-routes.ts'
import { timingsOf } from './server-timing.ts'
import { blogIdOfPath, legacySelectorOf, siteChoiceOfSelector } from './site-choice.ts'
import { tokenOf } from './token-of-request.ts'

export type AuthServices = {
  readonly db: Db
  readonly globals: GlobalTables
  readonly limits: RateLimits
  readonly tokenUse: TokenUse
  /** Shares concurrent identical reads. */
  readonly coalescer: RequestCoalescer
  readonly now: () => Date
  /** The path prefix of the API, without a trailing slash. */
  readonly basePath: string
  /** Tokens that the old endpoint is asked about [none]. */
  readonly asked?: AskedTokens | undefined
}

/** What finds the caller of a request. */
export type CallerServices = Omit<AuthServices, 'tokenUse'>

/** Authenticates the caller and counts the request before the body is read. */
export function authenticateRequest(services: AuthServices): RequestHandler {
  const { limits, tokenUse, now } = services
  return async (request, response, next) => {
    const address = addressKey(request.ip)
    const caller = await timingsOf(response)
      .time('auth', () => findCaller(services, request, address))
      .catch(toError)
    const isKnown = !(caller instanceof Error) && caller.tokenId > 0
    const key = isKnown ? `token:${caller.tokenId}` : `address:${address}`
    const exceeded = await countRequest(limits, response, key)
    if (exceeded && !isAuthRateLimited(caller)) throw exceeded
    if (caller instanceof Error) throw caller
    response.locals.caller = caller
    response.locals.authenticateAgain = () => callerOfRequest(services, request, address)
    // Not stored yet.
    if (!isKnown) return next()
    tokenUse.record(caller.tokenId, now())
    response.once('finish', () => {
      const { failedStatus: status = response.statusCode, site } = response.locals
      countFailure(tokenUse, caller.tokenId, { status, site })
    })
    next()
  }
}

/** Counts a response with an error for its token, also an error within a response to an MCP client. Without sufficient rights, a site looks like one that does not exist. */
export function countFailure(
  tokenUse: TokenUse,
  tokenId: number,
  { status, site }: { readonly status: number; readonly site?: number | undefined },
): void {
  if (status < 400) return
  const isRefused = status === 403 || status === 429 || site === undefined
  tokenUse.countFailure(tokenId, isRefused ? 'refused' : 'failed')
}

/** Warns once if an untrusted proxy sends X-Forwarded-For: all its clients then share one address and one limit. */
export function warnAboutUntrustedProxy(log: Log): RequestHandler {
  let warned = false
  return (request, _response, next) => {
    if (!warned && request.headers['x-forwarded-for'] !== undefined) {
      warned = true
      log.warn(
        'ignored X-Forwarded-For because TRUST_PROXY is not set; behind a proxy, all clients count as one address. Set TRUST_PROXY if a proxy is in front of the service',
      )
    }
    next()
  }
}

/**
 * Answers a request without a token where there is nothing, such as /favicon.ico, /.well-known/ and the preflights of browsers: it is no attempt to
 * authenticate, and must not use up those of its address.
 */
export function refuseUnrouted({ limits, basePath }: AuthServices): RequestHandler {
  return async (request, response, next) => {
    if (tokenOf(request) !== undefined) return next()
    const target = targetOf(request, basePath)
    if (target && hasEndpoint(request.method, target.path)) return next()
    const exceeded = await countRequest(limits, response, `address:${addressKey(request.ip)}`)
    if (exceeded) throw exceeded
    noRoute(request)
  }
}

/** Counts a request that needs no token, for its address. */
export function limitByAddress(limits: RateLimits): RequestHandler {
  return async (request, response, next) => {
    const key = `address:${addressKey(request.ip)}`
    const exceeded = await countRequest(limits, response, key)
    if (exceeded) throw exceeded
    next()
  }
}

/** @returns the error to answer if the limit is exceeded */
async function countRequest(
  limits: RateLimits,
  response: Response,
  key: string,
): Promise<AppError | undefined> {
  const counted = await limits.countRequest(key)
  if (counted) setQuotaHeaders(response, counted.quota)
  return counted?.exceeded
}

/** The caller that `authenticateRequest` has authenticated. */
export function callerOf(response: Response): Caller {
  return response.locals.caller
}

/** Authenticates the request once more, because it takes long. @throws AppError as `callerOfRequest` does */
export function callerAgain(response: Response): Promise<Caller> {
  return response.locals.authenticateAgain()
}

async function findCaller(
  services: AuthServices,
  request: Request,
  address: string,
): Promise<Caller> {
  const { limits } = services
  await limits.assertMayAuthenticate(address)
  try {
    return await callerOfRequest(services, request, address)
  } catch (error) {
    if (error instanceof AppError && FAILURES.includes(error.code) && !isFromForeignPage(request))
      await limits.countFailure(address)
    throw error
  }
}

/** A page of another origin can make the browser of an administrator send requests without a token, and must not lock out his scripts. */
const isFromForeignPage = (request: Request): boolean =>
  tokenOf(request) === undefined &&
  ['cross-site', 'same-site'].includes(request.get('sec-fetch-site') ?? '')

/** The errors that count as failed authentications. A valid token that is not valid for a site is none, nor is one that nobody could be asked about. */
const FAILURES: readonly ErrorCode[] = ['missing_token', 'invalid_token']

/** @throws AppError as `AskedTokens.findCaller` does, `missing_token` */
export async function callerOfRequest(
  { db, globals, limits, coalescer, now, basePath, asked }: CallerServices,
  request: Request,
  addressKey: string,
): Promise<Caller> {
  const blogId = blogIdOfPath(request.path, basePath)
  const token = assertSent(tokenOf(request))
  const key = JSON.stringify(['caller', blogId, token])
  const find = () =>
    coalescer.run(key, () => findStoredToken(db, globals, token, { now: now(), blogId }))
  if (!asked) {
    const found = await find()
    if (!found || found.isAsked) throw invalidToken()
    return found.caller
  }
  const choice: SiteChoice = blogId > 0 ? { by: 'site_id', blogId } : legacyChoiceOf(request)
  const mayAsk = () => limits.assertMayAuthenticate(addressKey)
  const mayNameSiteInBody =
    hasBody(request) &&
    findEndpoint(endpointsOn('site'), request.method, request.path.slice(basePath.length)) !==
      undefined
  const client = { address: request.ip ?? '', protocol: request.protocol }
  const { headers } = request
  const asking = { token, choice, client, headers, addressKey, mayNameSiteInBody, mayAsk, find }
  return asked.findCaller(asking)
}

/** The site that the request names before its body. A malformed selector is refused later. */
function legacyChoiceOf(request: Request): SiteChoice {
  try {
    return siteChoiceOfSelector(legacySelectorOf(request))
  } catch {
    return { by: 'default' }
  }
}

/** An address that is blocked for failed attempts gets that error until the block ends, even if it also exceeds the request limit. */
const isAuthRateLimited = (caller: Caller | Error): boolean =>
  caller instanceof AppError && caller.code === 'too_many_auth_failures'

const toError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error))

/** Sets the header of the contract and the headers of the draft standard (draft-ietf-httpapi-ratelimit-headers-10). */
function setQuotaHeaders(
  response: Response,
  { limit, remaining, resetSeconds }: { limit: number; remaining: number; resetSeconds: number },
): void {
  response.setHeader('X-RateLimit-Remaining', String(remaining))
  response.setHeader('RateLimit-Policy', `"default";q=${limit};w=${WINDOW_SECONDS}`)
  response.setHeader('RateLimit', `"default";r=${remaining};t=${resetSeconds}`)
}
