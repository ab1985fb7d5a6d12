import { describe, expect, it } from 'vitest'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use } from '../support/use.ts'
import { cloneTruth } from '../wordpress/clone-truth.ts'
import { createPlannedSite } from './planned-site.ts'

const network = await use(cloneTruth())
const site = await network.site(2)
const fixture = createSiteFixture(network.db, site)
const planned = createPlannedSite(network, site)
const { settle } = planned

describe('the plan of variables', () => {
  it('writes the variables as a data set', async () => {
    expect(await settle({ variables: { b: '2', a: '1' } })).toEqual(['created dataset variables'])
    expect(await fixture.option('svc_data_variables')).toBe('{"a":"1","b":"2"}')
    expect(await settle({ variables: { a: '3' } })).toEqual(['replaced dataset variables'])
  })
})
