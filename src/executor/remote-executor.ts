import type { Effects } from '../effects.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import { traceHeaders } from '../trace.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { RecordedChange } from '../work/record-work.ts'
import { pagesOf } from '../work/work.ts'
import { type Executor, isExecutorUnavailable, skippedEffects } from './executor.ts'
import {
  decodeEffects,
  type ExecutorRequest,
  type ExecutorResponse,
  type SigningKey,
  signRequest,
} from './executor-protocol.ts'

export type RemoteExecutorOptions = {
  /** Base URL, such as `http://executor:8080`. */
  readonly url: string
  readonly key: SigningKey
  /** Timeout of one request, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Log
}

const MAX_ATTEMPTS = 2
const NO_RESPONSE = 'The part of the service that builds pages (the executor) did not respond.'

/** Pages are rendered in the process that sends them. */
export type RemoteExecutor = Omit<Executor, 'render'>

/**
 * Creates the client of an executor in another process. Requests are idempotent: a repeated build finds nothing to
 * do. Throws `internal_unavailable` if the executor does not respond; the change stays committed, and its work recorded.
 */
export function createRemoteExecutor(options: RemoteExecutorOptions): RemoteExecutor {
  return {
    apply: (site, change) => apply(options, site, change),
    rebake: (site, request) => requestWithRetry(options, site, { rebake: request }, REPEAT),
  }
}

async function apply(
  options: RemoteExecutorOptions,
  site: Site,
  change: RecordedChange,
): Promise<Effects> {
  if (!change.bake && pagesOf(change.work).length === 0) return skippedEffects(change)
  const { markup: _, isRecorded: __, ...sent } = change
  try {
    return await requestWithRetry(options, site, { apply: sent }, SAVED)
  } catch (error) {
    // The copies of unbound pages should be removed, but a client that asked for no build gets no error for it.
    if (!change.bake && isExecutorUnavailable(error)) return skippedEffects(change, NO_RESPONSE)
    throw error
  }
}

/** The change is committed and its work recorded, so any executor builds it. */
const SAVED =
  'Your change is saved, and is built as soon as an executor is back. GET /site/<id>/work shows what is left.'
/** The executor records this work itself. */
const REPEAT = 'Nothing was built. Send the request again later.'

/** @param advice what the client can do if the executor does not respond */
async function requestWithRetry(
  options: RemoteExecutorOptions,
  site: Site,
  request: ExecutorRequest,
  advice: string,
): Promise<Effects> {
  const body = JSON.stringify(request)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return decodeEffects((await sendOnce(options, site, body)).effects)
    } catch (error) {
      if (attempt < MAX_ATTEMPTS && isConnectionError(error)) continue
      options.log.error(
        { err: error, site: site.blogId },
        'request to the executor (EXECUTOR_URL) failed',
      )
      throw new AppError('internal_unavailable', `${NO_RESPONSE} ${advice}`)
    }
  }
}

/** Errors of connections that could not be opened or were closed by the executor, which restarts or closed an idle connection. */
const CONNECTION_ERRORS = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_SOCKET',
])

/**
 * True if the connection failed before any response. Only then is a request retried: after a timeout the first one may still be running, and
 * an executor that responds with an error has already done what it could.
 */
function isConnectionError(error: unknown): boolean {
  const cause = error instanceof TypeError ? error.cause : undefined
  return CONNECTION_ERRORS.has(String(Reflect.get(Object(cause), 'code')))
}

/** Sends one attempt. */
async function sendOnce(
  { url, key, timeoutMs }: RemoteExecutorOptions,
  { blogId }: Site,
  body: string,
): Promise<ExecutorResponse> {
  const token = await signRequest(key, blogId, body)
  const response = await fetch(`${url.replace(/\/+$/, '')}/sites/${blogId}/effects`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...traceHeaders(),
    },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.ok) return (await response.json()) as ExecutorResponse
  throw new Error(`${response.status} ${(await response.text()).slice(0, 500)}`)
}
