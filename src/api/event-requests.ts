import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Request, Response } from 'express'
import type { ChangeWatch } from '../changes/events/change-watch.ts'
import type { ChangeEvent } from '../changes/events/event.ts'
import type { ReadEvents } from '../changes/events/read-events.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../host/errors.ts'
import type { Log } from '../host/log.ts'
import type { Timings } from '../host/timings.ts'
import type { Caller } from '../record/auth/authenticate.ts'
import type { EventPosition } from './endpoint.ts'
import { appErrorOf, statusOf } from './http-errors.ts'

/** Requests that wait for changes at the same time in a process: long polls and streams. */
export const FOLLOWERS = { ofToken: 20, ofProcess: 500 }

/** A stream begins behind the last event that its client has received. */
const LAST_EVENT_ID = 'Last-Event-ID'

export type EventServices = {
  readonly db: Pick<Db, 'timings'>
  readonly changes: ChangeWatch
  readonly log: Log
}

/** One request for events, whose caller is authorized. */
type EventRequest = {
  readonly request: Request
  readonly response: Response
  readonly caller: Caller
  /** Where the query begins. @throws AppError for a query that is not valid */
  readonly positionOf: (query: object) => EventPosition
  /** Sends the answer in JSON, early if nobody waits for it any more. */
  readonly answer: (signal?: AbortSignal) => Promise<void>
  /** Authenticates and authorizes the caller again. */
  readonly assertAllowed: () => Promise<void>
}

/** Answers requests for events: at once, after a wait, or with a stream. Those that take long are counted. */
export class EventRequests {
  readonly #services: EventServices
  readonly #ofToken = new Map<string, number>()
  #total = 0

  constructor(services: EventServices) {
    this.#services = services
  }

  /** @throws AppError `too_many_requests`, and what reading throws */
  async serve({
    request,
    response,
    caller,
    positionOf,
    answer,
    assertAllowed,
  }: EventRequest): Promise<void> {
    const isStream = wantsStream(request)
    const last = isStream ? request.get(LAST_EVENT_ID) : undefined
    const position = positionOf(last ? { ...request.query, since: last } : request.query)
    if (!isStream && position.waitMs === 0) return answer()
    const leave = this.#enter(caller)
    response.locals.isFollowing = true
    try {
      if (isStream) {
        const { db, changes, log } = this.#services
        const { events: timings } = db.timings
        return await streamEvents(response, position, { changes, log, assertAllowed, timings })
      }
      const gone = new AbortController()
      response.once('close', () => gone.abort())
      await answer(gone.signal)
    } finally {
      leave()
    }
  }

  /** @returns a function to call at the end */
  #enter({ tokenId, user }: Caller): () => void {
    const key = tokenId > 0 ? `token ${tokenId}` : `user ${user.id}`
    const own = this.#ofToken.get(key) ?? 0
    if (own >= FOLLOWERS.ofToken)
      throw this.#tooMany(
        `This token already has ${own} requests that wait for changes. End one of them`,
      )
    if (this.#total >= FOLLOWERS.ofProcess)
      throw this.#tooMany('Too many requests wait for changes. Ask without "wait"')
    this.#count(key, 1)
    return () => this.#count(key, -1)
  }

  #tooMany(reason: string): AppError {
    const { retrySeconds } = this.#services.db.timings.events
    return new AppError(
      'too_many_requests',
      `${reason}, or retry in ${retrySeconds} seconds (Retry-After).`,
      { retry_after: retrySeconds },
    )
  }

  #count(key: string, change: 1 | -1): void {
    this.#total += change
    const own = (this.#ofToken.get(key) ?? 0) + change
    if (own === 0) this.#ofToken.delete(key)
    else this.#ofToken.set(key, own)
  }
}

/** Whether the client prefers a stream; one that accepts everything gets JSON. */
const wantsStream = (request: Request): boolean =>
  request.method === 'GET' && request.accepts('application/json', EVENT_STREAM) === EVENT_STREAM

export const EVENT_STREAM = 'text/event-stream'

/** Events that are read at a time: no more of them wait for a slow client. */
const EVENTS_AT_ONCE = 20

type StreamOptions = {
  readonly changes: ChangeWatch
  readonly log: Log
  /** @throws AppError if the client may not read the events any more */
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
  { blogId, since }: EventPosition,
  { changes, log, assertAllowed, timings }: StreamOptions,
): Promise<void> {
  let found = await changes.read(blogId, since, { limit: EVENTS_AT_ONCE })
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
