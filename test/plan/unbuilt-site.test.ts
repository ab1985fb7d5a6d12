import { expect, it } from 'vitest'
import { workOf } from '../../src/work/change.ts'
import { workOnPage } from '../../src/work/work.ts'
import { cloneNetwork } from '../support/network.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'
import { createPlannedSite } from './planned-site.ts'

const network = await use(cloneNetwork())

it('a run without a build, and its rollback, record only the pages that lose their frame', async () => {
  const site = await network.site(2)
  const fixture = createSiteFixture(network.db, site)
  const planned = createPlannedSite(network, site)
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
