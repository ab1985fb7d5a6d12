import { describe, expect, it } from 'vitest'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'
import { createPlannedSite, frame, menu } from './planned-site.ts'

const network = await use(cloneTruth())
const site = await network.site(2)
const fixture = createSiteFixture(network.db, site)
const planned = createPlannedSite(network, site)

describe('the plan of a site', () => {
  it('counts the pages that would be published', async () => {
    const pages = [await fixture.page({ slug: 'shown-1' }), await fixture.page({ slug: 'shown-2' })]
    await fixture.frame('inner', '1')
    await fixture.frame('outer', '<!-- svc/frame {"name":"inner"} /-->')
    await fixture.assign('outer', pages)
    const plan = await planned.plan({ frames: [frame('inner', '2')] })
    expect(plan.pages).toEqual({ total: 2, ids: pages })
  })

  it('has the same digest on sites that differ in ids only', async () => {
    const other = createPlannedSite(network, await network.site(3))
    const desired = {
      frames: [frame('equal', '2')],
      menus: [menu('equal', [{ url: '/x', title: 'X' }])],
    }
    for (const one of [planned, other])
      await one.apply({ frames: [frame('equal', '1')], menus: [menu('equal', [])] })
    expect((await planned.plan(desired)).digest).toBe((await other.plan(desired)).digest)
  })
})
