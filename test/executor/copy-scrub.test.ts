import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CopyScrub } from '../../src/executor/copy-scrub.ts'
import {
  completeBatch,
  renewBatch,
  takeBatch,
  urgentScrub,
} from '../../src/executor/scrub-table.ts'
import { createLog } from '../../src/log.ts'
import { Metrics } from '../../src/metrics.ts'
import { findOrphanedCopies, removeOrphanedCopy } from '../../src/publishing/check-copies.ts'
import { fileTimeOf } from '../../src/publishing/copy-files.ts'
import { eventually } from '../support/eventually.ts'
import { startFront, type TestFront } from '../support/front.ts'
import { type PageCache, startPageCache } from '../support/page-cache.ts'
import { FAST, timed } from '../support/timings.ts'
import { use, useFolder } from '../support/use.ts'

const PAGES = [7, 8]
const HTML = `<p>${'text '.repeat(200)}</p>`

let cache: PageCache
let front: TestFront
let metrics: Metrics

beforeEach(async () => {
  const parent = await useFolder('scrub')
  cache = await use(startPageCache())
  const staticDir = join(parent, 'static')
  front = await use(startFront({ staticDir, pageCachePurge: [cache.base] }))
  await front.frame(2, 'page', HTML)
  await front.assign(2, 'page', PAGES)
  cache.purged.length = 0
})

const at = (name: string, folder = 'about-us') =>
  join(front.staticDir, 'net.test/shop', folder, name)

function start(pagesPerMinute = 6000, db = front.network.db): void {
  const { executor, network } = front
  const { copies, identities } = executor
  if (copies === undefined) throw new Error('no folder')
  metrics = new Metrics(FAST.health)
  executor.start()
  const scrub = new CopyScrub({
    db,
    globals: network.globals,
    log: createLog('silent'),
    metrics,
    copies,
    identities,
    pagesPerMinute,
    pageCachePurge: [cache.base],
    wake: (blogId) => executor.wake(blogId),
  })
  onTestFinished(() => scrub.stop())
}

const counted = async (outcome: string) => {
  const all = await metrics.read()
  const one = all.find(({ name }) => name === 'wp_frames_scrubbed_copies_total')
  return one?.values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0
}

/** Flips a bit in the middle of a file, as a disk does: size and time stay. */
function flip(path: string): void {
  const { atime, mtimeMs } = statSync(path)
  const bytes = readFileSync(path)
  const middle = Math.floor(bytes.length / 2)
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(path, bytes)
  // Fractions of microseconds are cut off.
  utimesSync(path, atime, (Math.round(mtimeMs * 1000) + 0.5) / 1e6)
  expect(fileTimeOf(statSync(path))).toBe(fileTimeOf({ mtimeMs }))
}

const DAMAGE: readonly (readonly [string, () => unknown])[] = [
  ['is missing', () => rm(at('index.html'))],
  ['is missing with its folder', () => rm(join(at('index.html'), '..'), { recursive: true })],
  ['is empty', () => writeFileSync(at('index.html'), '')],
  ['was replaced', () => writeFileSync(at('index.html'), '<p>other</p>')],
  ['has a flipped bit', () => flip(at('index.html'))],
  ['has a flipped bit in its gzip form', () => flip(at('index.html.gz'))],
  ['has a flipped bit in its Brotli form', () => flip(at('index.html.br'))],
  ['has no gzip form', () => rm(at('index.html.gz'))],
]

const copy = () =>
  ['index.html', 'index.html.gz', 'index.html.br'].map((name) =>
    existsSync(at(name)) ? readFileSync(at(name)).toString('hex') : undefined,
  )

describe('a static copy', () => {
  it.each(DAMAGE)('that %s is written again by the scrub', async (_, damage) => {
    const before = copy()
    await damage()
    expect(copy()).not.toEqual(before)
    start()
    await eventually(() => expect(copy()).toEqual(before))
    await eventually(async () => expect(await counted('damaged')).toBe(1))
    await eventually(() => expect(cache.purged).toContain('PURGE net.test/shop/about-us/'))
  })

  it.each(DAMAGE)('that %s is written again by a rebake', async (_, damage) => {
    const before = copy()
    await damage()
    await front.assign(2, 'page', PAGES)
    expect(copy()).toEqual(before)
  })

  it('without a record is removed and purged; others stay', async () => {
    await cp(join(at('index.html'), '..'), join(at('index.html', 'late'), '..'), {
      recursive: true,
    })
    const before = copy()
    start()
    await eventually(() => expect(existsSync(at('index.html', 'late'))).toBe(false))
    expect(copy()).toEqual(before)
    await eventually(() => expect(cache.purged).toContain('PURGE net.test/shop/about-us/'))
    expect(cache.purged.filter((line) => !line.includes('about-us'))).toEqual([])
    await eventually(async () => expect(await counted('removed')).toBe(1))
    expect(await counted('damaged')).toBe(0)
  })
})

it('the scrub removes a copy without a record although its first claims are fenced', async () => {
  const { db, globals } = front.network
  const { copies } = front.executor
  if (copies === undefined) throw new Error('no folder')
  await cp(join(at('index.html'), '..'), join(at('index.html', 'late'), '..'), { recursive: true })
  const { value: orphan } = await findOrphanedCopies(db, globals, copies).next()
  if (orphan === undefined) throw new Error('no orphan')
  const open = copies.begin.bind(copies)
  let fenced = 0
  vi.spyOn(copies, 'begin').mockImplementation(async (site, id) => {
    const claim = await open(site, id)
    fenced += 1
    if (fenced <= 2) await copies.fence(id)
    return claim
  })
  await removeOrphanedCopy(db, globals, copies, orphan)
  expect(fenced).toBe(3)
  expect(existsSync(at('index.html', 'late'))).toBe(false)
})

const SHORT_LEASE = { scrub: { leaseMs: 200 } }

describe('a batch after a restore', () => {
  beforeEach(async () => {
    const { db, globals } = front.network
    await db.write({}, (tx) => urgentScrub(tx, globals))
  })

  /** Lets the comparisons of files fail so many times. @returns the pages that were compared, of each call */
  const failing = (times: number) => {
    const { copies } = front.executor
    if (copies === undefined) throw new Error('no folder')
    const find = vi.spyOn(copies, 'check')
    onTestFinished(() => find.mockRestore())
    for (let time = 0; time < times; time += 1)
      find.mockRejectedValueOnce(new Error('the disk does not answer'))
    return find
  }

  it('is compared again if it failed', async () => {
    const before = copy()
    await rm(at('index.html'))
    failing(1)
    start(0, timed(front.network.db, SHORT_LEASE))
    await eventually(() => expect(copy()).toEqual(before))
  })

  it('that fails each time does not keep the scrub from the end of the round', async () => {
    await cp(join(at('index.html'), '..'), join(at('index.html', 'late'), '..'), {
      recursive: true,
    })
    failing(1000)
    start(0, timed(front.network.db, { scrub: { leaseMs: 60 } }))
    await eventually(() => expect(existsSync(at('index.html', 'late'))).toBe(false))
  })
})

const WITHOUT_PAUSE = { scrub: { batchPauseMs: 0 } }

it('the scrub gives each batch to one process, and begins again after the last one', async () => {
  const { globals } = front.network
  const db = timed(front.network.db, WITHOUT_PAUSE)
  const take = () => takeBatch(db, globals, { size: 1, urgentSize: 1 })
  const pages: number[][] = []
  for (let part = 0; part < 3; part += 1) {
    const taken = (await Promise.all([take(), take(), take()])).flatMap((batch) => batch ?? [])
    expect(taken).toHaveLength(1)
    pages.push(...taken.map(({ copies }) => copies.map(({ page }) => page)))
    const [batch] = taken
    if (batch && batch.copies.length > 0) await completeBatch(db, globals, batch, 0)
  }
  expect(pages).toEqual([[7], [8], []])
  expect(await take(), 'the end of the round belongs to one process').toBeUndefined()
  expect(await takeBatch(db, globals, { size: 0, urgentSize: 1 })).toBeUndefined()
})

it('the scrub gives up what it compares once a new round was asked for', async () => {
  const { globals } = front.network
  const db = timed(front.network.db, WITHOUT_PAUSE)
  const take = async () => {
    const batch = await takeBatch(db, globals, { size: 1, urgentSize: 10 })
    if (batch === undefined) throw new Error('nothing is due')
    return batch
  }
  const first = await take()
  expect(await renewBatch(db, globals, first)).toBe(true)
  await db.write({}, (tx) => urgentScrub(tx, globals))
  expect(await renewBatch(db, globals, first)).toBe(false)
  await completeBatch(db, globals, first, 0)
  const again = await take()
  expect(again).toMatchObject({ isUrgent: true, copies: [{ page: 7 }, { page: 8 }] })
  await completeBatch(db, globals, again, 0)
  expect((await take()).copies).toEqual([])
})
