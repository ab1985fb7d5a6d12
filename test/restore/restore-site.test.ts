import { describe, expect, it } from 'vitest'
import { writeDataset } from '../../src/frames/write-dataset.ts'
import { historyTable } from '../../src/history/history-row.ts'
import { namesOf } from '../../src/work/work.ts'
import { cloneNetwork } from '../support/network.ts'
import { readRestorableState } from '../support/restorable-state.ts'
import { use } from '../support/use.ts'
import { createRestoredSite } from './restored-site.ts'

const network = await use(cloneNetwork())
const { db, globals } = network
const site = await network.site(2)
const { write, restore, newest, fixture } = createRestoredSite(network, site)

describe('a restore of things of all kinds', () => {
  it('brings all of them back in one transaction, and tells what to build', async () => {
    const page = await fixture.page({ slug: 'restored-page' })
    await write((shop) => shop.frame('layout', 'before'))
    const layout = await fixture.idOf('layout')
    const { id } = await newest()
    const before = await readRestorableState(db, site)
    await write(async (shop) => {
      await shop.frame('layout', 'after')
      await shop.frame('added', '')
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
