import { fork } from 'node:child_process'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { findSite } from '../../src/wordpress/network/find-sites.ts'
import { SERVICE_USER } from './disruptions/disruption.ts'
import { eventFaults, positionOf } from './events/event-faults.ts'
import { FeedReader } from './events/feed-reader.ts'
import { createFrames } from './events/frames.ts'
import { KilledService } from './events/killed-service.ts'
import { Memory } from './events/memory.ts'
import type { Receiver } from './events/receiver.ts'
import {
  type Client,
  deadFaults,
  dieRepeatedly,
  type Receivers,
  startReceivers,
} from './events/receivers.ts'
import type { WriteOrder, WriteReport } from './events/write-frames.ts'
import { Random } from './support/random.ts'
import { startService } from './support/service.ts'
import { quantile, spread } from './support/tally.ts'
import {
  createTortureFixture,
  makeAccount,
  SHOP,
  type TortureFixture,
} from './support/torture-fixture.ts'
import type { Trial } from './trial.ts'

const WRITER = resolve(import.meta.dirname, 'events/write-frames.ts')

const WRITES = { short: 2_000, full: 100_000 }
/** The sites of the writing processes. */
const SITES = [1, 3, 4, 5]
/** The name of the frames of the shop, to which all of them write. */
const SHARED = 'shared'
/** Writes of all processes in a second. */
const PER_SECOND = 200
/** Between two kills, in milliseconds. */
const KILL_PAUSE_MS = { short: 4_000, full: 30_000 }
/** Until another process has what a killed one had: the lease of a webhook, and some work, in milliseconds. */
const TAKE_OVER_MS = 10_000
/** The goal for a healthy receiver, in milliseconds. */
const MAX_P99_MS = 1_000
/** Time in which everything must have arrived when nothing is written any more, in milliseconds. */
const PATIENCE_MS = 180_000
/** Between two reports, in milliseconds. */
const REPORT_MS = 30_000
/** Nothing is deleted, and edits are not looked for: the only changes are the written ones. */
const ENV = {
  WATCH_SECONDS: '0',
  HISTORY_MB_PER_SITE: '1024',
  WEBHOOK_ALLOW_HOSTS: '127.0.0.0/8',
  STATIC_DIR: '',
}

/** The commits come from processes of their own, so that the service does nothing but tell of them. */
export const events: Trial = {
  name: 'events',
  tries:
    'four processes write; receivers die, answer 500, slowly or never; one of two processes of the service is killed: each change arrives at each receiver and reader, in order, within a second',
  runsAlone: true,
  async run({ folder, short, seed, progress }) {
    const fixture = await createTortureFixture(folder, { durable: false })
    const databaseUrl = await makeAccount(fixture, SERVICE_USER)
    const start = () => startService({ databaseUrl, env: ENV })
    const steady = await start()
    const killed = new KilledService(start, await start())
    const client = { url: steady.apiUrl, token: fixture.token }
    let receivers: Receivers | undefined
    try {
      for (const [at, blogId] of SITES.entries()) await prepareFrames(fixture, blogId, nameOf(at))
      await prepareFrames(fixture, SHOP, SHARED)
      const random = new Random(seed)
      receivers = await startReceivers(client, random)
      const { healthy, live, dead, dying } = receivers
      const readers = makeReaders(fixture.token, () => random.pick([steady.apiUrl, killed.apiUrl]))
      for (const reader of readers) await reader.prepare()
      const reading = readers.map((reader) => reader.run())
      const memory = new Memory(steady.pid)
      const over = new AbortController()
      const beside = [
        memory.measure(over.signal),
        killed.killRepeatedly(short ? KILL_PAUSE_MS.short : KILL_PAUSE_MS.full, over.signal),
        dieRepeatedly(client, dying, random, over.signal),
        report(healthy, over.signal, progress),
      ]
      const began = performance.now()
      const reports = await writeAll(fixture, short ? WRITES.short : WRITES.full, seed)
      const ended = performance.now()
      const seconds = Math.round((ended - began) / 1000)
      over.abort()
      await Promise.all(beside)
      const written = reports.flatMap((report) => report.written)
      progress(`${written.length} writes in ${seconds} s, ${killed.kills.length} kills`)
      await untilArrived(live, await lastPosition(client))
      const arrivedMs = Math.round(performance.now() - ended)
      for (const reader of readers) reader.stop()
      await Promise.all(reading)
      const calm = healthy.arrivals
        .filter(({ at }) => killed.wasCalm(at, TAKE_OVER_MS))
        .map(({ ms }) => ms)
      const isLate = !short && quantile(calm, 0.99) >= MAX_P99_MS
      return {
        figures: {
          writes: `${written.length} by ${SITES.length} processes in ${seconds} s`,
          kills: killed.kills.length,
          'from before the commit to the healthy receiver': spread(
            healthy.arrivals.map(({ ms }) => ms),
          ),
          'the same, without the time after kills':
            calm.length > 0 ? spread(calm) : 'there was none',
          'everything had arrived after the last write': `${arrivedMs} ms`,
          ...Object.fromEntries(live.map((receiver) => [receiver.name, receiver.summary])),
          ...Object.fromEntries(readers.map((reader) => [reader.name, reader.summary])),
          ...memory.figures(),
        },
        faults: [
          ...reports.flatMap((report) => report.errors),
          ...live.flatMap((receiver) => receiver.faults),
          ...live.flatMap(({ name, events }) => eventFaults(name, events, written)),
          ...readers.flatMap(({ name, events }) => eventFaults(name, events, written)),
          ...(await deadFaults(client, dead)),
          ...(isLate ? [`the healthy receiver got changes late: ${spread(calm)}`] : []),
          ...memory.faults(),
          ...steady.errorLines,
        ],
      }
    } finally {
      const { live = [], dead = [] } = receivers ?? {}
      for (const receiver of [...live, ...dead]) await receiver.stop()
      await killed.close()
      await steady.kill()
      await fixture.close()
    }
  },
}

/** Reports how much has arrived, until the signal. */
async function report(
  receiver: Receiver,
  signal: AbortSignal,
  progress: (line: string) => void,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(REPORT_MS, undefined, { signal }).catch(() => {})
    progress(`${receiver.total} changes`)
  }
}

const nameOf = (writer: number): string => `writer${writer}`

async function prepareFrames({ db, site }: TortureFixture, blogId: number, name: string) {
  const target = await findSite(db, site.globals, blogId)
  if (!target) throw new Error(`the network has no site ${blogId}`)
  await db.write({ site: target }, (tx) => createFrames(tx, target, name))
}

/** Three readers of different speeds: each of them must get everything once. */
function makeReaders(token: string, url: () => string): readonly FeedReader[] {
  const reader = (name: string, limit: number, wait: number, pauseMs: number) =>
    new FeedReader({ name, token, url, limit, wait, pauseMs })
  return [
    reader('reader that waits for changes', 100, 30, 0),
    reader('reader that asks each second', 30, 0, 1_000),
    reader('reader that asks rarely', 100, 0, 20_000),
  ]
}

/** Writes with a process for each site. */
function writeAll(fixture: TortureFixture, count: number, seed: number): Promise<WriteReport[]> {
  const orders = SITES.map(
    (blogId, at): WriteOrder => ({
      databaseUrl: `${fixture.server.adminUrl}wordpress`,
      own: { name: nameOf(at), blogId },
      shared: { name: SHARED, blogId: SHOP },
      count: count / SITES.length,
      perSecond: PER_SECOND / SITES.length,
      seed: seed + at,
    }),
  )
  return Promise.all(orders.map(runWriter))
}

function runWriter(order: WriteOrder): Promise<WriteReport> {
  const child = fork(WRITER, [JSON.stringify(order)])
  return new Promise((done, failed) => {
    child.once('message', (report) => done(report as WriteReport))
    child.once('exit', (code) => failed(new Error(`a writer ended with ${code}`)))
  })
}

/** The number of the last change. */
async function lastPosition({ url, token }: Client): Promise<number> {
  const headers = { Authorization: `Bearer ${token}` }
  const response = await fetch(`${url}/network/changes?since=now`, { headers })
  const { cursor } = (await response.json()) as { cursor: string }
  return positionOf(cursor)
}

/** Waits until these receivers have accepted everything up to a change. */
async function untilArrived(receivers: readonly Receiver[], last: number): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  const isLate = () => receivers.some(({ cursor }) => positionOf(cursor) < last)
  while (isLate() && performance.now() < end) await sleep(20)
}
