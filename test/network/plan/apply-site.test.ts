import { describe, expect, it } from 'vitest'
import { findValue } from '#php-serialized'
import { metaOption, recordOption } from '../../../src/content/frames/option-names.ts'
import { getFrame } from '../../../src/content/frames/read-frame.ts'
import { workOf } from '../../../src/content/work/change.ts'
import { workOnPage } from '../../../src/content/work/work.ts'
import { listEntries } from '../../../src/record/history/read-history.ts'
import { listMenus } from '../../../src/wordpress/nav-menus/nav-menu.ts'
import { readStoredMenu } from '../../../src/wordpress/nav-menus/read-menu.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { statementsOf } from '../../support/statements.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'
import { createPlannedSite, frame, linesOf, menu } from './planned-site.ts'

const network = await useTruth()
const site = await network.site(2)
const fixture = createSiteFixture(network.db, site)
const planned = createPlannedSite(network, site)
const { settle } = planned

describe('an application of a plan', () => {
  it('writes 200 frames with few statements', { timeout: 60_000 }, async () => {
    const many = (text: string) =>
      Array.from({ length: 200 }, (_, at) =>
        frame(`many-${at}`, `<p>${text} ${at}</p>`.repeat(100)),
      )
    await settle({ frames: many('first') })
    const statements = await statementsOf(network.db, async () => {
      const { steps } = await planned.apply({ frames: many('second') })
      expect(steps).toHaveLength(200)
    })
    expect(statements.length).toBeLessThan(60)
    expect(await planned.plan({ frames: many('second') })).toMatchObject({ steps: [] })
  })

  it('does not delete a menu whose items have changed since the plan', async () => {
    const item = { url: '/one', title: 'One' }
    await settle({ menus: [menu('doomed', [item])] })
    const { steps, digest } = await planned.plan({ manages: 'all' })
    const deletion = steps.find(({ name }) => name === 'doomed')
    expect(deletion).toMatchObject({ action: 'deleted', diff: expect.stringContaining('/one') })
    await settle({ menus: [menu('doomed', [item, { url: '/two', title: 'Two' }])] })
    const applied = await planned.apply({ manages: 'all' }, { expectedDigest: digest })
    expect(applied.outcome).toBe('moved')
  })

  it('deletes what is not described if the description manages all', async () => {
    const third = await network.site(3)
    const [local, one] = [createSiteFixture(network.db, third), createPlannedSite(network, third)]
    const page = await local.page({ slug: 'managed' })
    await local.frame('undescribed', '1')
    await local.assign('undescribed', [page])
    await local.menu({ name: 'Undescribed', location: 'header' })
    const described = {
      manages: 'all' as const,
      frames: [frame('described', '1')],
      menus: [
        menu('described', [], { name: 'Undescribed', locations: [{ location: 'footer_1' }] }),
      ],
    }
    const { steps } = await one.plan(described)
    expect(linesOf(steps)).toEqual(
      expect.arrayContaining([
        'deleted frame undescribed',
        'deleted menu undescribed',
        'cleared assignment /managed from undescribed',
      ]),
    )
    expect((await one.apply(described)).outcome).toBe('applied')
    expect((await one.plan(described)).steps).toEqual([])
    const moved = { ...described, menus: [menu('described', [], { name: 'Undescribed' })] }
    expect(linesOf((await one.plan(moved)).steps)).toEqual([
      'cleared location footer_1 from described',
    ])
    expect((await one.apply(moved)).outcome).toBe('applied')
    expect((await one.plan(moved)).steps).toEqual([])
  })
})

const read = async (slug: string) => (await getFrame(network.db, site, slug)).record

describe('the written frames of a plan', () => {
  it('keep when they were created, and have a new author and time', async () => {
    await fixture.frame('dated', '1')
    const before = await read('dated')
    await settle({ frames: [frame('dated', '2')] })
    const after = await read('dated')
    expect(after).toMatchObject({ html: '2', created_at_gmt: before.created_at_gmt, updated_by: 1 })
    expect(after.updated_at_gmt > before.updated_at_gmt).toBe(true)
  })

  it('are created now if the record does not say when', async () => {
    await fixture.frame('undated', '1')
    const id = await fixture.idOf('undated')
    await fixture.setOption(recordOption(id), 'bare markup')
    await fixture.deleteOption(metaOption(id))
    network.db.cache.clear()
    await settle({ frames: [frame('undated', '2')] })
    const { created_at_gmt, updated_at_gmt } = await read('undated')
    expect(created_at_gmt).toBe(updated_at_gmt)
  })

  it('may take the slug of a frame that the plan removes', async () => {
    for (const slug of ['leaving', 'coming']) await fixture.frame(slug, slug)
    const id = await fixture.idOf('coming')
    const { outcome, steps } = await planned.apply({
      frames: [frame('arrived', 'coming', ['coming'])],
      removedFrames: [{ slug: 'leaving' }],
    })
    expect([outcome, linesOf(steps)]).toEqual([
      'applied',
      ['renamed frame arrived from coming', 'deleted frame leaving'],
    ])
    expect(await fixture.idOf('arrived')).toBe(id)
    await expect(fixture.idOf('leaving')).rejects.toThrow()
  })

  it('exchange their slugs through former ones, each with its id', async () => {
    for (const slug of ['round-a', 'round-b']) await fixture.frame(slug, slug)
    const ids = [await fixture.idOf('round-a'), await fixture.idOf('round-b')]
    await settle({
      frames: [frame('round-b2', '1', ['round-b']), frame('round-a2', '2', ['round-a'])],
    })
    expect([await fixture.idOf('round-a2'), await fixture.idOf('round-b2')]).toEqual(ids)
  })

  it('fit into the limit of the site, or none is written', async () => {
    const brand = await network.site(4)
    const { apply } = createPlannedSite(network, brand)
    const frames = [frame('small', '1'), frame('large', 'x'.repeat(2000))]
    const refused = apply({ frames }, { maxSiteBytes: 1000 })
    await expect(refused).rejects.toMatchObject({ code: 'site_quota_exceeded' })
    await expect(createSiteFixture(db, brand).idOf('small')).rejects.toThrow()
    expect((await apply({ frames }, { maxSiteBytes: 100_000 })).outcome).toBe('applied')
  })
})

const { db, globals } = network
const docs = await network.site(3)
const find = async (slug: string) => (await listMenus(db, site)).find((one) => one.slug === slug)
const items = [{ url: '/one', title: 'One', children: [{ url: '/two', title: 'Two' }] }]

describe('the written menus of a plan', () => {
  it('keep their id when they get another name and slug, and their items keep theirs', async () => {
    await settle({ menus: [menu('kept', items)] })
    const before = await find('kept')
    const idsOf = async () =>
      (await readStoredMenu(db, site, before?.id ?? 0))?.items.map(({ row }) => row.ID)
    const ids = await idsOf()
    const renamed = menu('kept-too', items, { name: 'Größe & more', formerly: ['kept'] })
    await settle({ menus: [renamed] })
    expect(await find('kept-too')).toMatchObject({ id: before?.id, name: 'Größe &amp; more' })
    expect([await idsOf(), ids?.length]).toEqual([ids, 2])
  })

  it('have one entry in the history, also if name and items change', async () => {
    await settle({ menus: [menu('noted', items)] })
    const { id } = (await find('noted')) ?? {}
    await settle({ menus: [menu('noted-too', items, { formerly: ['noted'] })] })
    await settle({ menus: [menu('noted', [], { formerly: ['noted-too'] })] })
    const entries = await listEntries(db, globals, 2, { kind: 'menu', ref: String(id), limit: 9 })
    expect(entries.map(({ action }) => action).reverse()).toEqual([
      'created',
      'renamed',
      'replaced',
    ])
  })

  it('may take the name of a menu that the plan deletes, which is deleted first', async () => {
    const one = createPlannedSite(network, docs)
    await one.settle({ menus: [menu('old', items, { name: 'Wanted' })] })
    expect(
      await one.settle({ manages: 'all', menus: [menu('new', items, { name: 'Wanted' })] }),
    ).toEqual(expect.arrayContaining(['created menu new', 'deleted menu old']))
    const menus = await listMenus(db, docs)
    expect(menus.map(({ name, slug }) => [name, slug])).toEqual([['Wanted', 'new']])
  })

  it('leave a location that they lose registered in the theme, without a menu', async () => {
    const one = createPlannedSite(network, docs)
    const fixture = createSiteFixture(db, docs)
    const at = { locations: [{ location: 'footer_1' }] }
    await one.settle({ manages: 'all', menus: [menu('located', [], at)] })
    const located = async () => {
      const mods = await fixture.option(`theme_mods_${await fixture.option('stylesheet')}`)
      return findValue(mods ?? '', ['nav_menu_locations', 'footer_1'])
    }
    expect(await located()).toBeGreaterThan(0)
    expect(await one.settle({ manages: 'all', menus: [menu('located', [])] })).toEqual([
      'cleared location footer_1 from located',
    ])
    expect(await located()).toBe(0)
  })
})

it('a run without a build, and its rollback, record only the pages that lose their frame', async () => {
  await fixture.frame('unbuilt', '<p>page</p>')
  const losing = await fixture.page({ slug: 'losing' })
  const getting = await fixture.page({ slug: 'getting' })
  await planned.apply({ pages: [{ path: 'losing', frame: 'unbuilt' }] })
  const pages = [
    { path: 'losing', frame: null },
    { path: 'getting', frame: 'unbuilt' },
  ]
  const runId = '5158798b-d200-4010-8000-000000000000'
  const { steps, change } = await planned.apply({ pages }, { runId, bake: false })
  expect(steps).toHaveLength(2)
  expect(workOf(change)).toEqual([workOnPage(losing, true)])
  const rolledBack = await planned.rollBack(runId)
  expect(workOf(rolledBack.change)).toEqual([workOnPage(getting, true)])
})
