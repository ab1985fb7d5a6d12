import type { Calls, Output } from './endpoint-types.ts'
import { sleep } from './retrying-fetch.ts'
import { isServiceError } from './service-error.ts'

/** One change: what a transaction has written to a site, an edit of another program, or pages that visitors see now. */
export type ChangeEvent = Output<'listNetworkChanges'>['events'][number]

export type FollowChangesOptions = {
  /** Only the changes of this site [all sites, which needs a token of a super administrator]. */
  readonly site_id?: number
  /** Begins behind this event: the `id` of the last one that was handled [`now`]. */
  readonly since?: string
  readonly signal?: AbortSignal
  /** Seconds that a request waits for a change, at most 30 [30]. */
  readonly waitSeconds?: number
}

/** The longest pause after a request that failed, in seconds. */
const MAX_PAUSE_SECONDS = 10

/**
 * The changes from now or from a cursor on, without an end. It survives lost connections and restarts of the service, and goes on where it was.
 * @throws ServiceError if the first request fails, or a later one for good, for example because the token was revoked; the reason of the signal
 */
export async function* followChanges(
  calls: Calls,
  { site_id, since = 'now', signal, waitSeconds = 30 }: FollowChangesOptions = {},
): AsyncGenerator<ChangeEvent, void, undefined> {
  const options = signal ? { signal } : {}
  const read = (cursor: string, wait: number) =>
    site_id === undefined
      ? calls.listNetworkChanges({ since: cursor, wait }, options)
      : calls.listChanges({ site_id, since: cursor, wait }, options)
  // Without a wait: `now` becomes a cursor before anything can be missed.
  let page = await read(since, 0)
  for (let failures = 0; ; ) {
    yield* page.events
    const begin = Date.now()
    try {
      page = await read(page.cursor, page.more ? 0 : waitSeconds)
      failures = 0
    } catch (error) {
      signal?.throwIfAborted()
      if (!isTemporary(error)) throw error
      failures += 1
      page = { ...page, events: [] }
      await sleep(Math.min(MAX_PAUSE_SECONDS, 2 ** failures / 4) * (0.5 + Math.random()), signal)
      continue
    }
    // A process that is stopping answers at once.
    const hasWaited = Date.now() - begin >= Math.max(1000, waitSeconds * 500)
    if (page.events.length === 0 && !page.more && !hasWaited) await sleep(1, signal)
  }
}

/** No response, too many requests, or one that the service or a proxy could not answer. */
const isTemporary = (error: unknown): boolean =>
  isServiceError(error) && (error.status === 0 || error.status === 429 || error.status >= 500)
