import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { ChangeEvent } from '../../../src/changes/events/event.ts'
import { readEvents } from '../../../src/changes/events/read-events.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { changesTable } from '../../../src/record/history/number-changes.ts'
import { pruneHistory } from '../../../src/record/history/prune-history.ts'
import { useNetwork } from '../../support/network.ts'
import { beforeStatements } from '../../support/statements.ts'
import { use } from '../../support/use.ts'
import {
  createSharedFrames,
  follow,
  openProcess,
  type PlannedWrite,
  performWrites,
  positionOf,
} from './change-writers.ts'

const SITE = 2

const network = await useNetwork()
const { db, globals } = network
await createSharedFrames(network)
const [writer, pruner, ...readers] = await Promise.all(
  Array.from({ length: 5 }, () => use(openProcess(network))),
)

const scope = (blogId: number | undefined = undefined) => ({ db, globals, blogId })
const now = async () => (await readEvents(scope(), 'now')).cursor
const read = (since: string, blogId?: number) => readEvents(scope(blogId), since)
const frameWrite = (frame: number): PlannedWrite => ({
  blogId: SITE,
  frame,
  things: 1,
  holdMs: 0,
  fails: false,
})
let writes = 0
const write = (count: number, more: Partial<PlannedWrite> = {}) => {
  writes += 1
  const all = Array.from({ length: count }, (_, at) => ({ ...frameWrite(at % 2), ...more }))
  return performWrites(db, network, `reset-${writes}`, all)
}
/** Deletes all entries but the last one of each thing. */
const prune = () =>
  pruneHistory(
    db,
    globals,
    { days: 1, bytesPerSite: undefined },
    { now: new Date(Date.now() + 2 * 86_400_000) },
  )
const typesOf = (events: readonly ChangeEvent[]) =>
  events.map(({ type, reason }) => (type === 'reset' ? `reset ${reason}` : type))

it.each([undefined, SITE])(
  'a reader behind what was pruned gets one reset (site %s)',
  async (blogId) => {
    const before = await now()
    await write(8)
    const middle = (await readEvents(scope(), before, { limit: 3 })).cursor
    const end = await now()
    await prune()
    for (const since of [before, middle]) {
      const { events, cursor, more } = await read(since, blogId)
      expect(typesOf(events)).toEqual(['reset pruned'])
      expect([events[0]?.id, more]).toEqual([cursor, false])
      expect((await read(cursor, blogId)).events).toEqual([])
      const [written] = await write(1)
      const next = await read(cursor, blogId)
      expect(next.events.map(({ request_id }) => request_id)).toEqual([written?.requestId])
      expect((await read(next.cursor, blogId)).events).toEqual([])
    }
    expect(typesOf((await read(end, blogId)).events)).toEqual(['changed', 'changed'])
  },
)

it('a reader that was at the end when entries were pruned gets no reset', async () => {
  await write(6)
  const cursor = await now()
  await prune()
  expect((await read(cursor)).events).toEqual([])
  await write(1)
  expect(typesOf((await read(cursor)).events)).toEqual(['changed'])
})

it('a reader that began before the first change gets a reset if changes were pruned', async () => {
  const blogId = 1
  const { events, cursor } = await read('now', blogId)
  expect(events).toEqual([])
  await createSharedFrames(network, [blogId])
  const one = { ...frameWrite(0), blogId }
  await performWrites(db, network, 'empty', [one, one, one, one])
  await prune()
  expect(typesOf((await read(cursor, blogId)).events)).toEqual(['reset pruned'])
})

it.each([0, 1, 2, 3, 4, 5, 6])(
  'a read misses nothing without a reset if entries are pruned before its statement %i',
  async (at) => {
    const since = await now()
    const written = await write(6)
    let statements = 0
    const sender = beforeStatements(db.sender, async () => {
      statements += 1
      if (statements === at + 1) await prune()
    })
    const { events } = await follow(
      { ...scope(), db: { ...db, sender } },
      { since, limit: 100, isOver: () => true },
    )
    const requests = events.map(({ request_id }) => request_id)
    if (!typesOf(events).includes('reset pruned'))
      expect(requests).toEqual(written.map(({ requestId }) => requestId))
  },
)

it('readers that read while entries are pruned miss nothing without a reset', async () => {
  const deleted = `${globals.basePrefix}deleted_changes`
  await db.sql.raw(`CREATE TABLE ${deleted} (position bigint unsigned, request_id varchar(200))`)
  await db.sql.raw(`CREATE TRIGGER ${deleted} BEFORE DELETE ON ${historyTable(globals)} FOR EACH ROW
    INSERT INTO ${deleted} VALUES (OLD.position, OLD.request_id)`)
  const since = await now()
  let isOver = false
  const following = readers.map((reader, at) =>
    follow(
      { db: reader, globals, blogId: at === 0 ? SITE : undefined },
      { since, limit: at + 1, isOver: () => isOver },
    ),
  )
  const pruning = async () => {
    while (!isOver) {
      await pruneHistory(
        pruner ?? db,
        globals,
        { days: undefined, bytesPerSite: 1 },
        { now: new Date() },
      )
      await sleep(5)
    }
  }
  const pruned = pruning()
  const plan = Array.from({ length: 150 }, (_, at) => ({ ...frameWrite(at % 2), holdMs: at % 3 }))
  const written = await performWrites(writer ?? db, network, 'pruned', plan)
  isOver = true
  await pruned
  const rows = await db
    .sql(historyTable(globals))
    .select('position', 'request_id')
    .union(db.sql(deleted).select('position', 'request_id'))
  const positions = new Map(
    rows.map(({ position, request_id }) => [request_id, Number(position)] as const),
  )
  let resets = 0
  for (const { events } of await Promise.all(following)) {
    const got = new Set(events.map(({ request_id }) => request_id))
    expect(got.size).toBe(
      events.filter(({ type }) => type !== 'reset').length +
        (events.some(({ type }) => type === 'reset') ? 1 : 0),
    )
    resets += events.filter(({ type }) => type === 'reset').length
    for (const { requestId } of written)
      if (!got.has(requestId)) expect(isInReset(events, since, positions.get(requestId))).toBe(true)
  }
  expect(resets).toBeGreaterThan(0)
  await db.sql.raw(`DROP TRIGGER ${deleted}`)
}, 60_000)

/** Whether a reset covers the change with this number. */
function isInReset(events: readonly ChangeEvent[], since: string, position = Number.NaN): boolean {
  // Deleted before anybody has numbered it.
  if (position === 0) return events.some(({ type }) => type === 'reset')
  return events.some(({ type, id }, at) => {
    const from = positionOf(events[at - 1]?.id ?? since)
    return type === 'reset' && from < position && position <= positionOf(id)
  })
}

it('a restored database gives one reset, also if other changes have the same numbers', async () => {
  // The frames are not restored with the history.
  const own = { frame: undefined }
  await write(2, own)
  const tables = [historyTable(globals), changesTable(globals)]
  const backup = await Promise.all(tables.map((table) => db.sql(table).select()))
  const known = await now()
  await write(5, own)
  const lost = await now()
  const middle = (await readEvents(scope(), known, { limit: 2 })).cursor
  for (const [at, table] of tables.entries()) {
    await db.sql(table).delete()
    await db.sql(table).insert(backup[at] ?? [])
    if (at === 0) await db.sql.raw(`ALTER TABLE ${table} AUTO_INCREMENT = 1`)
  }
  for (const since of [lost, middle]) {
    const { events, cursor } = await read(since)
    expect(typesOf(events)).toEqual(['reset unknown'])
    expect(cursor).toBe(known)
    expect((await read(cursor)).events).toEqual([])
  }
  const written = await write(9, own)
  for (const since of [lost, middle]) {
    const { events, cursor } = await read(since)
    expect(typesOf(events)).toEqual(['reset unknown'])
    expect(cursor).toBe(await now())
  }
  const { events } = await read(known)
  expect(events.map(({ request_id }) => request_id)).toEqual(
    written.map(({ requestId }) => requestId),
  )
})
