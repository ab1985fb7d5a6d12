import { describe, expect, it } from 'vitest'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'
import { createPlannedSite, frame } from './planned-site.ts'

const network = await use(cloneTruth())
const site = await network.site(2)
const fixture = createSiteFixture(network.db, site)
const planned = createPlannedSite(network, site)
const { settle } = planned

describe('the plan of pages', () => {
  it('assigns pages to new and old frames, and clears them', async () => {
    await fixture.page({ slug: 'planned-page' })
    await fixture.frame('page-frame', '<p>page</p>')
    const on = (slug: string | null) => [{ path: 'planned-page', frame: slug }]
    expect(await settle({ pages: on('page-frame') })).toEqual([
      'assigned assignment /planned-page to page-frame',
    ])
    expect(
      await settle({ frames: [frame('new-page-frame', '')], pages: on('new-page-frame') }),
    ).toEqual([
      'created frame new-page-frame',
      'assigned assignment /planned-page from page-frame to new-page-frame',
    ])
    expect(await settle({ pages: on(null) })).toEqual([
      'cleared assignment /planned-page from new-page-frame',
    ])
  })

  it('reports missing pages and frames', async () => {
    await fixture.page({ slug: 'there' })
    const { problems } = await planned.plan({
      pages: [
        { path: 'missing/page', frame: null },
        { path: 'there', frame: 'no-such-frame' },
      ],
    })
    expect(problems.map(({ name, reason }) => [name, reason])).toEqual([
      ['/missing/page', 'page_not_found'],
      ['/there', 'frame_missing'],
    ])
  })
})
