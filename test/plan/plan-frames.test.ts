import { describe, expect, it } from 'vitest'
import { encodeRecord } from '../../src/frames/record.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'
import { createPlannedSite, frame, linesOf } from './planned-site.ts'

const network = await use(cloneTruth())
const site = await network.site(2)
const fixture = createSiteFixture(network.db, site)
const planned = createPlannedSite(network, site)
const { settle } = planned

describe('the plan of frames', () => {
  it('creates, replaces and leaves frames alone', async () => {
    await fixture.frame('kept', '<p>kept</p>')
    await fixture.frame('changed', '<p>old</p>\n<p>same</p>')
    const frames = [
      frame('kept', '<p>kept</p>'),
      frame('changed', '<p>new</p>\n<p>same</p>'),
      frame('added', 'Größe'),
    ]
    const { steps } = await planned.plan({ frames })
    expect(steps.map(({ diff }) => diff?.split('\n'))).toEqual([
      expect.arrayContaining(['-<p>old</p>', '+<p>new</p>', ' <p>same</p>']),
      expect.arrayContaining(['+Größe']),
    ])
    expect(await settle({ frames })).toEqual(['replaced frame changed', 'created frame added'])
  })

  it('renames a frame, and rewrites frames that embed it', async () => {
    await fixture.frame('old-name', '<p>1</p>')
    await fixture.frame('embedder', '<!-- svc/frame {"name":"old-name"} /-->')
    const id = await fixture.idOf('old-name')
    const frames = [frame('new-name', '<p>1</p>', ['older', 'old-name'])]
    expect(await settle({ frames })).toEqual([
      'renamed frame new-name from old-name',
      'replaced frame embedder',
    ])
    expect(await fixture.idOf('new-name')).toBe(id)
    expect(
      await planned.plan({
        frames: [frame('embedder', '<!-- svc/frame {"name":"new-name"} /-->')],
      }),
    ).toMatchObject({ steps: [] })
  })

  it('suggests the former name of a new frame that equals one that is not described', async () => {
    await fixture.frame('before-the-move', '<p>moved</p>')
    const plan = (formerly: string[]) =>
      planned.plan({ frames: [frame('after-the-move', '<p>moved</p>', formerly)] }, 'errors')
    expect((await plan([])).warnings).toMatchObject([
      { name: 'after-the-move', reason: 'former_name' },
    ])
    expect((await plan([])).warnings[0]?.message).toContain('formerly: [before-the-move]')
    expect((await plan(['before-the-move'])).warnings).toEqual([])
  })

  it('finds edits of records by other programs, in any format', async () => {
    await fixture.frame('edited', '<p>1</p>')
    const option = `svc_frame_${await fixture.idOf('edited')}`
    const frames = [frame('edited', '<p>1</p>')]
    expect(await planned.plan({ frames })).toMatchObject({ steps: [] })
    const dates = { created_at_gmt: '2026-01-01 00:00:00', updated_at_gmt: '2026-01-01 00:00:00' }
    const record = { slug: 'edited', html: '<p>2</p>', ...dates, updated_by: 3 }
    await fixture.setOption(option, encodeRecord(record))
    expect(linesOf((await planned.plan({ frames })).steps)).toEqual(['replaced frame edited'])
    await fixture.setOption(option, '<p>1</p>')
    expect(await planned.plan({ frames })).toMatchObject({ steps: [] })
    await fixture.setOption(option, JSON.stringify({ html: '<p>3</p>' }))
    expect(await settle({ frames })).toEqual(['replaced frame edited'])
  })

  it('refuses markup whose inserts contradict each other, and writes nothing', async () => {
    await fixture.frame('one', '1')
    await fixture.frame('two', '2')
    const html = '<!-- svc/frame {"name":"one","slug":"two"} /-->'
    const frames = [frame('one', 'other'), frame('contradicts', html)]
    const { outcome, problems } = await planned.apply({ frames })
    expect({ outcome, problems }).toMatchObject({
      outcome: 'blocked',
      problems: [{ kind: 'frame', name: 'contradicts', reason: 'frame_ref_conflict' }],
    })
    expect(linesOf((await planned.plan({ frames: [frame('one', '1')] })).steps)).toEqual([])
  })
})
