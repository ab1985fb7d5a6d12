import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it, vi } from 'vitest'
import { fileFailure } from '../../../src/build/publishing/copy-failure.ts'
import { FolderJobs } from '../../../src/build/publishing/folder-jobs.ts'
import {
  readPageError,
  readSiteWork,
  readWorkGauges,
} from '../../../src/content/work/work-status.ts'
import { checkWorkTables } from '../../../src/content/work/work-tables.ts'
import { examineSite } from '../../../src/network/doctor/examine.ts'
import { eventually } from '../../support/eventually.ts'
import { type TestFront, useFront } from '../../support/front.ts'
import { makeDue } from '../../support/work-rows.ts'

const ABOUT = 7

let front: TestFront
beforeEach(async () => {
  front = await useFront()
  await front.frame(2, 'page', '<p>one</p>')
})

const copy = () => join(front.staticDir, 'net.test/shop/about-us/index.html')

const DENIED = fileFailure(
  { code: 'EACCES', message: 'denied' },
  { purpose: 'remove', name: 'net.test/shop/about-us' },
)

/** A folder cannot be replaced by a file: an error of the file system that also a root user gets. */
function obstruct(): void {
  rmSync(copy(), { force: true })
  mkdirSync(join(copy(), 'inside'), { recursive: true })
}

const examine = async () => {
  const { db, globals } = front.network
  const { executor } = front
  const services = { db, globals, executor, copies: executor.copies, now: () => new Date() }
  return examineSite(services, await front.network.site(2))
}

it('the status of the work names the folder of a copy that cannot be written', async () => {
  obstruct()
  const { db, globals } = front.network
  const { republish } = await front.assign(2, 'page', [ABOUT])
  const message = 'The static copy in "net.test/shop/about-us" cannot be written (EISDIR).'
  expect(republish).toMatchObject({ status: 'failed', message: expect.stringContaining(message) })
  const work = await readSiteWork(db, await front.network.site(2))
  expect(work.failures).toMatchObject([{ name: '7', error: expect.stringContaining(message) }])
  expect(await readPageError(db, globals, 'unwritable')).toContain(message)
  expect(await readPageError(db, globals, 'exposed')).toBeNull()
  expect((await examine()).find(({ check }) => check === 'work_failing')?.message).toContain(
    message,
  )
})

it('the status of the work reports a page that visitors see although it was made private, until its copy is removed', async () => {
  await front.assign(2, 'page', [ABOUT])
  const { db, globals } = front.network
  const site = await front.network.site(2)
  await db.sql(site.tables.posts).where({ ID: ABOUT }).update({ post_status: 'private' })
  // A root user, who may run the tests, gets no EACCES.
  const remove = vi
    .spyOn(FolderJobs.prototype, 'remove')
    .mockResolvedValue(new Map([[ABOUT, DENIED]]))
  const { republish } = await front.assign(2, 'page', [ABOUT])
  const message =
    'Visitors see a page that should not be there: the static copy in "net.test/shop/about-us" cannot be removed (EACCES).'
  expect(republish).toMatchObject({ status: 'failed', message: expect.stringContaining(message) })
  expect((await front.ask('http://net.test/shop/about-us/')).status).toBe(200)
  expect(await readPageError(db, globals, 'exposed')).toContain(message)
  expect(await readWorkGauges(db, globals)).toMatchObject({ exposed: 1 })
  expect(await examine()).toEqual(
    expect.arrayContaining([expect.objectContaining({ check: 'page_exposed', severity: 'error' })]),
  )
  remove.mockRestore()
  await makeDue(front.network)
  await front.executor.finish(2)
  expect((await front.ask('http://net.test/shop/about-us/')).status).toBe(404)
  expect(await readPageError(db, globals, 'exposed')).toBeNull()
})

it.each([
  ['svc_pages', 'wanted'],
  ['svc_tasks', 'former'],
])(
  'the status of the work says that nothing is built while the table %s has another name for the column %s, and goes on afterwards',
  async (name, column) => {
    const table = `${front.network.globals.basePrefix}${name}`
    const { db, globals } = front.network
    const rename = (from: string, to: string) =>
      db.sql.raw('ALTER TABLE ?? RENAME COLUMN ?? TO ??', [table, from, to])
    front.executor.start()
    await front.assign(2, 'page', [ABOUT])
    await rename(column, 'renamed')
    await expect(checkWorkTables(db, globals)).rejects.toMatchObject({ errno: 1054 })
    await eventually(() => expect(front.executor.isBlocked()).toBe(true))
    const writing = front.frame(2, 'page', '<p>two</p>').then(
      () => 'stored',
      () => 'refused',
    )
    // It waits for its effects, which may come only when something can be built again.
    await Promise.race([writing, sleep(2000)])
    await rename('renamed', column)
    await eventually(() => expect(front.executor.isBlocked()).toBe(false))
    if ((await writing) === 'refused') await front.frame(2, 'page', '<p>two</p>')
    await front.executor.finish(2)
    await eventually(async () =>
      expect((await front.ask('http://net.test/shop/about-us/')).body).toBe('<p>two</p>'),
    )
  },
)
