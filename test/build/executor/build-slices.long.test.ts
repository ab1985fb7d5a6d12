import { expect, it } from 'vitest'
import { FRAMES_AT_ONCE } from '../../../src/build/executor/bake-things.ts'
import { listCopyRecords } from '../../../src/build/publishing/copies-table.ts'
import { readStoredNumbers } from '../../../src/build/publishing/publication-numbers.ts'
import { bakedOption } from '../../../src/content/frames/option-names.ts'
import { countWork, MAX_PAGES } from '../../../src/content/work/due-work.ts'
import { recordChange } from '../../../src/content/work/record-work.ts'
import { type Work, workOn } from '../../../src/content/work/work.ts'
import { eventually } from '../../support/eventually.ts'
import { useFront } from '../../support/front.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'

const PAGE = 10
const front = await useFront()
const { db, globals } = front.network
const site = await front.network.site(2)
const shop = createSiteFixture(db, site, { executor: front.executor })
const record = (work: readonly Work[]) =>
  db.write({ site }, (tx) => recordChange(tx, site, { bake: true, work }))

it('each slice that publishes has its own publication number', async () => {
  await shop.frame('many', '<p>one</p>')
  const pages: number[] = []
  for (let at = 0; at < MAX_PAGES + 50; at += 1) pages.push(await shop.page({ slug: `many-${at}` }))
  await shop.assign('many', pages)
  await front.executor.finish(2)
  expect(await listCopyRecords(db, site)).toHaveLength(pages.length)
  const number = async () =>
    [...(await readStoredNumbers(db, globals)).values()].reduce((a, b) => a + b)
  const before = await number()
  await shop.frame('many', '<p>two</p>')
  await front.executor.finish(2)
  expect((await number()) - before).toBe(2)
})

it('a thing that means more frames than one slice bakes is built completely, with touched pages between', async () => {
  const frames = Array.from({ length: 2 * FRAMES_AT_ONCE + 20 }, (_, at) => ({
    id: at.toString(16).padStart(16, '0'),
    slug: `frame-${at}`,
    html: `<h1 data-op-bind="page.title"></h1>${at}`,
  }))
  await shop.replaceFrames(frames)
  const last = frames.at(-1)
  await shop.assign(last?.slug ?? '', [PAGE])
  await record(workOn('all'))
  front.executor.wake(2)
  const left = async () => (await countWork(db, site)).frames
  await eventually(async () => expect(await left()).toBeGreaterThan(FRAMES_AT_ONCE - 1))
  const { statics } = await front.executor.apply(site, await record(workOn('page', [PAGE])))
  expect(statics.get(PAGE)).toMatchObject({ published: true, reason: null })
  expect(await left()).toBeGreaterThan(0)
  await front.executor.finish(2)
  const names = frames.map(({ id }) => bakedOption(id))
  const baked = await db.sql(site.tables.options).whereIn('option_name', names).pluck('option_name')
  expect(baked).toHaveLength(frames.length)
})
