import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ChangeEvent } from '../../../src/changes/events/event.ts'
import { readEvents } from '../../../src/changes/events/read-events.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { NO_ENTRY, recordHistory } from '../../../src/record/history/record-history.ts'
import { useNetwork } from '../../support/network.ts'
import '../../support/property-seed.ts'
import { use } from '../../support/use.ts'
import {
  createSharedFrames,
  follow,
  openProcess,
  performWrites,
  plannedWrite,
  SITES,
  type Written,
} from './change-writers.ts'

const WRITERS = 6
const runs = process.env.CI === 'true' ? 30 : 10

const network = await useNetwork()
const { globals } = network
const writers = await Promise.all(Array.from({ length: WRITERS }, () => use(openProcess(network))))
const readers = await Promise.all(Array.from({ length: 4 }, () => use(openProcess(network))))
const [first = network.db, second = network.db, third = network.db, fourth = network.db] = readers
await createSharedFrames(network)

const scope = (db = network.db, blogId?: number) => ({ db, globals, blogId })
const now = async () => (await readEvents(scope(), 'now')).cursor
const requestsOf = (events: readonly ChangeEvent[]) => events.map(({ request_id }) => request_id)

it('each reader gets each change once, in one order, however the transactions overlap', async () => {
  let run = 0
  const plans = fc.tuple(
    fc.array(fc.array(plannedWrite, { minLength: 4, maxLength: 8 }), {
      minLength: WRITERS,
      maxLength: WRITERS,
    }),
    fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
  )
  await fc.assert(
    fc.asyncProperty(plans, async ([plan, kills]) => {
      run += 1
      const since = await now()
      let isOver = false
      let reads = 0
      const reader = (db = first, limit = 100, blogId?: number, isKilled = () => false) =>
        follow(scope(db, blogId), { since, limit, isOver: () => isOver, isKilled })
      const isKilled = () => {
        reads += 1
        return reads % 3 > 0 && kills[reads % kills.length] === true
      }
      const following = Promise.all([
        reader(first, 1),
        reader(second, 3, undefined, isKilled),
        reader(third),
        ...SITES.map((blogId) => reader(fourth, 2, blogId)),
      ])
      const written = (
        await Promise.all(
          plan.map((writes, at) => {
            const db = writers[at] ?? network.db
            return performWrites(db, network, `${run}-${at}`, writes)
          }),
        )
      ).flat()
      isOver = true
      const [one, killed, all, ...ofSites] = await following
      expectComplete(all?.events ?? [], written)
      expect(one?.events).toEqual(all?.events)
      expect(killed?.events).toEqual(all?.events)
      for (const event of killed?.lost ?? []) expect(all?.events).toContainEqual(event)
      for (const [at, blogId] of SITES.entries())
        expect(ofSites[at]?.events).toEqual(all?.events.filter(({ site_id }) => site_id === blogId))
    }),
    { numRuns: runs, endOnFailure: true },
  )
}, 120_000)

function expectComplete(events: readonly ChangeEvent[], written: readonly Written[]): void {
  const requests = requestsOf(events)
  expect(requests.toSorted()).toEqual(written.map(({ requestId }) => requestId).toSorted())
  const ranks = new Map(requests.map((requestId, at) => [requestId, at]))
  const rankOf = ({ requestId }: Written) => ranks.get(requestId) ?? Number.NaN
  for (const write of written) {
    expect(events[rankOf(write)]?.things_total).toBe(write.things)
    for (const later of written)
      if (write.ended < later.began) expect(rankOf(write)).toBeLessThan(rankOf(later))
  }
  const entries = new Map<string, number>()
  for (const { site_id, things } of events)
    for (const { kind, ref, entry } of things) {
      const key = `${site_id} ${kind} ${ref}`
      expect(entry).toBeGreaterThan(entries.get(key) ?? 0)
      entries.set(key, entry ?? 0)
    }
}

it('a transaction is one event, however many things it has', async () => {
  const since = await now()
  const site = await network.site(3)
  await network.db.write({ site }, async (tx) => {
    for (let at = 0; at < 1500; at += 1)
      recordHistory(tx, site, {
        kind: 'dataset',
        ref: `many-${at}`,
        action: 'created',
        before: undefined,
        after: { name: '', fields: {} },
        isNew: true,
      })
  })
  const { events, more } = await readEvents(scope(), since)
  expect(events).toHaveLength(1)
  expect(more).toBe(false)
  expect(events[0]).toMatchObject({ type: 'changed', site_id: 3, things_total: 1500 })
  expect(events[0]?.things).toHaveLength(1000)
})

it('a transaction is one event if the ids of another one are between its own', async () => {
  const since = await now()
  const insert = (db: typeof first.sql, requestId: string, count: number) =>
    db(historyTable(globals)).insert(
      Array.from({ length: count }, (_, at) => ({
        ...NO_ENTRY,
        blog_id: 2,
        kind: 'dataset',
        ref: `${requestId}-${at}`,
        action: 'created',
        request_id: requestId,
        created_at: '2026-01-01 00:00:00.000',
        position: null,
      })),
    )
  const open = await first.sql.transaction()
  await insert(open, 'large', 300)
  await insert(second.sql, 'between', 501)
  await insert(open, 'large', 20)
  await open.commit()
  const { events } = await readEvents(scope(), since)
  expect(events.map(({ request_id, things_total }) => [request_id, things_total])).toEqual([
    ['large', 320],
    ['between', 501],
  ])
})
