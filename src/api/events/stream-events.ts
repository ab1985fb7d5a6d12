import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Response } from 'express'
import type { ChangeWatch } from '../../events/change-watch.ts'
import type { ChangeEvent } from '../../events/event.ts'
import type { ReadEvents } from '../../events/read-events.ts'
import type { Log } from '../../log.ts'
import type { Timings } from '../../timings.ts'
import { appErrorOf, statusOf } from '../http-errors.ts'
import type { Feed } from './feed.ts'

export const EVENT_STREAM = 'text/event-stream'

/** Events that are read at a time: no more of them wait for a slow client. */
const EVENTS_AT_ONCE = 20

export type StreamOptions = {
  readonly changes: ChangeWatch
  readonly log: Log
  /** @throws AppError if the client may not read the feed any more */
  readonly assertAllowed: () => Promise<void>
  readonly timings: Pick<Timings['events'], 'heartbeatMs' | 'slowClientMs' | 'reconnectMs'>
}

/**
 * Sends events as a stream (HTML, section 9.2) until the client leaves or reads too slowly, its token is refused, or the process ends. The next events
 * are read when the client has received the last ones.
 * @throws AppError as `readEvents` does, before anything is sent
 */
export async function streamEvents(
  response: Response,
  { blogId, since }: Feed,
  { changes, log, assertAllowed, timings }: StreamOptions,
): Promise<void> {
  let found = await changes.read(blogId, since, EVENTS_AT_ONCE)
  const ended = new AbortController()
  const { signal } = ended
  const end = () => ended.abort()
  response.once('close', end)
  changes.closing.addEventListener('abort', end)
  if (changes.closing.aborted) end()
  const send = (text: string) => sendAll(response, text, signal, timings.slowClientMs)
  const readNext = async (ms: number): Promise<ReadEvents> => {
    try {
      return await changes.readOrWait(blogId, found.cursor, { limit: EVENTS_AT_ONCE, ms, signal })
    } catch (error) {
      log.warn({ err: error }, 'could not read events for a stream; trying again')
      return pause(ms)
    }
  }
  const pause = async (ms: number): Promise<ReadEvents> => {
    await sleep(ms, undefined, { signal }).catch(() => {})
    return { ...found, events: [] }
  }
  try {
    response.setHeader('Content-Type', `${EVENT_STREAM}; charset=utf-8`)
    // nginx would collect events until its buffer is full.
    response.setHeader('X-Accel-Buffering', 'no')
    await send(`retry: ${Math.round(timings.reconnectMs * (1 + Math.random()))}\n\n`)
    let [at, beatAt, access]: [string | undefined, number, Access] = [since, 0, 'allowed']
    beatAt = performance.now() + timings.heartbeatMs
    while (!signal.aborted && access !== 'refused') {
      for (const event of found.events) await send(eventText(event))
      at = found.events.at(-1)?.id ?? at
      // An id without an event: a client that connects again goes on behind it.
      if (found.cursor !== at) await send(`id: ${found.cursor}\n\n`)
      at = found.cursor
      if (performance.now() >= beatAt) {
        beatAt = performance.now() + timings.heartbeatMs
        access = await askForAccess(assertAllowed)
        if (access !== 'refused') await send(':\n\n')
      }
      const restMs = Math.max(0, beatAt - performance.now())
      if (access === 'allowed') found = await readNext(restMs)
      else if (access === 'unknown') found = await pause(restMs)
    }
  } finally {
    changes.closing.removeEventListener('abort', end)
    response.end()
  }
}

/** `unknown`: nobody could be asked, for example because the database is away. Nothing is sent until somebody can. */
type Access = 'allowed' | 'refused' | 'unknown'

async function askForAccess(assertAllowed: () => Promise<void>): Promise<Access> {
  try {
    await assertAllowed()
    return 'allowed'
  } catch (error) {
    const status = statusOf(appErrorOf(error))
    return status < 500 && status !== 429 ? 'refused' : 'unknown'
  }
}

/** JSON has no line breaks, so the event is one line. */
const eventText = (event: ChangeEvent): string =>
  `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`

/** Sends a text, and waits until the connection takes more. */
async function sendAll(
  response: Response,
  text: string,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<void> {
  if (signal.aborted || response.write(text)) return
  const timer = setTimeout(() => response.destroy(), timeoutMs)
  await once(response, 'drain', { signal }).catch(() => {})
  clearTimeout(timer)
}
