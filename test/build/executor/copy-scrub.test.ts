import { existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CopyScrub } from '../../../src/build/executor/copy-scrub.ts'
import {
  findOrphanedCopies,
  removeOrphanedCopy,
} from '../../../src/build/publishing/check-copies.ts'
import { fileFailure } from '../../../src/build/publishing/copy-failure.ts'
import { fileTimeOf } from '../../../src/build/publishing/copy-files.ts'
import { FolderJobs } from '../../../src/build/publishing/folder-jobs.ts'
import { ROUND_BEGIN, SCRUB, urgentScrub } from '../../../src/build/publishing/scrub-position.ts'
import { type Held, holdTask } from '../../../src/db/tasks/hold-task.ts'
import type { TaskRest } from '../../../src/db/tasks/task-runner.ts'
import { createLog } from '../../../src/host/log.ts'
import { Metrics } from '../../../src/host/metrics.ts'
import { eventually } from '../../support/eventually.ts'
import { useFront } from '../../support/front.ts'
import { startPageCache } from '../../support/page-cache.ts'
import { startTasks, taskRow } from '../../support/tasks.ts'
import { FAST, timed } from '../../support/timings.ts'
import { use } from '../../support/use.ts'

const PAGES = [7, 8]
const DENIED = fileFailure(
  { code: 'EACCES', message: 'denied' },
  { purpose: 'remove', name: 'net.test/shop/second' },
)
const HTML = `<p>${'text '.repeat(200)}</p>`

const cache = await use(startPageCache())
const front = await useFront({ pageCachePurge: [cache.base] })
front.executor.start()
await front.frame(2, 'page', HTML)
let metrics: Metrics

beforeEach(async () => {
  await front.assign(2, 'page', PAGES)
  await taskRow(front.network, SCRUB).delete()
  cache.purged.length = 0
})

const at = (name: string, folder = 'about-us') =>
  join(front.staticDir, 'net.test/shop', folder, name)

function createScrub(pagesPerMinute = 6000, db = front.network.db): CopyScrub {
  const { executor, network } = front
  const { copies, identities } = executor
  if (copies === undefined) throw new Error('no folder')
  metrics = new Metrics(FAST.health)
  return new CopyScrub({
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
}

const start = (pagesPerMinute?: number) =>
  void startTasks(front.network, createScrub(pagesPerMinute))

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

/** A copy of the copy, in a folder that has no record. */
const copyWithoutRecord = () =>
  cp(join(at('index.html'), '..'), join(at('index.html', 'late'), '..'), { recursive: true })

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
    await copyWithoutRecord()
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
  await copyWithoutRecord()
  const { value: orphan } = await findOrphanedCopies({ db, globals, copies }).next()
  if (orphan === undefined) throw new Error('no orphan')
  const open = copies.begin.bind(copies)
  let fenced = 0
  const begin = vi.spyOn(copies, 'begin').mockImplementation(async (site, id) => {
    const claim = await open(site, id)
    fenced += 1
    if (fenced <= 2) await copies.fence(id)
    return claim
  })
  onTestFinished(() => begin.mockRestore())
  await removeOrphanedCopy({ db, globals, copies }, orphan)
  expect(fenced).toBe(3)
  expect(existsSync(at('index.html', 'late'))).toBe(false)
})

it('a copy without a record that cannot be removed keeps the scrub neither from the others nor from the next round', async () => {
  const folders = ['first', 'second', 'third']
  const orphan = (folder: string) => at('index.html', folder)
  for (const folder of folders)
    await cp(join(at('index.html'), '..'), join(orphan(folder), '..'), { recursive: true })
  // A root user, who may run the tests, gets no EACCES.
  const remove = FolderJobs.prototype.remove
  const spy = vi.spyOn(FolderJobs.prototype, 'remove').mockImplementation(function (
    this: FolderJobs,
    change,
    placed,
  ) {
    const denied = placed.find(({ location }) => location.endsWith('second'))
    return denied
      ? Promise.resolve(new Map([[denied.page, DENIED]]))
      : remove.call(this, change, placed)
  })
  onTestFinished(async () => {
    spy.mockRestore()
    await rm(join(orphan('second'), '..'), { recursive: true, force: true })
  })
  const { signal } = new AbortController()
  const atEnd = JSON.stringify({ blogId: 2, page: 8, isUrgent: false })
  const rest = await createScrub().run(heldWith(atEnd), signal)
  expect(folders.map((folder) => existsSync(orphan(folder)))).toEqual([false, true, false])
  expect(rest.state).toBe(JSON.stringify(ROUND_BEGIN))
})

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
    start(0)
    await eventually(() => expect(copy()).toEqual(before))
  })

  it('that fails each time does not keep the scrub from the end of the round', async () => {
    await copyWithoutRecord()
    failing(1000)
    start(0)
    await eventually(() => expect(existsSync(at('index.html', 'late'))).toBe(false))
  })
})

/** What a process has that has just taken the task. */
const heldWith = (state: string | null) => ({ state, tries: 0 }) as Held

describe('a run of the scrub', () => {
  const run = (state: string | null, pagesPerMinute: number) => {
    const { db: own } = front.network
    const db = { ...own, ...timed(own, { scrub: { batchPauseMs: 1000 } }) }
    const { signal } = new AbortController()
    return createScrub(pagesPerMinute, db).run(heldWith(state), signal)
  }

  it('compares one batch, and the round begins again after the last one', async () => {
    const rests: TaskRest[] = []
    for (let state: string | null = null; rests.length < 3; ) {
      const rest = await run(state, 60)
      rests.push(rest)
      state = rest.state ?? null
    }
    const at = (blogId: number, page: number, batches?: number) =>
      JSON.stringify({ blogId, page, isUrgent: false, batches })
    expect(rests).toEqual([
      { dueInMs: 1000, state: at(2, 7, 1) },
      { dueInMs: 1000, state: at(2, 8, 2) },
      { dueInMs: 58_000, state: at(0, 0) },
    ])
  })

  it('compares nothing without a rate, unless a round was asked for', async () => {
    expect(await run(null, 0)).toEqual({ dueInMs: 1000 })
    const urgent = JSON.stringify({ blogId: 0, page: 0, isUrgent: true })
    expect(await run(urgent, 0)).toEqual({
      dueInMs: 0,
      state: JSON.stringify({ blogId: 2, page: 8, isUrgent: true, batches: 1 }),
    })
  })
})

it('the scrub gives up what it compares once a new round was asked for', async () => {
  const { db, globals } = front.network
  const held = await holdTask(db, globals, { name: SCRUB, leaseMs: 3000 })
  await db.write({}, (tx) => urgentScrub(tx, globals))
  await held?.release({ dueInMs: 3_600_000, state: null })
  const next = await holdTask(db, globals, { name: SCRUB, leaseMs: 3000 })
  expect(JSON.parse(next?.state ?? '')).toMatchObject({ blogId: 0, isUrgent: true })
  await next?.end()
})
