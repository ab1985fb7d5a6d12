import { describe, expect, it } from 'vitest'
import { writeDataset } from '../../../src/content/frames/write-dataset.ts'
import { chooseTargets, type RestoreScope } from '../../../src/content/restore/choose-targets.ts'
import { findThingAt, readState } from '../../../src/content/restore/thing-at.ts'
import { namesOf, workOn } from '../../../src/content/work/work.ts'
import { AppError } from '../../../src/host/errors.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { useNetwork } from '../../support/network.ts'
import { readRestorableState } from '../../support/restorable-state.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { createRestoredSite } from './restored-site.ts'

const network = await useNetwork()
const { db, globals } = network
const site = await network.site(2)
const { write, restore, newest, fixture, loseContent, htmlOf } = createRestoredSite(network, site)

describe('a restore of things of all kinds', () => {
  it('brings all of them back in one transaction, and tells what to build', async () => {
    const page = await fixture.page({ slug: 'restored-page' })
    await write((shop) => shop.frame('layout', 'before'))
    const layout = await fixture.idOf('layout')
    const { id } = await newest()
    const before = await readRestorableState(db, site)
    await write(async (shop) => {
      await shop.frame('layout', 'after')
      await shop.frame('added', '<br>')
      await shop.assign('layout', [page], { bake: false })
      await shop.menu({ name: 'Added', location: 'footer_3', items: [{ url: '/x' }] })
    })
    const added = await fixture.idOf('added')
    await db.write({ site }, (tx) => writeDataset(tx, site, 'news', '1'))
    const { restored, obstacles, change } = await restore({ moment: { entry: id } })
    expect(obstacles).toEqual([])
    expect(new Set(restored.map(({ kind }) => kind))).toEqual(
      new Set(['frame', 'menu', 'location', 'assignment', 'dataset']),
    )
    expect(await readRestorableState(db, site)).toEqual(before)
    const { work } = change
    // A frame that is gone is not baked; what embeds it is.
    expect(namesOf('frame', work)).toEqual([layout])
    expect(namesOf('embeds', work)).toEqual(expect.arrayContaining([layout, added, 'added']))
    expect(namesOf('menus', work)).toEqual([''])
    expect(namesOf('dataset', work)).toEqual(['news'])
    expect(namesOf('page', work)).toContain(String(page))
  })

  it('restores what it can, and names what the history has lost', async () => {
    await write((shop) => shop.frame('lost', '1'))
    const lost = await newest()
    await write((shop) => shop.frame('kept', '1'))
    const { id: moment } = await newest()
    await write(async (shop) => {
      await shop.frame('lost', '2')
      await shop.frame('kept', '2')
    })
    await db.sql(historyTable(globals)).where({ id: lost.id }).delete()
    const { restored, obstacles } = await restore({ moment: { entry: moment } })
    expect(restored.map(({ name }) => name)).toEqual(['kept'])
    expect(obstacles).toMatchObject([{ kind: 'frame', ref: lost.ref, reason: 'history_pruned' }])
  })
})

const put = async (name: string, text: string | undefined) => {
  await db.write({ site }, (tx) => writeDataset(tx, site, name, text))
  return (await newest()).id
}
const stored = (name: string) => fixture.option(`svc_data_${name}`)

describe('a restored data set', () => {
  it('has its former text, and is built again', async () => {
    const first = await put('news', '["Ä"]')
    await put('news', '["B"]')
    const { restored, change } = await restore({ entry: first })
    expect(restored).toMatchObject([
      {
        kind: 'dataset',
        name: 'news',
        action: 'replaced',
        before: { content: '["B"]' },
        after: { content: '["Ä"]' },
      },
    ])
    expect(change.work).toEqual(workOn('dataset', ['news']))
    expect(await stored('news')).toBe('["Ä"]')
    expect((await restore({ entry: first })).restored).toEqual([])
  })

  it('is created again, or deleted', async () => {
    const created = await put('gone', '1')
    const deleted = await put('gone', undefined)
    expect((await restore({ entry: created })).restored).toMatchObject([
      { action: 'created', before: undefined },
    ])
    expect(await stored('gone')).toBe('1')
    expect((await restore({ entry: deleted })).restored).toMatchObject([
      { action: 'deleted', after: undefined },
    ])
    expect(await stored('gone')).toBeUndefined()
  })

  it('stays as it is if the history has lost its content', async () => {
    const lost = await put('lost', 'text that nothing else has')
    await put('lost', '2')
    await loseContent(lost)
    const { restored, obstacles } = await restore({ entry: lost })
    expect(restored).toEqual([])
    expect(obstacles).toMatchObject([{ kind: 'dataset', name: 'lost', reason: 'history_pruned' }])
    expect(await stored('lost')).toBe('2')
  })
})

const markupRefusal = new AppError('unfiltered_html_required', 'not you')

/** Writes a frame twice. @returns the entry of the first write */
async function replaced(slug: string): Promise<number> {
  await write((shop) => shop.frame(slug, 'first'))
  const { id } = await newest()
  await write((shop) => shop.frame(slug, 'second'))
  return id
}

describe('a restore', () => {
  it('writes no markup for a user who may not, but deletes frames', async () => {
    const entry = await replaced('refused')
    const refused = restore({ entry }, {}, { markupRefusal })
    await expect(refused).rejects.toMatchObject({ code: 'unfiltered_html_required' })
    expect(await htmlOf('refused')).toBe('second')
    const requestId = await write((shop) => shop.frame('deletable', '<br>'))
    const deleted = await restore({ requestId }, {}, { markupRefusal })
    expect(deleted.restored).toMatchObject([{ name: 'deletable', action: 'deleted' }])
  })
})

/** The slugs of the wanted states, null for things that must not exist, and how many states are unknown. */
async function chosen(scope: RestoreScope) {
  const { targets, unknown } = await chooseTargets(db, site, scope)
  const states = targets.map(({ wanted }) => wanted && (wanted.state === null ? null : wanted.name))
  return { states, unknown: unknown.length }
}

describe('the things that a restore concerns', () => {
  it('do not exist for an entry of another site, or one that is no thing', async () => {
    await write((shop) => shop.frame('own', '1'))
    const { id } = await newest()
    const missing = { code: 'entry_not_found' }
    const other = await network.site(3)
    await expect(chooseTargets(db, other, { entry: id })).rejects.toMatchObject(missing)
    await db.sql(historyTable(globals)).where({ id }).update({ kind: 'pruning' })
    await expect(chooseTargets(db, site, { entry: id })).rejects.toMatchObject(missing)
    await db.sql(historyTable(globals)).where({ id }).update({ kind: 'frame' })
    const moment = { moment: { entry: id } }
    await expect(chooseTargets(db, other, moment)).rejects.toMatchObject(missing)
  })

  it('are all that a request has written, as they were before its first write', async () => {
    await write((shop) => shop.frame('before', '1'))
    const requestId = await write(async (shop) => {
      await shop.frame('before', '2')
      await shop.frame('new', '1')
      await shop.frame('before', '3')
      await shop.setOption('blogname', 'not recorded')
    })
    expect(await chosen({ requestId })).toEqual({ states: ['before', null], unknown: 0 })
    const { targets } = await chooseTargets(db, site, { requestId })
    const first = await newest({ ref: 'before', order: 'oldest' })
    expect(targets[0]?.wanted?.id).toBe(first.id)
    expect(await chosen({ requestId: 'none' })).toEqual({ states: [], unknown: 0 })
  })

  it('are those of a moment that were written since', async () => {
    await write((shop) => shop.frame('still', '1'))
    await write((shop) => shop.frame('changing', '1'))
    const { id } = await newest()
    await write(async (shop) => {
      await shop.frame('changing', '2')
      await shop.frame('later', '1')
    })
    const entry = { moment: { entry: id } }
    expect(await chosen(entry)).toEqual({ states: ['changing', null], unknown: 0 })
    expect(await chosen({ moment: { time: '2100-01-01' } })).toEqual({ states: [], unknown: 0 })
  })

  it('are unknown if the entry with their state was pruned', async () => {
    await write((shop) => shop.frame('pruned', '1'))
    const { id } = await newest()
    const requestId = await write((shop) => shop.frame('pruned', '2'))
    await db.sql(historyTable(globals)).where({ id }).delete()
    expect(await chosen({ requestId })).toEqual({ states: [], unknown: 1 })
  })
})

/** The markup of the frame that had this id or slug after an entry. */
async function markupAt(ref: string, entry: number, current?: string) {
  const found = await findThingAt(db, site, { kind: 'frame', ref, current }, { entry })
  return found?.entry ? (await readState(db, site, found.entry))?.content : found?.id
}

describe('the thing of a moment', () => {
  it('is found by its name at that time, also after it was renamed and deleted', async () => {
    await write((shop) => shop.frame('then', 'first'))
    const created = await newest()
    await write((shop) => shop.frame('then', 'second'))
    const replaced = await newest()
    await write((shop) => shop.removeFrame('then'))
    const deleted = await newest()
    await write((shop) => shop.frame('then', 'another frame'))
    const current = await fixture.idOf('then')
    expect(await markupAt('then', created.id, current)).toBe('first')
    expect(await markupAt('then', replaced.id, current)).toBe('second')
    expect(await markupAt(created.ref, created.id)).toBe('first')
    expect(await markupAt('then', deleted.id, current)).toBeUndefined()
    const gone = { kind: 'frame', ref: 'then', current: undefined } as const
    expect(await findThingAt(db, site, gone, { entry: deleted.id })).toBeUndefined()
    expect(await markupAt('then', (await newest()).id, current)).toBe('another frame')
  })

  it('is not the one that has the name now, if that had another name', async () => {
    await write((shop) => shop.frame('later', '1'))
    const { id, ref } = await newest()
    expect(await markupAt('other-name', id, ref)).toBeUndefined()
  })

  it('is only an id if it has not been written since the history began', async () => {
    expect(await markupAt('untouched', (await newest()).id, 'aaaaaaaaaaaaaaaa')).toBe(
      'aaaaaaaaaaaaaaaa',
    )
  })

  it('does not exist after an entry of another site', async () => {
    const other = createSiteFixture(db, await network.site(3))
    await other.frame('elsewhere', '1')
    const { id } = await createRestoredSite(network, other.site).newest()
    const find = findThingAt(
      db,
      site,
      { kind: 'frame', ref: 'x', current: undefined },
      { entry: id },
    )
    await expect(find).rejects.toMatchObject({ code: 'entry_not_found' })
  })
})

it('the state of an entry has the fields and the content; a deletion has none', async () => {
  await write((shop) => shop.frame('stated', '<p>1</p>'))
  const state = await readState(db, site, await newest())
  expect(state).toMatchObject({ fields: { slug: 'stated' }, content: '<p>1</p>' })
  await write((shop) => shop.removeFrame('stated'))
  expect(await readState(db, site, await newest())).toBeUndefined()
})
