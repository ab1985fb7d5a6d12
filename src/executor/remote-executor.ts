import type { Change, Effects } from '../change.ts'
import { AppError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Site } from '../wordpress/network/site.ts'
import type { Executor } from './executor.ts'
import {
  decodeEffects,
  type ExecutorRequest,
  type ExecutorResponse,
  type SigningKey,
  signRequest,
} from './executor-protocol.ts'
import { skippedEffects } from './nothing-built.ts'

export type RemoteExecutorOptions = {
  /** Base address, `http://executor:8080`. */
  readonly url: string
  readonly key: SigningKey
  /** Silence of the executor after which it is given up, in milliseconds. */
  readonly timeoutMs: number
  readonly log: Log
}

const MAX_ATTEMPTS = 2
const NO_RESPONSE = 'The part of the service that builds pages did not answer.'

/**
 * The executor in another process (decisions, section 11). What it is asked may be done twice: a build that was done already finds nothing
 * to do. It throws `internal_unavailable` where there is no answer; what was written stays written and is built with the next bake.
 */
export function createRemoteExecutor(options: RemoteExecutorOptions): Executor {
  return {
    apply: (site, change) => apply(options, site, change),
    render: async (site, pageId) => {
      const answer = await requestWithRetry(options, site, { render: pageId })
      return ('html' in answer ? answer.html : null) ?? undefined
    },
  }
}

async function apply(options: RemoteExecutorOptions, site: Site, change: Change): Promise<Effects> {
  if (!change.bake && change.pages.length === 0) return skippedEffects(change)
  // The markup may have megabytes, and stands in the database.
  const { markup: _, ...sent } = change
  try {
    const answer = await requestWithRetry(options, site, { apply: sent })
    return 'effects' in answer ? decodeEffects(answer.effects) : skippedEffects(change, NO_RESPONSE)
  } catch (error) {
    // Pages that lost their frame should lose their copies too, but nobody waits for a build that was not wanted.
    if (!change.bake && isUnavailable(error)) return skippedEffects(change, NO_RESPONSE)
    throw error
  }
}

async function requestWithRetry(
  options: RemoteExecutorOptions,
  site: Site,
  request: ExecutorRequest,
): Promise<ExecutorResponse> {
  const body = JSON.stringify(request)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sendOnce(options, site, body)
    } catch (error) {
      if (attempt < MAX_ATTEMPTS && isConnectionError(error)) continue
      options.log.error({ err: error, site: site.blogId }, 'the executor at EXECUTOR_URL failed')
      throw new AppError(
        'internal_unavailable',
        `${NO_RESPONSE} What was written is saved, and is built with the next bake: try that later.`,
      )
    }
  }
}

/** Errors of connections that could not be made, or that the other side closed: the executor restarts, or closed an idle connection. */
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
 * Did the connection fail before any answer? Only then is a request sent again: after a timeout the first one may still be running, and an
 * answer, whatever it is, came from an executor that has done what it could.
 */
function isConnectionError(error: unknown): boolean {
  const cause = error instanceof TypeError ? error.cause : undefined
  return CONNECTION_ERRORS.has(String(Reflect.get(Object(cause), 'code')))
}

/** One attempt, with a token of its own: each is good once. */
async function sendOnce(
  { url, key, timeoutMs }: RemoteExecutorOptions,
  { blogId }: Site,
  body: string,
): Promise<ExecutorResponse> {
  const token = await signRequest(key, blogId, body)
  const response = await fetch(`${url.replace(/\/+$/, '')}/sites/${blogId}`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body,
    signal: AbortSignal.timeout(timeoutMs),
  })
  if (response.ok) return (await response.json()) as ExecutorResponse
  throw new Error(`${response.status} ${(await response.text()).slice(0, 500)}`)
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'internal_unavailable'
