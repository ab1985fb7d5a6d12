import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SiteData } from '../../../src/build/baking/site-data.ts'
import { listCopyRecords } from '../../../src/build/publishing/copies-table.ts'
import { COPY_FILE, copyFolderForUrl } from '../../../src/build/publishing/static-path.ts'
import { countWork } from '../../../src/content/work/due-work.ts'
import { workOn } from '../../../src/content/work/work.ts'
import { tasksTable } from '../../../src/db/tasks/tasks-table.ts'
import { AppError } from '../../../src/host/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { createTestExecutor } from '../../support/local-executor.ts'
import { useNetwork } from '../../support/network.ts'
import { runsOf } from '../../support/runs-of.ts'
import { createSiteFixture, type SiteFixture } from '../../support/site-fixture.ts'
import { sqlOf } from '../../support/statements.ts'
import { use, useFolder } from '../../support/use.ts'

/** Two with child pages, whose URLs change with theirs, and some others. */
const PAGES = [7, 10, 16, 18, 8, 13]
const SLUGS = ['one', 'two', 'three']

const network = await useNetwork()
const { db, globals } = network
const site = await network.site(2)
const staticDir = await useFolder('two')
const options = { db, globals, staticDir, budget: () => 20 }
const executors = [await use(createTestExecutor(options)), await use(createTestExecutor(options))]
const sites = executors.map((executor) => createSiteFixture(db, site, { executor }))

type Step = {
  readonly does: 'frame' | 'delete' | 'assign' | 'clear' | 'hide' | 'show' | 'swap' | 'steal'
  /** Which executor; which frame; which pages. */
  readonly by: number
  readonly frame: number
  readonly page: number
  readonly other: number
  readonly pauseMs: number
}

const step: fc.Arbitrary<Step> = fc.record({
  does: fc.constantFrom(
    ...(['frame', 'frame', 'frame', 'delete', 'assign', 'assign', 'assign'] as const),
    ...(['clear', 'hide', 'show', 'swap', 'steal', 'steal', 'steal'] as const),
  ),
  by: fc.nat(1),
  frame: fc.nat(SLUGS.length - 1),
  page: fc.nat(PAGES.length - 1),
  other: fc.nat(PAGES.length - 1),
  pauseMs: fc.constantFrom(0, 0, 5, 20, 60),
})

const posts = () => db.sql(site.tables.posts)

async function take({ does, by, frame, page, other }: Step, number: number): Promise<void> {
  const shop = sites[by] as SiteFixture
  const [slug, next] = [SLUGS[frame] ?? '', SLUGS[frame + 1]]
  const [id = 0, otherId = 0] = [PAGES[page], PAGES[other]]
  const touch = () => executors[by]?.apply(site, { bake: true, work: workOn('pages') })
  switch (does) {
    case 'frame': {
      const embed = next === undefined ? '' : `<!-- svc/frame {"name":"${next}"} /-->`
      return void (await shop.frame(
        slug,
        `<h1 data-op-bind="page.title"></h1><i>${number}</i>${embed}`,
      ))
    }
    case 'delete':
      return void (await shop.removeFrame(slug))
    case 'assign':
      return void (await shop.assign(slug, [id]))
    case 'clear':
      return void (await shop.assign(slug, [id], { clear: true }))
    case 'hide':
    case 'show':
      await posts()
        .where({ ID: id })
        .update({ post_status: does === 'hide' ? 'private' : 'publish' })
      return void (await touch())
    case 'swap': {
      await db.write({}, async (tx) => {
        const rows: { ID: number; post_name: string }[] = await sqlOf(tx)(site.tables.posts)
          .whereIn('ID', [id, otherId])
          .select('ID', 'post_name')
          .forUpdate()
        for (const { ID, post_name } of rows)
          await sqlOf(tx)(site.tables.posts)
            .where({ ID: ID === id ? otherId : id })
            .update({ post_name })
      })
      return void (await touch())
    }
    case 'steal':
      // The lease of the site ends, as if its builder were paused.
      await db.write({}, (tx) => sqlOf(tx)(tasksTable(globals)).update({ due_at: '2020-01-01' }))
      for (const executor of executors) executor.wake(2)
  }
}

/** Each copy on disk equals a fresh render of what is committed, and nothing else is there. */
async function expectFreshCopies(): Promise<void> {
  const data = new SiteData(db, site)
  const pages = await data.pagesById(PAGES)
  const expected = new Map<number, { url: string; html: string }>()
  for (const page of pages) {
    const html = (await executors[0]?.render(site, page))?.html
    if (html !== undefined && page.status === 'publish')
      expected.set(page.id, { url: await data.urlOf(page), html })
  }
  const records = await listCopyRecords(db, site)
  expect(records.map(({ page, url }) => [page, url])).toEqual(
    [...expected].map(([page, { url }]) => [page, url]).sort(([a], [b]) => Number(a) - Number(b)),
  )
  for (const { url, html } of expected.values()) {
    const folder = copyFolderForUrl(staticDir, url) ?? ''
    expect(await readFile(join(folder, COPY_FILE), 'utf8')).toBe(html)
  }
  expect(await countWork(db, { blogId: 2, globals })).toEqual({ pages: 0, frames: 0 })
  await eventually(async () => expect(await readdir(join(staticDir, '.work'))).toEqual([]))
  // A folder that a builder removes meanwhile cannot be listed.
  const files = await eventually(() => readdir(staticDir, { recursive: true }))
  expect(files.filter((name) => name.endsWith(COPY_FILE))).toHaveLength(expected.size)
}

it('two executors with a lease that ends at any moment leave every copy fresh', async () => {
  for (const executor of executors) executor.start()
  const run = async (steps: readonly Step[]) => {
    const running: Promise<void>[] = []
    for (const [number, one] of steps.entries()) {
      running.push(
        take(one, number).catch((error) => {
          if (!(error instanceof AppError)) throw error
        }),
      )
      await sleep(one.pauseMs)
    }
    await Promise.all(running)
    await executors[0]?.finish(2)
    await expectFreshCopies()
  }
  const steps = fc.array(step, { minLength: 20, maxLength: 60, size: 'max' })
  await fc.assert(fc.asyncProperty(steps, run), { numRuns: runsOf(8), endOnFailure: true })
}, 120_000)
