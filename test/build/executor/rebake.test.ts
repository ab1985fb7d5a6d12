import { describe, expect, it } from 'vitest'
import { recordOption } from '../../../src/content/frames/option-names.ts'
import { workOn, workOnEmbedders } from '../../../src/content/work/work.ts'
import type { Effects } from '../../../src/host/effects.ts'
import { statementsOf } from '../../support/statements.ts'
import { LOOKS_AFTER_SLICES } from '../../support/timings.ts'
import { useExecutorFixture } from './executor-fixture.ts'

const shop = await useExecutorFixture(2, undefined, LOOKS_AFTER_SLICES)
const frames = {
  menu: '<!-- svc/menu {"location":"header"} /-->',
  'menu-now': '<!-- svc/menu {"location":"header","current":true} /-->',
  header: '<header><!-- svc/frame {"name":"menu"} /--></header>',
  layout: '<!-- svc/frame {"name":"header"} /--><!-- svc/content /-->',
  news: '<!-- svc/repeat {"source":"dataset.news"} --><i data-op-bind="item.title"></i><!-- /svc/repeat -->',
  plain: '<p>plain</p>',
  title: '<h1 data-op-bind="page.title"></h1>',
}
for (const [slug, html] of Object.entries(frames)) await shop.frame(slug, html)

const summary = ({ rebaked }: Effects) =>
  rebaked.frames.map(({ slug, because, bake }) => `${slug} (${because.join(' ')}) ${bake}`)

describe('the dependents of a change', () => {
  it('are rebaked with the frames that embed them, and report why', async () => {
    await shop.network.db
      .sql(shop.site.tables.posts)
      .where({ ID: 24 })
      .update({ post_title: 'Welcome' })
    const effects = await shop.touch('menus')
    expect(summary(effects)).toEqual([
      'header (frame:menu) baked',
      'layout (frame:header) baked',
      'menu (menus) baked',
      'menu-now (menus) not_needed',
    ])
    expect(effects.rebaked).toMatchObject({
      status: 'ok',
      total: 4,
      baked: 3,
      not_needed: 1,
      failed: 0,
    })
    expect(effects.rebaked.skipped).toBeUndefined()
    expect(effects.bake).toEqual({ status: 'skipped' })
    const details = effects.rebaked.frames.map(({ slug, detail }) => [slug, detail])
    expect(Object.fromEntries(details)).toMatchObject({
      menu: 'The copy was baked again.',
      'menu-now': 'The copy was baked again; its output did not change.',
    })
  })

  it('need no bake if no value changed', async () => {
    const effects = await shop.touch('menus', 'settings')
    expect(effects.rebaked).toMatchObject({ status: 'ok', total: 5, baked: 0, not_needed: 5 })
    expect(effects.rebaked.frames[0]?.detail).toBe('The copy was up to date.')
  })

  it('do not include unrelated frames', async () => {
    await shop.setOption('svc_data_news', '[{"title":"One"}]')
    const effects = await shop.apply({ work: workOn('dataset', ['news']) })
    expect(summary(effects)).toEqual(['news (dataset:news) baked'])
    expect(summary(await shop.apply({ work: workOn('dataset', ['other']) }))).toEqual([])
  })

  it('include the embedders of a frame that is deleted or created again', async () => {
    expect(summary(await shop.removeFrame('menu'))).toEqual([
      'header (frame:menu) baked',
      'layout (frame:header) baked',
    ])
    expect(summary(await shop.frame('menu', '<nav>new</nav>'))).toEqual([
      'header (frame:menu) baked',
      'layout (frame:header) baked',
    ])
  })

  it('name a deleted frame by its slug, also if they embed it by its id', async () => {
    await shop.frame('gone', 'x')
    await shop.frame('by-id', `<!-- svc/frame {"name":"${await shop.idOf('gone')}"} /-->`)
    expect(summary(await shop.removeFrame('gone'))).toEqual(['by-id (frame:gone) baked'])
    await shop.removeFrame('by-id')
  })

  it('are listed once with all reasons', async () => {
    const work = [...workOn('pages'), ...workOnEmbedders(await shop.idOf('menu'), ['menu'])]
    const effects = await shop.apply({ work })
    expect(summary(effects)).toEqual([
      'header (frame:menu) not_needed',
      'layout (frame:header pages) not_needed',
      'menu-now (pages) not_needed',
      'title (pages) not_needed',
    ])
  })

  it('include every frame on request', async () => {
    const { rebaked } = await shop.apply({ work: workOn('all') })
    expect(rebaked.total).toBe(7)
    expect(rebaked.frames.every(({ because }) => because.includes('all'))).toBe(true)
  })
})

it('many frames are rebaked in as many statements as a few frames', async () => {
  const slugs = Array.from({ length: 24 }, (_, index) => `many-${index}`)
  const statements: number[] = []
  for (const count of [2, 24]) {
    for (const slug of slugs.slice(0, count)) {
      await shop.frame(slug, `<b>${count}</b><!-- svc/frame {"name":"plain"} /-->`, {
        bake: false,
      })
    }
    const work = workOnEmbedders(await shop.idOf('plain'), ['plain'])
    const sent = await statementsOf(shop.network.db, async () => {
      expect((await shop.apply({ work })).rebaked).toMatchObject({ baked: count, failed: 0 })
    })
    statements.push(sent.length)
  }
  expect(statements[1]).toBe(statements[0])
  for (const slug of slugs) await shop.removeFrame(slug, { bake: false })
})

describe('a call with a limit', () => {
  it('takes stale frames first, so that the next call continues', async () => {
    for (const slug of ['news', 'plain', 'title'])
      await shop.frame(slug, `<b>${slug}</b>`, { bake: false })
    const call = async () => {
      const { rebaked } = await shop.rebake(2)
      return [rebaked.frames.map(({ slug, bake }) => `${slug} ${bake}`), rebaked.skipped]
    }
    expect(await call()).toEqual([
      ['news baked', 'plain baked'],
      ['header', 'layout', 'menu', 'menu-now', 'title'],
    ])
    expect(await call()).toEqual([
      ['header not_needed', 'title baked'],
      ['layout', 'menu', 'menu-now'],
    ])
    expect(await call()).toEqual([['layout not_needed', 'menu not_needed'], ['menu-now']])
    expect(await call()).toEqual([['menu-now not_needed'], []])
    // The next round begins.
    expect((await call())[0]).toEqual(['header not_needed', 'layout not_needed'])
  })

  it('skips nothing if all frames fit', async () => {
    const { rebaked } = await shop.rebake(7)
    expect(rebaked).toMatchObject({ total: 7, skipped: [] })
  })
})

it('a frame that cannot be read fails alone and does not affect the others', async () => {
  await shop.frame('broken', '<!-- svc/menu {"location":"header"} /-->', { bake: false })
  await shop.frame('holder', '<!-- svc/frame {"name":"broken"} /-->', { bake: false })
  await shop.setOption(recordOption(await shop.idOf('broken')), 'a:1:{s:4:"html";s:99:"x";}')
  const { rebaked } = await shop.touch('menus')
  expect(rebaked).toMatchObject({ status: 'failed', total: 3, failed: 2, not_needed: 1 })
  const broken = rebaked.frames.find(({ slug }) => slug === 'broken')
  expect(broken).toMatchObject({ bake: 'failed', detail: expect.stringContaining('is damaged') })
})
