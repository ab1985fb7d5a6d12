import { describe, expect, it } from 'vitest'
import { createSiteFixture } from '../support/site-fixture.ts'
import { statementsOf } from '../support/statements.ts'
import { use } from '../support/use.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'
import { createPlannedSite, frame, linesOf, menu } from './planned-site.ts'

const network = await use(cloneTruth())
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

  it('is refused if the site has changed since', async () => {
    await fixture.frame('moving', '1')
    const frames = [frame('moving', '2')]
    const { digest } = await planned.plan({ frames })
    await fixture.frame('moving', '3')
    const { outcome, steps } = await planned.apply({ frames }, { expectedDigest: digest })
    expect([outcome, linesOf(steps)]).toEqual(['moved', ['replaced frame moving']])
    const still = await planned.plan({ frames: [frame('moving', '3')] })
    expect(still.steps).toEqual([])
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
