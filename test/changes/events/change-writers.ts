import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { type ChangeEvent, parseCursor } from '../../../src/changes/events/event.ts'
import { type EventScope, readEvents } from '../../../src/changes/events/read-events.ts'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import type { Database } from '../../../src/db/database.ts'
import { recordHistory } from '../../../src/record/history/record-history.ts'
import type { TestNetwork } from '../../support/network.ts'
import { openTestDatabase, type SqlDatabase } from '../../support/open-database.ts'

/** The sites that the writers write to. */
export const SITES = [2, 3, 4] as const

/** A transaction: what it writes, how long it stays open after its statements, and whether it is rolled back then. */
export type PlannedWrite = {
  readonly blogId: number
  /** The number of a frame that all writers write to, which is locked until the commit; undefined for things of its own, which lock nothing. */
  readonly frame: number | undefined
  readonly things: number
  readonly holdMs: number
  readonly fails: boolean
}

const FRAMES = 2

export const plannedWrite: fc.Arbitrary<PlannedWrite> = fc.record({
  blogId: fc.constantFrom(...SITES),
  frame: fc.oneof(fc.constant(undefined), fc.nat(FRAMES - 1)),
  things: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 4 }) },
    { weight: 1, arbitrary: fc.constant(400) },
  ),
  holdMs: fc.oneof(fc.constant(0), fc.nat(40)),
  fails: fc.nat(9).map((number) => number === 0),
})

/** A committed transaction. The times are those before its begin and after its commit. */
export type Written = {
  readonly requestId: string
  readonly things: number
  readonly began: number
  readonly ended: number
}

class PlannedFailure extends Error {}

const author = (requestId: string) => ({
  userId: 1,
  tokenId: null,
  label: 'test',
  requestId,
})

const frameWrite = (html: string) => ({
  html,
  userId: 1,
  now: '2026-01-01 00:00:00',
  bake: false,
})

/** Opens the connections of one more process. */
export const openProcess = ({ url }: TestNetwork): SqlDatabase =>
  openTestDatabase({ url, poolSize: 4 })

/** Creates the frames that all writers write to. */
export async function createSharedFrames(
  { db, site }: TestNetwork,
  sites: readonly number[] = SITES,
): Promise<void> {
  for (const blogId of sites) {
    const shop = await site(blogId)
    for (let frame = 0; frame < FRAMES; frame += 1)
      await db.write({ site: shop }, (tx) =>
        createFrame(tx, shop, { slug: `shared-${frame}`, ...frameWrite('<br>') }),
      )
  }
}

/** Performs the transactions of one process, one after the other, and gives those that were committed. */
export async function performWrites(
  db: Database,
  network: TestNetwork,
  process: string,
  writes: readonly PlannedWrite[],
): Promise<Written[]> {
  const written: Written[] = []
  for (const [at, { blogId, frame, things, holdMs, fails }] of writes.entries()) {
    const requestId = `${process}-${at}`
    const site = await network.site(blogId)
    const began = performance.now()
    try {
      await db.write({ site, author: author(requestId) }, async (tx) => {
        if (frame !== undefined)
          await replaceFrame(tx, site, `shared-${frame}`, frameWrite(requestId))
        else
          for (let thing = 0; thing < things; thing += 1)
            recordHistory(tx, site, {
              kind: 'dataset',
              ref: `${requestId}-${thing}`,
              action: 'created',
              before: undefined,
              after: { name: requestId, fields: { thing } },
              isNew: true,
            })
        // After the entries have got their ids.
        tx.beforeCommit(async () => {
          await tx.flush()
          await sleep(holdMs)
          if (fails) throw new PlannedFailure()
        })
      })
      const count = frame === undefined ? things : 1
      written.push({ requestId, things: count, began, ended: performance.now() })
    } catch (error) {
      if (!(error instanceof PlannedFailure)) throw error
    }
  }
  return written
}

export type ReaderOptions = {
  readonly since: string
  readonly limit: number
  /** Nothing is written after it returns true. */
  readonly isOver: () => boolean
  /** Whether the reader is killed after it has read, before it stores its cursor. */
  readonly isKilled?: () => boolean
}

/** What a reader has got. */
export type Read = {
  /** From the run of cursors that it has stored. */
  readonly events: ChangeEvent[]
  /** From reads after which it was killed. */
  readonly lost: ChangeEvent[]
}

/** Reads the feed until it is over, and everything was read. */
export async function follow(
  scope: EventScope,
  { since, limit, isOver, isKilled = () => false }: ReaderOptions,
): Promise<Read> {
  const read: Read = { events: [], lost: [] }
  for (let cursor = since; ; ) {
    const wasOver = isOver()
    const page = await readEvents(scope, cursor, { limit })
    if (isKilled()) {
      read.lost.push(...page.events)
      continue
    }
    read.events.push(...page.events)
    cursor = page.cursor
    if (wasOver && page.events.length === 0 && !page.more) return read
    // Without a pause, the readers would take most of the time of the database.
    await sleep(5)
  }
}

/** The number of the change behind which a cursor is. */
export const positionOf = (cursor: string): number => parseCursor(cursor)?.position ?? Number.NaN
