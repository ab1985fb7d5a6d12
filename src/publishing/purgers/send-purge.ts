import { parseRetryAfter } from '../../retry-after.ts'
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

/** Timeout of one request, in milliseconds. */
const TIMEOUT_MS = 10_000
/** Bytes of a response that are read. */
const MAX_RESPONSE_BYTES = 64 * 1024
/** A page cache that asks for a longer pause is asked again after this time, in milliseconds. */
const MAX_RETRY_AFTER_MS = 300_000

/**
 * Sends one request to a page cache. No redirect is followed: it would get the key too.
 * @returns the body of a response with a status below 300
 * @throws PurgeError
 */
export async function sendPurge(request: PurgeRequest): Promise<string> {
  const { cache, url, method, headers, body, hint } = request
  const { status, retryAfter, text } = await answerOf(request.cache, () =>
    fetch(url, {
      method,
      headers,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body === undefined ? {} : { body }),
    }),
  )
  if (status >= 200 && status < 300) return text
  const retryAfterMs = parseRetryAfter(retryAfter, MAX_RETRY_AFTER_MS)
  const isBusy = status === 429 || status === 503 || isTooMany(text)
  throw new PurgeError(
    isBusy
      ? `${cache} accepts no further purge at the moment (status ${status}).`
      : `${cache} responded with ${status} to a purge. ${hint}`,
    isBusy ? (retryAfterMs ?? BUSY_MS) : undefined,
  )
}

/** The pause after a refusal that names none, in milliseconds. */
const BUSY_MS = 5000

type PurgeAnswer = {
  readonly status: number
  readonly retryAfter: string | null
  readonly text: string
}

async function answerOf(cache: string, send: () => Promise<Response>): Promise<PurgeAnswer> {
  try {
    const response = await send()
    const retryAfter = response.headers.get('retry-after')
    return { status: response.status, retryAfter, text: await beginOf(response) }
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === 'TimeoutError'
    const reason = isTimeout
      ? `did not answer a purge within ${TIMEOUT_MS / 1000} seconds`
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
