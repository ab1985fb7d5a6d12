import { describe, expect, it } from 'vitest'
import { metaOption, recordOption } from '../../src/frames/option-names.ts'
import { getFrame } from '../../src/frames/read-frame.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'
import { createPlannedSite, frame, linesOf } from './planned-site.ts'

const network = await use(cloneTruth())
const site = await network.site(2)
const fixture = createSiteFixture(network.db, site)
const { apply, settle } = createPlannedSite(network, site)

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
    const { outcome, steps } = await apply({
      frames: [frame('arrived', 'coming', ['coming'])],
      removedFrames: ['leaving'],
    })
    expect([outcome, linesOf(steps)]).toEqual([
      'applied',
      ['renamed frame arrived from coming', 'deleted frame leaving'],
    ])
    expect(await fixture.idOf('arrived')).toBe(id)
    await expect(fixture.idOf('leaving')).rejects.toThrow()
  })

  it('fit into the limit of the site, or none is written', async () => {
    const frames = [frame('small', '1'), frame('large', 'x'.repeat(2000))]
    const refused = apply({ frames }, { maxSiteBytes: 1000 })
    await expect(refused).rejects.toMatchObject({ code: 'site_quota_exceeded' })
    await expect(fixture.idOf('small')).rejects.toThrow()
    expect((await apply({ frames }, { maxSiteBytes: 100_000 })).outcome).toBe('applied')
  })
})
