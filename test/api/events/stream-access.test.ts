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

/** A feed with an event for each read, or a database that is away. */
class TestFeed {
  reads = 0
  isAway = false
  readonly closing = new AbortController().signal

  async read() {
    await new Promise((done) => setTimeout(done, 5))
    if (this.isAway) throw new Error('away')
    this.reads += 1
    const id = `${this.reads}-4f1c2d3e`
    const event = { id, type: 'changed' } as ChangeEvent
    return { events: [event], cursor: id, more: true, last: this.reads }
  }

  readOrWait() {
    return this.read()
  }
}

/** @param answer what the question for the rights of the client throws */
async function start(answer: () => AppError | undefined) {
  const feed = new TestFeed()
  const app = express()
  app.get('/', (_request, response) =>
    streamEvents(
      response,
      { blogId: 2, since: undefined, waitMs: 0 },
      {
        changes: feed as unknown as ChangeWatch,
        log: createLog('silent'),
        assertAllowed: async () => {
          const error = answer()
          if (error) throw error
        },
        timings: { ...FAST.events, heartbeatMs: 50 },
      },
    ),
  )
  const { port } = await use(listen(app))
  return { feed, stream: await openStream(`http://127.0.0.1:${port}`, { token: 'op_' }) }
}

describe('a stream whose client cannot be authorized again', () => {
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
