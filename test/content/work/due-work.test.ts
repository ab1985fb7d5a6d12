import { beforeEach, describe, expect, it } from 'vitest'
import { addPages } from '../../../src/content/work/complete-work.ts'
import {
  countWork,
  isWorking,
  listBuilders,
  listDueSites,
  MAX_PAGES,
  MAX_THINGS,
  readDueWork,
  siteTask,
} from '../../../src/content/work/due-work.ts'
import { recordChange } from '../../../src/content/work/record-work.ts'
import { type Work, workOn } from '../../../src/content/work/work.ts'
import { pagesTable, workTable } from '../../../src/content/work/work-tables.ts'
import { tasksTable } from '../../../src/db/tasks/tasks-table.ts'
import { takeSite } from '../../build/publishing/taken-site.ts'
import { useNetwork } from '../../support/network.ts'
import { buildElsewhere, endElsewhere, forgetWork, putWork } from '../../support/work-rows.ts'

const OWNER = 'a'.repeat(16)

const network = await useNetwork()
const { db, globals } = network
const site = await network.site(2)
beforeEach(async () => {
  await forgetWork(network)
  await takeSite(db, site, OWNER)
})

const record = (work: readonly Work[], on = site) =>
  db.write({ site: on }, (tx) => recordChange(tx, on, { bake: true, work }))
const pages = (...ids: number[]) => workOn('page', ids)
const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, at) => at + from)
const read = (owner = OWNER) => readDueWork(db, site, owner)
const due = async () => {
  const { things, pages } = await read()
  return [
    ...things.map(({ kind, name }) => `${kind} ${name}`.trim()),
    ...pages.map(({ page }) => `page ${page}`),
  ]
}

describe('the due work of a site', () => {
  it('is what was recorded for the site, with its version and its state', async () => {
    await record(pages(9), await network.site(3))
    const { version } = await record([...workOn('menus'), ...pages(3, 4)])
    expect(await read()).toMatchObject({
      isHeld: true,
      version,
      blog: { blog_id: 2, domain: 'net.test', path: '/shop/' },
      things: [{ kind: 'menus', name: '', version, tries: 0 }],
      pages: [
        { page: 3, tries: 0, isTouched: true },
        { page: 4, tries: 0, isTouched: true },
      ],
    })
  })

  it('has no row of a site that was deleted, and no version of one that was never written', async () => {
    expect(await readDueWork(db, { blogId: 99, globals }, OWNER)).toEqual({
      isHeld: false,
      version: 0,
      blog: undefined,
      things: [],
      pages: [],
    })
  })

  it('shows whether the builder has the site in this snapshot', async () => {
    expect(await read('b'.repeat(16))).toMatchObject({ isHeld: false })
    await db.snapshot(async (older) => {
      // The snapshot begins with its first read.
      expect(await readDueWork(older, site, OWNER)).toMatchObject({ isHeld: true })
      await takeSite(db, site, 'b'.repeat(16))
      expect(await readDueWork(older, site, 'b'.repeat(16))).toMatchObject({ isHeld: false })
    })
    expect(await read('b'.repeat(16))).toMatchObject({ isHeld: true })
  })

  it('leaves kinds that a newer version has recorded to processes of that version', async () => {
    await record(workOn('menus'))
    await putWork(network, 3, [])
    const newer = { blog_id: 2, kind: 'newer', name: 'x', version: 1, since: '2026-01-01' }
    await db.sql(workTable(globals)).insert({ ...newer, due_at: '2000-01-01' })
    expect(await due()).toEqual(['menus'])
  })

  it('has pages that were touched before those that follow from things, each in the order of the versions', async () => {
    const { version } = await record(pages(50))
    await db.write({ site, isWork: true }, (tx) =>
      addPages(tx, site, version, numbers(MAX_PAGES, 100)),
    )
    await record(pages(40))
    await record(pages(45, 30))
    const { pages: found } = await read()
    expect(found).toHaveLength(MAX_PAGES)
    expect(found.slice(0, 5)).toEqual([
      { page: 50, tries: 0, isTouched: true },
      { page: 40, tries: 0, isTouched: true },
      { page: 30, tries: 0, isTouched: true },
      { page: 45, tries: 0, isTouched: true },
      { page: 100, tries: 0, isTouched: false },
    ])
  })

  it('has a page that was touched first although many wait that were touched before', async () => {
    const { version } = await record(workOn('menus'))
    await db.write({ site, isWork: true }, (tx) => addPages(tx, site, version, numbers(1000, 100)))
    await record(pages(500))
    expect((await read()).pages[0]).toEqual({ page: 500, tries: 0, isTouched: true })
  })

  it('has a limited number of things, the oldest ones first', async () => {
    await record(workOn('frame', ['oldest']))
    await record(workOn('frame', numbers(MAX_THINGS).map(String)))
    const { things } = await read()
    expect(things).toHaveLength(MAX_THINGS)
    expect(things[0]).toMatchObject({ name: 'oldest' })
  })

  it('is not due during a pause, and then again', async () => {
    const pause = [
      { name: '3', tries: 1 },
      { kind: 'menus', tries: 1 },
    ]
    await putWork(
      network,
      2,
      pause.map((row) => ({ ...row, due: 60 })),
    )
    expect(await due()).toEqual([])
    expect(await listDueSites(db, globals)).toEqual([])
    expect(await isWorking(db, site)).toBe(false)
    expect(await countWork(db, site)).toEqual({ pages: 1, frames: 1 })
    await putWork(
      network,
      2,
      pause.map((row) => ({ ...row, due: -1 })),
    )
    expect(await due()).toEqual(['menus', 'page 3'])
    expect(await listDueSites(db, globals)).toEqual([2])
    expect(await isWorking(db, site)).toBe(true)
  })

  it('is due although the clock of the database was set back by an hour', async () => {
    await record([...workOn('menus'), ...pages(3)])
    for (const table of [workTable(globals), pagesTable(globals)])
      await db
        .sql(table)
        .whereNotNull('due_at')
        .update({ due_at: db.sql.raw('NOW(6) + INTERVAL 1 HOUR') })
    expect(await due()).toEqual(['menus', 'page 3'])
    expect(await listDueSites(db, globals)).toEqual([2])
  })
})

it('the builders are those that have a site, not those whose lease has ended', async () => {
  const tasks = () => db.sql(tasksTable(globals))
  await tasks()
    .where({ name: 'scrub' })
    .update({ owner: 'e'.repeat(16), due_at: '2036-01-01' })
  await buildElsewhere(network, 3)
  await tasks()
    .where({ name: siteTask(2) })
    .update({ former: 'c'.repeat(16) })
  expect([...(await listBuilders(db, globals))].sort()).toEqual([OWNER, 'f'.repeat(16)])
  await tasks()
    .where({ name: siteTask(3) })
    .update({ due_at: '2026-01-01' })
  expect([...(await listBuilders(db, globals))]).toEqual([OWNER])
  await endElsewhere(network, 3)
  await tasks().where({ name: 'scrub' }).update({ owner: null })
})
