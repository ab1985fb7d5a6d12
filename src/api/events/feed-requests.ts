import type { Request, Response } from 'express'
import type { Caller } from '../../auth/authenticate.ts'
import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import type { ChangeWatch } from '../../events/change-watch.ts'
import type { Log } from '../../log.ts'
import type { Feed } from './feed.ts'
import { EVENT_STREAM, streamEvents } from './stream-events.ts'

/** Requests that wait for changes at the same time in a process: long polls and streams. */
export const FOLLOWERS = { ofToken: 20, ofProcess: 500 }

/** A stream begins behind the last event that its client has received. */
const LAST_EVENT_ID = 'Last-Event-ID'

export type FeedServices = {
  readonly db: Pick<Db, 'timings'>
  readonly changes: ChangeWatch
  readonly log: Log
}

/** One request for a part of the feed, whose caller is authorized. */
export type FeedRequest = {
  readonly request: Request
  readonly response: Response
  readonly caller: Caller
  /** The part that the query asks for. @throws AppError for a query that is not valid */
  readonly feedOf: (query: object) => Feed
  /** Sends the answer in JSON, early if nobody waits for it any more. */
  readonly answer: (signal?: AbortSignal) => Promise<void>
  /** Authenticates and authorizes the caller again. */
  readonly assertAllowed: () => Promise<void>
}

/** Answers requests for the feed: at once, after a wait, or with a stream. Those that take long are counted. */
export class FeedRequests {
  readonly #services: FeedServices
  readonly #ofToken = new Map<string, number>()
  #total = 0

  constructor(services: FeedServices) {
    this.#services = services
  }

  /** @throws AppError `too_many_requests`, and what reading throws */
  async serve({
    request,
    response,
    caller,
    feedOf,
    answer,
    assertAllowed,
  }: FeedRequest): Promise<void> {
    const isStream = wantsStream(request)
    const last = isStream ? request.get(LAST_EVENT_ID) : undefined
    const feed = feedOf(last ? { ...request.query, since: last } : request.query)
    if (!isStream && feed.waitMs === 0) return answer()
    const leave = this.#enter(caller)
    response.locals.isFollowing = true
    try {
      if (isStream) {
        const { db, changes, log } = this.#services
        const { events: timings } = db.timings
        return await streamEvents(response, feed, { changes, log, assertAllowed, timings })
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
