import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readCopyRecords } from '../../../src/build/publishing/copies-table.ts'
import { bakedOption, recordOption } from '../../../src/content/frames/option-names.ts'
import { countWork, siteTask } from '../../../src/content/work/due-work.ts'
import { recordChange } from '../../../src/content/work/record-work.ts'
import { type Work, workOn } from '../../../src/content/work/work.ts'
import type { Database } from '../../../src/db/database.ts'
import { LostLeaseError, tasksTable } from '../../../src/db/tasks/tasks-table.ts'
import { eventually } from '../../support/eventually.ts'
import { createTestExecutor } from '../../support/local-executor.ts'
import { useNetwork } from '../../support/network.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { statementsOf } from '../../support/statements.ts'
import { use, useFolder } from '../../support/use.ts'
import { buildElsewhere, endElsewhere, forgetWork, pendingWork } from '../../support/work-rows.ts'

const PAGE = 10
/** A builder that was killed. */
const LATE = 'a'.repeat(16)

const network = await useNetwork()
const { db, globals } = network
const site = await network.site(2)
const staticDir = await useFolder('site')
const open = (own: Partial<Database> = {}) =>
  use(createTestExecutor({ db: { ...db, ...own }, globals, staticDir }))
const executor = await open()
const { copies } = executor
if (!copies) throw new Error('no static copies')
const shop = createSiteFixture(db, site, { executor })
await shop.frame('page', '<h1 data-op-bind="page.title"></h1>')

beforeEach(async () => {
  await endElsewhere(network, 2)
  await forgetWork(network)
  await shop.assign('page', [PAGE])
})
afterEach(() => void vi.restoreAllMocks())

const record = (work: readonly Work[]) =>
  db.write({ site }, (tx) => recordChange(tx, site, { bake: true, work }))
const touchPage = () => record(workOn('page', [PAGE]))
const versionOfCopy = async () => (await readCopyRecords(db, site, [PAGE])).get(PAGE)?.version

describe('a builder that was killed', () => {
  /** Leaves a lease that has ended, and the writer of the killed builder. */
  async function leave() {
    const writer = await copies?.begin(2, LATE)
    const row = { name: siteTask(2), owner: LATE, due_at: '2020-01-01' }
    await db.sql(tasksTable(globals)).insert(row).onConflict().merge()
    return writer
  }
  const { fence } = copies
  const fenced = () => vi.spyOn(copies, 'fence')
  /** The builders of the site that are not fenced yet. */
  const former = () =>
    db
      .sql(tasksTable(globals))
      .where({ name: siteTask(2) })
      .pluck('former')

  it('is fenced before anything of the site is read, and writes nothing any more', async () => {
    const { version } = await touchPage()
    const writer = await leave()
    const spy = fenced()
    let isFencedFirst: boolean | undefined
    await statementsOf(db, async (statements) => {
      spy.mockImplementation(async (id, ...more) => {
        if (id === LATE) isFencedFirst ??= !statements.some((text) => text.includes('site_version'))
        return fence.call(copies, id, ...more)
      })
      await executor.finish(2)
    })
    expect(isFencedFirst).toBe(true)
    expect(await versionOfCopy()).toBe(version)
    const location = copies.locate('http://net.test/shop/about-us/team/') ?? ''
    await expect(writer?.remove([{ page: PAGE, location }])).rejects.toThrow(LostLeaseError)
  })

  it('is fenced by the next one that can: nothing is built before', async () => {
    await touchPage()
    await leave()
    const before = await versionOfCopy()
    const fence = fenced().mockRejectedValue(new Error('no disk'))
    executor.wake(2)
    await eventually(() => expect(fence).toHaveBeenCalledWith(LATE))
    await eventually(async () => expect(await former()).toEqual([LATE]))
    expect(await versionOfCopy()).toBe(before)
    expect(await pendingWork(network, 2)).toMatchObject([{ name: String(PAGE), tries: 0 }])
    fence.mockReset()
    await executor.finish(2)
    expect(fence.mock.calls[0]).toEqual([LATE])
    await eventually(async () => expect(await former()).toEqual([]))
  })
})

it('a site is built by one process at a time', async () => {
  let building = 0
  let most = 0
  const snapshot: Database['snapshot'] = async (work) => {
    building += 1
    most = Math.max(most, building)
    try {
      return await db.snapshot(work)
    } finally {
      building -= 1
    }
  }
  const executors = [await open({ snapshot }), await open({ snapshot })]
  for (let edition = 0; edition < 4; edition += 1) {
    const change = await touchPage()
    const answers = await Promise.all(executors.map((one) => one.apply(site, change)))
    for (const { statics } of answers) expect(statics.get(PAGE)).toMatchObject({ published: true })
  }
  expect(most).toBe(1)
})

it('a frame that is deleted while it is baked leaves no copy, and the others are built', async () => {
  const { options } = site.tables
  await shop.frame('doomed', '<p>gone</p>', { bake: false })
  await shop.frame('kept', '<p>kept</p>', { bake: false })
  const [doomed, kept] = [await shop.idOf('doomed'), await shop.idOf('kept')]
  const copyOf = (id: string) => db.sql(options).where({ option_name: bakedOption(id) })
  let isDeleted = false
  const write: Database['write'] = async (how, work) => {
    if (how.storesCopies && !isDeleted) {
      isDeleted = true
      await db
        .sql(options)
        .where({ option_name: recordOption(doomed) })
        .delete()
    }
    return db.write(how, work)
  }
  const other = await open({ write })
  const change = await record([...workOn('frame', [doomed, kept]), ...workOn('page', [PAGE])])
  const { statics } = await other.apply(site, change)
  expect(isDeleted).toBe(true)
  expect(statics.get(PAGE)).toMatchObject({ published: true })
  expect(await pendingWork(network, 2)).toEqual([])
  expect(await copyOf(kept)).toHaveLength(1)
  expect(await copyOf(doomed)).toEqual([])
  await shop.removeFrame('doomed')
})

it('a builder that has lost its site before it opens the static copies changes none', async () => {
  await touchPage()
  const before = await versionOfCopy()
  const { begin } = copies
  const write = vi.fn()
  vi.spyOn(copies, 'begin').mockImplementationOnce(async (...site) => {
    // It was suspended here. The next one has fenced it, and found nothing to fence.
    await copies.fence(site[1])
    await buildElsewhere(network, 2)
    const writer = await begin.apply(copies, site)
    return { ...writer, write, remove: write, end: () => writer.end() }
  })
  executor.wake(2)
  await eventually(async () => expect(await copies.owners()).toEqual([]))
  await eventually(() => expect(copies.begin).toHaveBeenCalled())
  await eventually(async () => expect(await copies.owners()).toEqual([]))
  expect(write).not.toHaveBeenCalled()
  expect(await versionOfCopy()).toBe(before)
})

it('a snapshot that is older than the lease builds nothing: a node of a cluster lags behind', async () => {
  const { version } = await touchPage()
  const before = await versionOfCopy()
  let isRead = false
  await db.snapshot(async (older) => {
    // The snapshot begins with its first read.
    expect(await countWork(older, site)).toEqual({ pages: 1, frames: 0 })
    const lagging = await open({
      snapshot: async (work) => {
        isRead = true
        return work(older)
      },
    })
    lagging.wake(2)
    await eventually(() => expect(isRead).toBe(true))
    await lagging.close()
  })
  expect(await versionOfCopy()).toBe(before)
  expect(await pendingWork(network, 2)).toMatchObject([{ version, tries: 0 }])
  await executor.finish(2)
  expect(await versionOfCopy()).toBe(version)
})
