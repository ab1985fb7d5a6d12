import { createSecretKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { ConfigError } from '../../host/config/config.ts'
import { AppError } from '../../host/errors.ts'
import type { Log } from '../../host/log.ts'
import { traceHeaders } from '../../host/trace.ts'
import type { Site } from '../../wordpress/network/site.ts'

/** Minimum length of a key (RFC 7518, section 3.2). */
const MIN_KEY_BYTES = 32

/** How wake-ups are signed: with one algorithm, for this audience, and for so many seconds. */
export const TOKEN = { algorithm: 'HS256', audience: 'wp-frames-executor', seconds: 60 } as const

/**
 * Parses `EXECUTOR_KEY`: a secret that the API and the executor share.
 * @throws ConfigError
 */
export function readExecutorKey(text: string | undefined, variable = 'EXECUTOR_KEY'): KeyObject {
  if (text === undefined)
    throw new ConfigError(
      'EXECUTOR_KEY must be set when the executor runs in its own process: the same secret of 32 bytes or more on both sides, for example from "openssl rand -base64 48". The API serves a description of all variables at /docs/configuration.',
    )
  // The two sides of a pair of keys are different texts.
  if (text.startsWith('-----BEGIN ') || Buffer.byteLength(text) < MIN_KEY_BYTES)
    throw new ConfigError(
      `${variable} must be a secret of at least ${MIN_KEY_BYTES} bytes, the same on both sides, and no key in PEM format`,
    )
  return createSecretKey(text, 'utf8')
}

/** Creates the token of one wake-up, which says that this version of a site has recorded work. */
export function signWakeUp(key: KeyObject, site: number, version: number): Promise<string> {
  return new SignJWT({ site, version })
    .setProtectedHeader({ alg: TOKEN.algorithm })
    .setAudience(TOKEN.audience)
    .setIssuedAt()
    .setExpirationTime(`${TOKEN.seconds}s`)
    .sign(key)
}

export type WakeOptions = {
  /** Base URL, such as `http://executor:8080`. */
  readonly url: string
  readonly key: KeyObject
  /** Timeout of a request, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Log
}

/** Wakes the executor that is apart. @throws AppError `internal_unavailable` if it does not answer; the work stays recorded */
export type WakeExecutor = (site: Site, version: number) => Promise<void>

/** A request is sent again only if its connection failed: the executor restarts, or closed an idle connection. */
const MAX_ATTEMPTS = 2

export function wakeExecutorAt({ url, key, timeoutMs, log }: WakeOptions): WakeExecutor {
  const address = `${url.replace(/\/+$/, '')}/wake`
  const send = async (site: number, version: number): Promise<void> => {
    const token = await signWakeUp(key, site, version)
    const { status } = await fetch(address, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, ...traceHeaders() },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (status !== 204) throw new Error(`the executor answered ${status}`)
  }
  return async ({ blogId }, version) => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await send(blogId, version)
      } catch (error) {
        if (attempt < MAX_ATTEMPTS && error instanceof TypeError) continue
        log.error({ err: error, site: blogId }, 'the executor (EXECUTOR_URL) was not woken')
        throw new AppError('internal_unavailable', UNAVAILABLE)
      }
    }
  }
}

const UNAVAILABLE =
  'The part of the service that builds pages (the executor) did not respond. Your change is saved, and is built as soon as an executor is back. GET /site/<id>/work shows what is left.'
