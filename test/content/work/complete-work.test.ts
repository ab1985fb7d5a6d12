import { beforeEach, describe, expect, it } from 'vitest'
import { storeCopyRecords } from '../../../src/build/publishing/copies-table.ts'
import {
  addPages,
  addThings,
  type CompletedPages,
  completePages,
  completeThings,
  type Failure,
  failAll,
  failFrames,
} from '../../../src/content/work/complete-work.ts'
import { readDueWork } from '../../../src/content/work/due-work.ts'
import { recordChange } from '../../../src/content/work/record-work.ts'
import { type Work, workOn } from '../../../src/content/work/work.ts'
import { pagesTable, workTable } from '../../../src/content/work/work-tables.ts'
import type { Tx } from '../../../src/db/transaction.ts'
import { useNetwork } from '../../support/network.ts'
import { timed } from '../../support/timings.ts'
import { forgetWork, makeDue, pendingWork } from '../../support/work-rows.ts'

const network = await useNetwork()
const site = await network.site(2)
/** Pauses that no test outlasts. */
const slow = timed(network.db, { work: { backoffMs: 20_000, temporaryPauseMs: 20_000 } })
const db = network.db
beforeEach(() => forgetWork(network))

const record = async (work: readonly Work[]) =>
  (await db.write({ site }, (tx) => recordChange(tx, site, { bake: true, work }))).version
const pages = (...ids: number[]) => workOn('page', ids)
const FRAME = workOn('frame', ['f1'])
const left = async () =>
  (await pendingWork(network)).map(({ kind, name }) => `${kind} ${name}`.trim()).sort()
/** A transaction of a builder, with long pauses. */
const build = (work: (tx: Tx) => void | Promise<void>) =>
  db.write({ site, isWork: true }, (tx) => work({ ...tx, timings: slow.timings }))
const things = async () => (await readDueWork(db, site, '')).things
const endPages = (version: number, completed: Partial<CompletedPages>) =>
  build((tx) =>
    completePages(tx, site, version, {
      pages: [],
      failed: new Map(),
      deferred: new Map(),
      ...completed,
    }),
  )
const rowOf = (page_id: number) =>
  db.sql(pagesTable(network.globals)).where({ blog_id: 2, page_id }).first()

describe('completed work', () => {
  it('is deleted, and what was touched after the snapshot stays due', async () => {
    const version = await record([...workOn('menus'), ...FRAME, ...pages(3, 4)])
    const done = await things()
    await record([...FRAME, ...pages(4)])
    await build((tx) => completeThings(tx, site, version, done))
    await endPages(version, { pages: [3, 4] })
    expect(await left()).toEqual(['frame f1', 'page 4'])
    expect((await pendingWork(network)).every(({ due_in }) => due_in < 0)).toBe(true)
  })

  it('leaves kinds that a newer version has recorded', async () => {
    const version = await record(FRAME)
    const newer = { blog_id: 2, kind: 'newer', name: 'x', version, since: '2026-01-01' }
    await db.sql(workTable(network.globals)).insert({ ...newer, due_at: '2000-01-01' })
    await build(async (tx) => completeThings(tx, site, version, await things()))
    expect(await left()).toEqual(['newer x'])
  })

  it('leaves the row of a page that has a copy, without anything to do', async () => {
    const version = await record(pages(3, 4))
    const copy = { page: 3, url: 'http://net.test/shop/three/', version, bytes: 1 }
    await build((tx) => storeCopyRecords(tx, site, [copy]))
    await endPages(version, { pages: [3, 4] })
    expect(await rowOf(3)).toMatchObject({
      url: copy.url,
      wanted: 0,
      is_touched: 0,
      since: null,
      due_at: null,
    })
    expect(await rowOf(4)).toBeUndefined()
  })

  it('is also that of thousands of pages', async () => {
    const version = await record(FRAME)
    const many = Array.from({ length: 2500 }, (_, at) => at + 1)
    await build((tx) => addPages(tx, site, version, many))
    expect(await left()).toHaveLength(2501)
    await endPages(version, { pages: many })
    expect(await left()).toEqual(['frame f1'])
  })
})

describe('added work', () => {
  it('is what follows from things: pages, and frames that were too many', async () => {
    const version = await record(workOn('all'))
    await build(async (tx) => {
      completeThings(tx, site, version, await things())
      addThings(tx, site, version, workOn('frame', ['f1', 'f2']))
      addPages(tx, site, version, [3, 4])
    })
    expect(await left()).toEqual(['frame f1', 'frame f2', 'page 3', 'page 4'])
  })

  it('replaces no newer version, and does not make a page that was touched wait behind others', async () => {
    const version = await record(workOn('menus'))
    const later = await record([...FRAME, ...pages(3)])
    await build((tx) => {
      addThings(tx, site, version, FRAME)
      addPages(tx, site, version, [2, 3])
    })
    await build((tx) => completeThings(tx, site, version, FRAME))
    await endPages(version, { pages: [2, 3] })
    expect(await pendingWork(network)).toMatchObject([
      { kind: 'frame', version: later },
      { kind: 'menus', version },
      { kind: 'page', name: '3', version: later },
    ])
    expect((await readDueWork(db, site, '')).pages).toMatchObject([{ page: 3, isTouched: true }])
  })

  it('makes a page due again that has failed', async () => {
    const version = await record(pages(3))
    await endPages(version, { pages: [3], failed: new Map([[3, FAILURE]]) })
    expect((await pendingWork(network))[0]?.due_in).toBeGreaterThan(0)
    await build((tx) => addPages(tx, site, version + 1, [3]))
    const [row] = await pendingWork(network)
    expect(row).toMatchObject({ version: version + 1, tries: 1 })
    expect(row?.due_in).toBeLessThan(0)
  })
})

const FAILURE: Failure = { message: 'The template is damaged.', code: 'failed' }

describe('failed work', () => {
  const failPage = (version: number, failure: Failure = FAILURE) =>
    endPages(version, { pages: [3], failed: new Map([[3, failure]]) })
  const failFrame = (version: number) =>
    build((tx) => failFrames(tx, site, version, new Map([['f1', FAILURE.message]])))

  it('waits twice as long after each try, with its message and its code', async () => {
    const version = await record([...FRAME, ...pages(3)])
    for (const [tries, pause] of [
      [1, 20],
      [2, 40],
      [3, 80],
    ] as const) {
      await makeDue(network)
      await failPage(version)
      await failFrame(version)
      const rows = await pendingWork(network)
      expect(rows).toHaveLength(2)
      for (const row of rows) {
        expect(row).toMatchObject({ tries, error: FAILURE.message })
        expect(row.due_in).toBeGreaterThan(pause - 5)
        expect(row.due_in).toBeLessThanOrEqual(pause)
      }
    }
    expect(await rowOf(3)).toMatchObject({ code: 'failed' })
  })

  it('waits no longer than the longest pause, or a short one if nothing is wrong with it', async () => {
    const version = await record(pages(3))
    await db.sql(pagesTable(network.globals)).where({ page_id: 3 }).update({ tries: 30 })
    await failPage(version)
    expect((await pendingWork(network))[0]?.due_in).toBeGreaterThan(290)
    await failPage(version, { ...FAILURE, isTemporary: true })
    const [row] = await pendingWork(network)
    expect(row).toMatchObject({ tries: 32 })
    expect(row?.due_in).toBeLessThanOrEqual(20)
  })

  it('is due at once if it was touched after the snapshot', async () => {
    const version = await record([...FRAME, ...pages(3)])
    await record([...FRAME, ...pages(3)])
    await failPage(version)
    await failFrame(version)
    for (const row of await pendingWork(network)) {
      expect(row).toMatchObject({ tries: 1, version: version + 1 })
      expect(row.due_in).toBeLessThan(0)
    }
  })

  it('may be a frame that no row named', async () => {
    const version = await record(workOn('menus'))
    await build(async (tx) => {
      completeThings(tx, site, version, await things())
      failFrames(tx, site, version, new Map([['f1', FAILURE.message]]))
    })
    expect(await left()).toEqual(['frame f1'])
  })

  it('does not keep other pages from being completed', async () => {
    const version = await record(pages(2, 3, 4))
    await endPages(version, { pages: [2, 3, 4], failed: new Map([[3, FAILURE]]) })
    expect(await left()).toEqual(['page 3'])
  })

  it('is not what may be published only a little later: it waits for that without a failure', async () => {
    const version = await record(pages(3, 4))
    await endPages(version, { pages: [3, 4], deferred: new Map([[3, 20_000]]) })
    const [row, ...others] = await pendingWork(network)
    expect(others).toEqual([])
    expect(row).toMatchObject({ name: '3', tries: 0, error: null })
    expect(row?.due_in).toBeGreaterThan(15)
  })
})

describe('a slice that failed', () => {
  const fail = async (isOutage: boolean) => {
    const tried = { things: await things(), pages: [3] }
    await build((tx) => failAll(tx, site, tried, 'The disk is full.', isOutage))
    return pendingWork(network)
  }

  it('is tried again after a short pause while the folder or the database fails, however often', async () => {
    await record([...FRAME, ...pages(3, 4)])
    for (const _ of [1, 2, 3]) {
      await makeDue(network)
      const [frame, page, other] = await fail(true)
      for (const row of [frame, page]) {
        expect(row).toMatchObject({ tries: 1, error: 'The disk is full.' })
        expect(row?.due_in).toBeLessThanOrEqual(1)
      }
      expect(other).toMatchObject({ name: '4', tries: 0 })
    }
    expect(await rowOf(3)).toMatchObject({ code: 'outage' })
  })

  it('waits longer after each try if it fails otherwise', async () => {
    await record([...FRAME, ...pages(3)])
    for (const [tries, pause] of [
      [1, 20],
      [2, 40],
    ] as const) {
      await makeDue(network)
      for (const row of await fail(false)) {
        expect(row).toMatchObject({ tries })
        expect(row.due_in).toBeGreaterThan(pause - 5)
      }
    }
  })
})
