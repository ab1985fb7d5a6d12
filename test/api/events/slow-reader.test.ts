import { get, type IncomingMessage } from 'node:http'
import express from 'express'
import { describe, expect, it } from 'vitest'
import { streamEvents } from '../../../src/api/event-requests.ts'
import type { ChangeWatch } from '../../../src/changes/events/change-watch.ts'
import type { ChangeEvent } from '../../../src/changes/events/event.ts'
import { createLog } from '../../../src/host/log.ts'
import { eventually } from '../../support/eventually.ts'
import { listen } from '../../support/listen.ts'
import { FAST } from '../../support/timings.ts'
import { use } from '../../support/use.ts'

const EVENT_BYTES = 100_000

/** A feed with more events than anybody can read. */
class EndlessFeed {
  reads = 0
  readonly closing = new AbortController().signal

  async read() {
    await new Promise((done) => setImmediate(done))
    this.reads += 1
    const id = `${this.reads}-4f1c2d3e`
    const event = { id, type: 'changed', label: 'x'.repeat(EVENT_BYTES) } as ChangeEvent
    return { events: [event], cursor: id, more: true, last: this.reads }
  }

  readOrWait() {
    return this.read()
  }
}

/** Streams an endless feed to one client, which does not read yet. */
async function startStream(slowClient: number) {
  const feed = new EndlessFeed()
  const app = express()
  let isClosed = false
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
        assertAllowed: async () => {},
        timings: { ...FAST.events, slowClientMs: slowClient },
      },
    )
  })
  const server = await use(listen(app))
  const response = await new Promise<IncomingMessage>((resolve) => {
    get({ port: server.port, agent: false }, resolve)
  })
  response.on('error', () => {})
  return { feed, response, isClosed: () => isClosed }
}

/** Waits until the stream does not read the feed any more. */
const stalled = (feed: EndlessFeed): Promise<void> =>
  eventually(async () => {
    const before = feed.reads
    await new Promise((done) => setTimeout(done, 100))
    expect(feed.reads).toBe(before)
  })

describe('a client that reads slowly', () => {
  it('is sent the next events when it has received the last ones', async () => {
    const { feed, response } = await startStream(60_000)
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
    const { feed, isClosed } = await startStream(300)
    await eventually(() => expect(isClosed()).toBe(true))
    await stalled(feed)
  })
})
