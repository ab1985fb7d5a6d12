import { expect, it } from 'vitest'
import { readEvents } from '../../../src/changes/events/read-events.ts'
import { storeRows } from '../../../src/db/sql.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { EVENTS_KEPT, pruneHistory } from '../../../src/record/history/prune-history.ts'
import { recordEvent } from '../../../src/record/history/record-event.ts'
import { useNetwork } from '../../support/network.ts'

const { db, globals } = await useNetwork()
const scope = { db, globals, blogId: 2 }

const record = (blogId: number, page: number) =>
  db.write({}, (tx) =>
    recordEvent(tx, { blogId, globals }, 'published', [
      { kind: 'page', ref: String(page), action: 'published' },
      { kind: 'page', ref: String(page + 1), action: 'removed' },
      { kind: 'frame', ref: 'aa', action: 'edited' },
    ]),
  )
const DAY_MS = 86_400_000
/** Deletes events as in some days. Entries of the history stay. */
const pruneIn = (days: number, eventsKept = EVENTS_KEPT) => {
  const now = new Date(Date.now() + days * DAY_MS)
  const retention = { days: undefined, bytesPerSite: undefined }
  return pruneHistory(db, globals, retention, { now, eventsKept })
}

it('rows of events end after a week, or beyond a number for each site, and readers behind them get a reset', async () => {
  await record(2, 10)
  const first = await readEvents(scope, undefined)
  for (const page of [20, 30, 40]) {
    await record(2, page)
    // In the same millisecond they are one event.
    await readEvents(scope, undefined)
  }
  await record(3, 50)
  const all = await readEvents(scope, undefined)
  expect(all.events.at(-1)?.things).toEqual([
    { kind: 'page', ref: '40', action: 'published', name: '', entry: null, url: null },
    { kind: 'page', ref: '41', action: 'removed', name: '', entry: null, url: null },
    { kind: 'frame', ref: 'aa', action: 'edited', name: '', entry: null, url: null },
  ])
  expect(await pruneIn(EVENTS_KEPT.days - 1)).toBe(0)
  expect(await pruneIn(0, { days: 7, perSite: 2 })).toBe(2)
  expect((await readEvents(scope, undefined)).events).toEqual(all.events.slice(-2))
  expect((await readEvents(scope, first.cursor)).events).toMatchObject([
    { type: 'reset', reason: 'pruned' },
  ])
  expect((await readEvents(scope, all.events.at(-2)?.id)).events).toEqual(all.events.slice(-1))
  // Rows that nobody has numbered count too.
  await record(2, 60)
  expect(await pruneIn(EVENTS_KEPT.days + 1)).toBe(4)
  const reset = await readEvents(scope, all.cursor)
  expect(reset.events).toMatchObject([{ type: 'reset', reason: 'pruned' }])
  // Its cursor is behind what was deleted.
  expect(await readEvents(scope, reset.cursor)).toMatchObject({ events: [], cursor: reset.cursor })
  const { cursor: now } = await readEvents(scope, 'now')
  expect((await readEvents(scope, now)).events).toEqual([])
  const start = await readEvents(scope, undefined)
  expect(start.events).toEqual([])
  expect((await readEvents(scope, start.cursor)).events).toEqual([])
  await record(2, 70)
  for (const cursor of [now, reset.cursor, start.cursor])
    expect((await readEvents(scope, cursor)).events).toMatchObject([{ type: 'published' }])
  expect((await readEvents({ db, globals, blogId: 3 }, undefined)).events).toEqual([])
})

it('a deletion of rows with and without numbers is noticed by a reader at the last number', async () => {
  const own = { db, globals, blogId: 5 }
  await record(5, 10)
  const { cursor } = await readEvents(own, undefined)
  await record(5, 20)
  expect(await pruneIn(EVENTS_KEPT.days + 1)).toBeGreaterThanOrEqual(2)
  expect((await readEvents(own, cursor)).events).toMatchObject([{ type: 'reset' }])
})

it('a feed without a cursor begins behind what was deleted, and goes on from there', async () => {
  const own = { db, globals, blogId: 6 }
  for (const page of [10, 20, 30, 40]) {
    await record(6, page)
    await readEvents(own, undefined)
  }
  await pruneIn(0, { days: 7, perSite: 3 })
  const first = await readEvents(own, undefined, { limit: 2 })
  expect(first.events).toHaveLength(2)
  const rest = await readEvents(own, first.cursor, { limit: 2 })
  expect(rest.events).toMatchObject([{ type: 'published' }])
})

it('a change with very many entries is numbered', async () => {
  const entries = 30_000
  const now = new Date().toISOString().slice(0, 23).replace('T', ' ')
  await db.write({}, async (tx) => {
    const rows = Array.from({ length: entries }, (_, at) => ({
      blog_id: 7,
      kind: 'assignment',
      ref: String(at),
      action: 'cleared',
      user_id: 1,
      label: 'many',
      created_at: now,
    }))
    await storeRows(tx, [{ table: historyTable(globals), rows }])
  })
  const { events } = await readEvents({ db, globals, blogId: 7 }, undefined)
  expect(events).toMatchObject([{ type: 'changed', things_total: entries }])
})
