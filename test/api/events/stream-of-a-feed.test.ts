import { get, type IncomingMessage } from 'node:http'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { streamEvents } from '../../../src/api/event-requests.ts'
import type { ChangeWatch } from '../../../src/changes/events/change-watch.ts'
import type { ChangeEvent } from '../../../src/changes/events/event.ts'
import { AppError } from '../../../src/host/errors.ts'
import { createLog } from '../../../src/host/log.ts'
import { openStream } from '../../support/event-stream.ts'
import { eventually } from '../../support/eventually.ts'
import { listen } from '../../support/listen.ts'
import { FAST } from '../../support/timings.ts'
import { use } from '../../support/use.ts'

const EVENT_BYTES = 100_000

/** A feed with an event for each read, or a database that is away. */
class TestFeed {
  reads = 0
  isAway = false
  readonly closing = new AbortController().signal
  readonly #label: string
  readonly #pauseMs: number

  constructor(label: string, pauseMs: number) {
    this.#label = label
    this.#pauseMs = pauseMs
  }

  async read() {
    await new Promise((done) => setTimeout(done, this.#pauseMs))
    if (this.isAway) throw new Error('away')
    this.reads += 1
    const id = `${this.reads}-4f1c2d3e`
    const event = { id, type: 'changed', label: this.#label } as ChangeEvent
    return { events: [event], cursor: id, more: true, last: this.reads }
  }

  readOrWait() {
    return this.read()
  }
}

type ServeOptions = {
  readonly timings: Partial<typeof FAST.events>
  /** What the question for the rights of the client throws. */
  readonly refusal?: () => AppError | undefined
}

/** Streams a feed to each client. */
async function serve(feed: TestFeed, { timings, refusal }: ServeOptions) {
  let isClosed = false
  const app = express()
  app.get('/', (_request, response) => {
    response.once('close', () => {
      isClosed = true
    })
    return streamEvents(
      response,
      { blogId: 2, since: undefined, waitMs: 0 },
      {
        changes: feed as unknown as ChangeWatch,
        log: createLog('silent'),
        assertAllowed: async () => {
          const error = refusal?.()
          if (error) throw error
        },
        timings: { ...FAST.events, ...timings },
      },
    )
  })
  const { port } = await use(listen(app))
  return { port, isClosed: () => isClosed }
}

describe('a stream whose client cannot be authorized again', () => {
  const start = async (refusal: () => AppError | undefined) => {
    const feed = new TestFeed('', 5)
    const { port } = await serve(feed, { timings: { heartbeatMs: 50 }, refusal })
    return { feed, stream: await openStream(`http://127.0.0.1:${port}`, { token: 'op_' }) }
  }

  it('sends nothing while nobody can be asked, and goes on afterwards', async () => {
    let isAway = false
    const { feed, stream } = await start(() =>
      isAway ? new AppError('database_unavailable', 'Away.') : undefined,
    )
    await stream.until(3)
    isAway = true
    const seen = stream.comments()
    // The first comment of these may belong to a question from before.
    await eventually(() => expect(stream.comments()).toBeGreaterThan(seen + 2))
    const read = feed.reads
    await eventually(() => expect(stream.comments()).toBeGreaterThan(seen + 5))
    expect(feed.reads).toBe(read)
    expect(stream.hasEnded()).toBe(false)
    isAway = false
    await eventually(() => expect(feed.reads).toBeGreaterThan(read + 3))
    await stream.close()
    expect(stream.events.map(({ data }) => data.id)).toEqual(
      stream.events.map((_, at) => `${at + 1}-4f1c2d3e`),
    )
  })

  it.each(['invalid_token', 'insufficient_scope', 'site_not_found'] as const)(
    'ends with %s',
    async (code) => {
      const { stream } = await start(() => new AppError(code, 'Refused.'))
      await eventually(() => expect(stream.hasEnded()).toBe(true))
      expect(stream.comments()).toBe(0)
    },
  )

  it('stays open while the feed cannot be read', async () => {
    const { feed, stream } = await start(() => undefined)
    await stream.until(1)
    feed.isAway = true
    const seen = stream.comments()
    await eventually(() => expect(stream.comments()).toBeGreaterThan(seen + 2))
    feed.isAway = false
    await stream.until(stream.events.length + 2)
    await stream.close()
  })
})

describe('a client that reads slowly', () => {
  /** Streams more events than anybody can read to one client, which does not read yet. */
  const start = async (slowClientMs: number) => {
    const feed = new TestFeed('x'.repeat(EVENT_BYTES), 0)
    const { port, isClosed } = await serve(feed, { timings: { slowClientMs } })
    const response = await new Promise<IncomingMessage>((resolve) => {
      get({ port, agent: false }, resolve)
    })
    response.on('error', () => {})
    return { feed, response, isClosed }
  }

  /** Waits until the stream does not read the feed any more. */
  const stalled = (feed: TestFeed): Promise<void> =>
    eventually(async () => {
      const before = feed.reads
      await new Promise((done) => setTimeout(done, 100))
      expect(feed.reads).toBe(before)
    })

  it('is sent the next events when it has received the last ones', async () => {
    const { feed, response } = await start(60_000)
    await stalled(feed)
    const read = feed.reads
    // What the connection itself takes.
    expect(read * EVENT_BYTES).toBeLessThan(20_000_000)
    response.resume()
    await eventually(() => expect(feed.reads).toBeGreaterThan(2 * read))
    response.pause()
    await stalled(feed)
    response.destroy()
  })

  it('is left if it receives nothing for too long', async () => {
    const { feed, isClosed } = await start(300)
    await eventually(() => expect(isClosed()).toBe(true))
    await stalled(feed)
  })
})
