import { expect, it } from 'vitest'
import { readEvents } from '../../src/events/read-events.ts'
import { EVENTS_KEPT, pruneEvents } from '../../src/history/prune-events.ts'
import { recordEvent } from '../../src/history/record-event.ts'
import { cloneNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'

const { db, globals } = await use(cloneNetwork())
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
const later = (days: number) => ({ now: new Date(Date.now() + days * DAY_MS) })

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
  expect(await pruneEvents(db, globals, later(EVENTS_KEPT.days - 1))).toBe(0)
  expect(await pruneEvents(db, globals, later(0), { days: 7, perSite: 2 })).toBe(2)
  expect((await readEvents(scope, undefined)).events).toEqual(all.events.slice(-2))
  expect((await readEvents(scope, first.cursor)).events).toMatchObject([
    { type: 'reset', reason: 'pruned' },
  ])
  expect((await readEvents(scope, all.events.at(-2)?.id)).events).toEqual(all.events.slice(-1))
  // Rows that nobody has numbered count too.
  await record(2, 60)
  expect(await pruneEvents(db, globals, later(EVENTS_KEPT.days + 1))).toBe(4)
  expect((await readEvents(scope, all.cursor)).events).toMatchObject([
    { type: 'reset', reason: 'pruned' },
  ])
  expect((await readEvents({ db, globals, blogId: 3 }, undefined)).events).toEqual([])
})
