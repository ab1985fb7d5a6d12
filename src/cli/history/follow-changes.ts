import { setTimeout as sleep } from 'node:timers/promises'
import { appErrorOf, statusOf } from '../../api/http-errors.ts'
import type { ChangeEvent } from '../../events/event.ts'
import { TIMINGS } from '../../timings.ts'
import type { Service } from '../call-endpoint.ts'
import { CommandError } from '../cli-context.ts'
import { listChangesEndpoint, listNetworkChangesEndpoint } from '../endpoints.ts'
import { NoAnswerError } from '../remote/send-request.ts'
import type { AddressedSite } from '../sites/site-options.ts'
import { warn } from '../terminal.ts'

type FollowOptions = {
  /** Undefined for all sites and the tokens. */
  readonly site: AddressedSite | undefined
  /** A cursor or `now` [the oldest change that is kept]. */
  readonly since: string | undefined
  /** Whether to go on when there are no more. */
  readonly follow: boolean
  readonly signal: AbortSignal
  readonly onEvent: (event: ChangeEvent) => void
}

/**
 * Reads changes until there are no more or, if it follows, until the signal or the end of the reader of standard output. It survives restarts of the
 * service and of the database once the first request was answered.
 * @returns the cursor behind the last change
 */
export async function followChanges(
  service: Service,
  { site, since, follow, signal, onEvent }: FollowOptions,
): Promise<string> {
  const read = (cursor: string | undefined, wait: number) => {
    const input = { query: { since: cursor, wait }, signal }
    return site
      ? service.callSite(site, listChangesEndpoint, input)
      : service.callNetwork(listNetworkChangesEndpoint, input)
  }
  // Without a wait: `now` becomes a cursor before anything can be missed.
  let page = await read(since, 0)
  const { followPauseMs, maxFollowPauseMs, earlyAnswerMs } = service.timings.cli
  for (let failures = 0; ; ) {
    for (const event of page.events) onEvent(event)
    if (signal.aborted || process.stdout.destroyed || (!follow && !page.more)) return page.cursor
    const begin = performance.now()
    const wait = page.more ? 0 : TIMINGS.events.maxWaitSeconds
    const next = await read(page.cursor, wait).catch((error: unknown) => {
      if (signal.aborted) return undefined
      if (!follow || !isTemporary(error)) throw error
      if (failures === 0) warn([`No more changes for now, trying again: ${messageOf(error)}`])
      return undefined
    })
    if (next) {
      failures = 0
      page = next
      // A process that is stopping answers at once.
      const isEmpty = next.events.length === 0 && !next.more
      if (isEmpty && performance.now() - begin < earlyAnswerMs) await pause(earlyAnswerMs, signal)
      continue
    }
    failures += 1
    page = { ...page, events: [], more: false }
    await pause(Math.min(maxFollowPauseMs, followPauseMs * 2 ** failures), signal)
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => {})

function isTemporary(error: unknown): boolean {
  if (error instanceof CommandError) return error instanceof NoAnswerError
  const status = statusOf(appErrorOf(error))
  return status >= 500 || status === 429
}

const messageOf = (error: unknown): string =>
  error instanceof CommandError ? error.message : appErrorOf(error).message
