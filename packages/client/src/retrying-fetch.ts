import { ServiceError } from './service-error.ts'

/** Sends one request. */
export type Send = (request: Request) => Promise<Response>

/** When requests are sent again. */
export type RetryOptions = {
  /** How often a request is sent again [5]. */
  readonly retries?: number
  /** The longest time in seconds to wait before a request is sent again; if the service asks for more, its error is thrown [60]. */
  readonly maxWaitSeconds?: number
  /** Sends writes with a new `Idempotency-Key` each, if they have none. Without keys, a write whose response is lost is not sent again [true]. */
  readonly idempotencyKeys?: boolean
  /** Is called before each wait. */
  readonly onRetry?: (retry: Retry) => void
}

/** A request that will be sent again. */
export type Retry = {
  readonly method: string
  readonly url: string
  /** 1 for the first repetition. */
  readonly attempt: number
  readonly waitSeconds: number
  /** The status of the response, or the error without one. */
  readonly reason: number | Error
}

const KEY = 'Idempotency-Key'
const READS = ['GET', 'HEAD']

/** Sends requests, again if they are refused for a time or a connection fails. Writes are sent again only with a key, so that none is stored twice. */
export function retryingFetch(send: Send, options: RetryOptions): Send {
  const { retries = 5, maxWaitSeconds = 60, idempotencyKeys = true, onRetry } = options
  return async (request) => {
    const { method, url, headers, signal } = request
    const isRead = READS.includes(method)
    const isKeyOwn = !isRead && idempotencyKeys && !headers.has(KEY)
    if (isKeyOwn) headers.set(KEY, crypto.randomUUID())
    for (let attempt = 1; ; attempt += 1) {
      const received = await receive(send, request)
      signal.throwIfAborted()
      if (isKeyOwn && headers.has(KEY) && (await isTooLargeForKey(received))) {
        // Nothing was stored. Without a key, the answer need not be kept.
        headers.delete(KEY)
        continue
      }
      const isRepeatable = isRead || headers.has(KEY)
      const waitSeconds = waitAfter(received, { attempt, isRepeatable, maxWaitSeconds })
      if (waitSeconds === undefined || waitSeconds > maxWaitSeconds || attempt > retries) {
        return settle(received, request)
      }
      const reason = received instanceof Response ? received.status : received
      onRetry?.({ method, url, attempt, waitSeconds, reason })
      await sleep(waitSeconds, signal)
    }
  }
}

/** Whether the service refuses a write because it would have to keep its answer for the key. */
async function isTooLargeForKey(received: Response | Error): Promise<boolean> {
  if (!(received instanceof Response) || received.status !== 413) return false
  return (await received.clone().text()).includes('"idempotent_answer_too_large"')
}

/** The response with its whole body, or the error without one. */
async function receive(send: Send, request: Request): Promise<Response | Error> {
  try {
    const response = await send(request.clone())
    if (response.body === null) return response
    // Read here, so that a connection that is lost in the middle of a response counts as one without a response.
    return new Response(await response.arrayBuffer(), response)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

type Attempt = {
  readonly attempt: number
  readonly isRepeatable: boolean
  readonly maxWaitSeconds: number
}

/** Seconds after which to send a request again; undefined for never. */
function waitAfter(
  received: Response | Error,
  { attempt, isRepeatable, maxWaitSeconds }: Attempt,
): number | undefined {
  const backOff = Math.min(maxWaitSeconds, (2 ** attempt / 8) * (1 + Math.random()))
  if (!(received instanceof Response)) return isRepeatable ? backOff : undefined
  const { status, headers } = received
  if (!(status === 429 || (isRepeatable && isTemporary(received)))) return undefined
  const asked = headers.get('Retry-After')
  return asked !== null && /^\d+$/.test(asked) ? Number(asked) : backOff
}

/** The service is overloaded, or a proxy before it cannot reach it. The service's own 502 says that the write is stored. */
function isTemporary({ status, headers }: Response): boolean {
  if (status === 503) return true
  return (status === 502 || status === 504) && !headers.get('Content-Type')?.includes('json')
}

function settle(received: Response | Error, { method, url }: Request): Response {
  if (received instanceof Response) return received
  throw new ServiceError(
    { code: 'connection_failed', status: 0, fields: {} },
    `No response to ${method} ${url}: ${reasonOf(received)}. Check the address of the API, and whether the service runs.`,
    { reason: received },
  )
}

/** What has failed in the end: `fetch` says only that it failed. */
function reasonOf(error: Error): string {
  const { cause } = error
  if (cause instanceof Error) return reasonOf(cause)
  return error.message || String(Object(error).code)
}

/** Waits; throws the reason of the signal when it is aborted. */
export function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done, failed) => {
    if (signal?.aborted) return failed(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      failed(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      done()
    }, seconds * 1000)
    signal?.addEventListener('abort', abort, { once: true })
  })
}
