import { parseRetryAfter } from '../../../host/retry-after.ts'
import type { Timings } from '../../../host/timings.ts'
import { PurgeError, type PurgeRequest } from './tag-purger.ts'

/** Bytes of a response that are read. */
const MAX_RESPONSE_BYTES = 64 * 1024

/**
 * Sends one request to a page cache. No redirect is followed: it would get the key too.
 * @param request `cache`: the name of the page cache, for messages
 * @returns the body of a response with a status below 300
 * @throws PurgeError
 */
export async function sendPurge(
  {
    cache,
    hint,
    url,
    ...request
  }: PurgeRequest & { readonly cache: string; readonly hint: string },
  { tagPurgeMs, maxRetryAfterMs, busyMs }: Timings['publishing'],
): Promise<string> {
  const signal = AbortSignal.timeout(tagPurgeMs)
  const { response, text } = await fetch(url, { ...request, redirect: 'manual', signal })
    .then(async (response) => ({ response, text: await beginOf(response) }))
    .catch((error: unknown) => {
      const isTimeout = error instanceof Error && error.name === 'TimeoutError'
      const reason = isTimeout
        ? `did not answer a purge within ${tagPurgeMs / 1000} seconds`
        : 'could not be reached for a purge'
      throw new PurgeError(`${cache} ${reason}${codeOf(error)}.`)
    })
  const { status, headers } = response
  if (status >= 200 && status < 300) return text
  if (status === 429 || status === 503 || isTooMany(text))
    throw new PurgeError(
      `${cache} accepts no further purge at the moment (status ${status}).`,
      parseRetryAfter(headers.get('retry-after'), maxRetryAfterMs) ?? busyMs,
    )
  throw new PurgeError(`${cache} responded with ${status} to a purge. ${hint}`)
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
