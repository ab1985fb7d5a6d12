import { describe, expect, it } from 'vitest'
import { getFrame } from '../../../src/content/frames/read-frame.ts'
import { workOn, workOnPage } from '../../../src/content/work/work.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { useNetwork } from '../../support/network.ts'
import { readRestorableState } from '../../support/restorable-state.ts'
import { createRestoredSite } from './restored-site.ts'

const network = await useNetwork()
const { db, globals } = network
const site = await network.site(2)
const { write, restore, newest, fixture, loseContent, htmlOf } = createRestoredSite(network, site)
const state = () => readRestorableState(db, site)
const embeds = (slug: string) => `<!-- svc/frame {"name":"${slug}"} /-->`

describe('a restored frame', () => {
  it('that must not exist takes its own pages off, and no others', async () => {
    const [first, second, other] = [
      await fixture.page({ slug: 'first-page' }),
      await fixture.page({ slug: 'second-page' }),
      await fixture.page({ slug: 'other-page' }),
    ]
    await write((shop) => shop.frame('kept', 'kept'))
    await write((shop) => shop.assign('kept', [other], { bake: false }))
    const before = await state()
    const requestId = await write(async (shop) => {
      await shop.frame('added-1', '1')
      await shop.frame('added-2', '2')
      await shop.frame('kept', 'changed')
    })
    await write((shop) => shop.assign('added-1', [first], { bake: false }))
    await write((shop) => shop.assign('added-2', [second], { bake: false }))
    const { change, restored } = await restore({ requestId })
    const cleared = restored.filter(({ kind }) => kind === 'assignment')
    expect(cleared).toMatchObject([
      { ref: String(first), name: 'added-1', action: 'cleared' },
      { ref: String(second), name: 'added-2', action: 'cleared' },
    ])
    const unbound = change.work.filter(({ kind }) => kind === 'page')
    expect(unbound).toEqual([workOnPage(first, true), workOnPage(second, true)])
    expect(await state()).toEqual(before)
  })
  it('that was renamed is embedded by its restored slug', async () => {
    await write((shop) => shop.frame('site-header', 'header'))
    const { id: entry } = await newest()
    await write((shop) => shop.frame('layout', embeds('site-header')))
    await write((shop) => shop.rename('site-header', 'top-header'))
    await write((shop) => shop.frame('later', embeds('top-header')))
    const [layout, later] = [await fixture.idOf('layout'), await fixture.idOf('later')]
    const { restored, obstacles, change } = await restore({ entry })
    expect(obstacles).toEqual([])
    expect(restored.map(({ name, action }) => `${action} ${name}`)).toEqual([
      'renamed site-header',
      'replaced later',
      'replaced layout',
    ])
    expect(restored[1]).toMatchObject({
      before: { fields: { slug: 'later' }, content: embeds('top-header') },
      after: { content: embeds('site-header') },
    })
    expect(await htmlOf('layout')).toBe(embeds('site-header'))
    expect(await htmlOf('later')).toBe(embeds('site-header'))
    expect(change.work).toEqual(
      expect.arrayContaining([...workOn('frame', [layout]), ...workOn('frame', [later])]),
    )
  })

  it('that was renamed is not followed by what named its new slug before it was its slug', async () => {
    await write((shop) => shop.frame('old-name', 'old'))
    const { id: entry } = await newest()
    await write((shop) => shop.frame('dangles', embeds('new-name')))
    await write((shop) => shop.frame('both', `${embeds('other-name')}${embeds('old-name')}`))
    await write((shop) => shop.rename('old-name', 'new-name'))
    await write((shop) => shop.frame('means-it', embeds('new-name')))
    await restore({ entry })
    expect(await htmlOf('dangles')).toBe(embeds('new-name'))
    expect(await htmlOf('both')).toBe(`${embeds('other-name')}${embeds('old-name')}`)
    expect(await htmlOf('means-it')).toBe(embeds('old-name'))
  })

  it('that exchanges its slug with another one is embedded where it was', async () => {
    await write((shop) => shop.frame('left', 'left'))
    await write((shop) => shop.frame('right', 'right'))
    await write((shop) => shop.frame('both', `${embeds('left')}|${embeds('right')}`))
    const requestId = await write(async (shop) => {
      await shop.rename('left', 'between')
      await shop.rename('right', 'left')
      await shop.rename('between', 'right')
    })
    await write((shop) => shop.frame('both-later', `${embeds('right')}|${embeds('left')}`))
    expect((await restore({ requestId })).obstacles).toEqual([])
    const expected = `${embeds('left')}|${embeds('right')}`
    expect([await htmlOf('both'), await htmlOf('both-later')]).toEqual([expected, expected])
    expect([await htmlOf('left'), await htmlOf('right')]).toEqual(['left', 'right'])
  })

  it('names the inserts that it breaks, also before it is written', async () => {
    const requestId = await write((shop) => shop.frame('fresh', 'fresh'))
    await write((shop) => shop.frame('uses-fresh', embeds('fresh')))
    const broken = {
      kind: 'frame',
      ref: await fixture.idOf('uses-fresh'),
      name: 'uses-fresh',
      reason: 'reference_missing',
      message: expect.stringContaining('"fresh"'),
    }
    expect((await restore({ requestId }, { dryRun: true })).obstacles).toEqual([broken])
    expect(await htmlOf('fresh')).toBe('fresh')
    const { id: entry } = await newest()
    expect((await restore({ requestId })).obstacles).toEqual([broken])
    await write((shop) => shop.frame('uses-fresh', 'no more'))
    expect((await restore({ entry })).obstacles).toEqual([broken])
  })

  it('that was renamed is embedded by its restored slug also in a frame that could not be restored', async () => {
    await write((shop) => shop.frame('inner', 'inner'))
    await write((shop) => shop.frame('outer', `${embeds('inner')} of a state that is lost`))
    const { id } = await newest()
    const requestId = await write(async (shop) => {
      await shop.rename('inner', 'inner-renamed')
      await shop.frame('outer', embeds('inner-renamed'))
    })
    await loseContent(id)
    expect((await restore({ requestId })).obstacles).toMatchObject([
      { name: 'outer', reason: 'history_pruned' },
    ])
    expect(await htmlOf('outer')).toBe(embeds('inner'))
  })

  it('that is removed by a restore to a moment leaves its embedders alone, and names them', async () => {
    await write((shop) => shop.frame('steady', embeds('passing')))
    const { id: entry } = await newest()
    await write((shop) => shop.frame('passing', 'passing'))
    const { obstacles, restored } = await restore({ moment: { entry } })
    expect(obstacles).toMatchObject([{ name: 'steady', reason: 'reference_missing' }])
    expect(restored).toMatchObject([{ action: 'deleted', name: 'passing' }])
    expect(await htmlOf('steady')).toBe(embeds('passing'))
  })

  it('does not get a slug that another frame has now', async () => {
    await write((shop) => shop.frame('first', 'first'))
    const { id } = await newest()
    await write((shop) => shop.removeFrame('first'))
    await write((shop) => shop.frame('first', 'second'))
    const { restored, obstacles } = await restore({ entry: id })
    expect(restored).toEqual([])
    expect(obstacles).toMatchObject([{ name: 'first', reason: 'slug_taken' }])
    expect(await htmlOf('first')).toBe('second')
  })

  it('stays as it is if the history has lost its markup, or if its record was damaged', async () => {
    await write((shop) => shop.frame('pruned', 'markup that nothing else has'))
    const { id } = await newest()
    await write((shop) => shop.frame('pruned', '2'))
    await loseContent(id)
    expect((await restore({ entry: id })).obstacles).toMatchObject([{ reason: 'history_pruned' }])
    const row = () => db.sql(historyTable(globals)).where({ id })
    const { state } = await row().first('state')
    await row().update({ state: JSON.stringify({ ...JSON.parse(state), damaged: true }) })
    expect((await restore({ entry: id })).obstacles).toMatchObject([{ reason: 'record_damaged' }])
    expect(await htmlOf('pruned')).toBe('2')
  })

  it('is written with the author and the time of the restore, and is not written if it is the same', async () => {
    await write((shop) => shop.frame('same', '1'))
    const { id } = await newest()
    expect((await restore({ entry: id })).restored).toEqual([])
    await write((shop) => shop.frame('same', '2'))
    await restore({ entry: id }, {}, { userId: 3, now: () => new Date('2030-01-01T00:00:00Z') })
    expect((await getFrame(db, site, 'same')).record).toMatchObject({
      html: '1',
      updated_by: 3,
      updated_at_gmt: '2030-01-01 00:00:00',
      created_at_gmt: '2026-01-02 03:04:05',
    })
  })
})

describe('a restored assignment', () => {
  const assign = async (slug: string, page: number, clear = false) => {
    await write((shop) => shop.assign(slug, [page], { clear, bake: false }))
    return (await newest()).id
  }

  it('needs its page and its frame; everything else is restored without them', async () => {
    await write((shop) => shop.frame('needed', 'before'))
    const [gone, kept] = [
      await fixture.page({ slug: 'gone-page' }),
      await fixture.page({ slug: 'kept-page' }),
    ]
    await assign('needed', gone)
    const assigned = await assign('needed', kept)
    await write(async (shop) => {
      await shop.assign('needed', [gone, kept], { clear: true, bake: false })
      await shop.frame('needed', 'after')
    })
    await db.sql(site.tables.posts).where({ ID: gone }).delete()
    const { obstacles } = await restore({ moment: { entry: assigned } })
    expect(obstacles).toMatchObject([{ ref: String(gone), reason: 'page_missing' }])
    expect(await htmlOf('needed')).toBe('before')
    await write((shop) => shop.removeFrame('needed'))
    expect((await restore({ entry: assigned })).obstacles).toMatchObject([
      { ref: String(kept), reason: 'frame_missing' },
    ])
  })
})
