import { parseRetryAfter } from '../../../host/retry-after.ts'
import type { Timings } from '../../../host/timings.ts'
import { PurgeError } from './tag-purger.ts'

export type PurgeRequest = {
  /** The name of the page cache, for messages. */
  readonly cache: string
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** What to do if the request is refused, as a sentence. */
  readonly hint: string
}

/** Bytes of a response that are read. */
const MAX_RESPONSE_BYTES = 64 * 1024

/**
 * Sends one request to a page cache. No redirect is followed: it would get the key too.
 * @returns the body of a response with a status below 300
 * @throws PurgeError
 */
export async function sendPurge(
  request: PurgeRequest,
  { tagPurgeMs, maxRetryAfterMs, busyMs }: Timings['publishing'],
): Promise<string> {
  const { cache, url, method, headers, body, hint } = request
  const { status, retryAfter, text } = await answerOf(request.cache, tagPurgeMs, (signal) =>
    fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal,
      ...(body === undefined ? {} : { body }),
    }),
  )
  if (status >= 200 && status < 300) return text
  const retryAfterMs = parseRetryAfter(retryAfter, maxRetryAfterMs)
  const isBusy = status === 429 || status === 503 || isTooMany(text)
  throw new PurgeError(
    isBusy
      ? `${cache} accepts no further purge at the moment (status ${status}).`
      : `${cache} responded with ${status} to a purge. ${hint}`,
    isBusy ? (retryAfterMs ?? busyMs) : undefined,
  )
}

type PurgeAnswer = {
  readonly status: number
  readonly retryAfter: string | null
  readonly text: string
}

async function answerOf(
  cache: string,
  timeoutMs: number,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<PurgeAnswer> {
  try {
    const response = await send(AbortSignal.timeout(timeoutMs))
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, text: await beginOf(response) }
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    const reason = isTimeout
      ? `did not answer a purge within ${timeoutMs / 1000} seconds`
      : 'could not be reached for a purge'
    throw new PurgeError(`${cache} ${reason}${codeOf(error)}.`)
  }
}

/** The begin of a body: who answers may not be a page cache. */
async function beginOf({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > MAX_RESPONSE_BYTES) break
  }
  return Buffer.concat(chunks).toString()
}

/** The code of the system, such as ECONNREFUSED: the other details of the error may contain what was sent. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return /^[A-Z_]+$/.test(code) ? ` (${code})` : ''
}

/** CloudFront answers 400 with this code while too many invalidations are in progress. */
const isTooMany = (text: string): boolean => text.includes('TooManyInvalidationsInProgress')
