import { describe, expect, it } from 'vitest'
import { writeDataset } from '../../src/frames/write-dataset.ts'
import { CONTENT_KIND, historyTable } from '../../src/history/history-row.ts'
import { workOn } from '../../src/work/work.ts'
import { cloneNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'
import { createRestoredSite } from './restored-site.ts'

const network = await use(cloneNetwork())
const { db, globals } = network
const site = await network.site(2)
const { restore, newest, fixture } = createRestoredSite(network, site)

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
    const { content } = (await db.sql(historyTable(globals)).where({ id: lost }))[0]
    await db.sql(historyTable(globals)).where({ kind: CONTENT_KIND, hash: content }).delete()
    const { restored, obstacles } = await restore({ entry: lost })
    expect(restored).toEqual([])
    expect(obstacles).toMatchObject([{ kind: 'dataset', name: 'lost', reason: 'history_pruned' }])
    expect(await stored('lost')).toBe('2')
  })
})
