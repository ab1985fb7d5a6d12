import { beforeEach, describe, expect, it } from 'vitest'
import { compareApplied, findAppliedSites } from '../../../src/network/plan/find-drift.ts'
import { runSitesTable, runsTable } from '../../../src/network/plan/runs-table.ts'
import { damageOf, damageTable } from '../../support/damages.ts'
import { useNetwork } from '../../support/network.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { createPlannedSite, frame } from './planned-site.ts'
import { describeFrame, recordRun } from './recorded-run.ts'

const network = await useNetwork()
const { db, globals } = network
beforeEach(async () => {
  for (const table of [runSitesTable(globals), runsTable(globals)]) await db.sql(table).delete()
})

/** Applies a frame to these sites, and records that a run of a description did. */
async function apply(name: string, ids: readonly number[], html: string) {
  const sites = Object.fromEntries(ids.map((id) => [id, 'applied' as const]))
  const run = await recordRun(network, { description: describeFrame(name, ids, html), sites })
  for (const id of ids) {
    const planned = createPlannedSite(network, await network.site(id))
    await planned.apply({ frames: [frame(name, html)] }, { runId: run.id })
  }
  return run
}

const failures: string[] = []
const onFailure = async (name: string) => void failures.push(name)
const find = (name?: string) => findAppliedSites(db, globals, name, onFailure)
beforeEach(() => void failures.splice(0))

describe('the sites that runs were applied to', () => {
  it('have what the description of the last run wants of them', async () => {
    await apply('wanted', [2, 3], 'first')
    const later = await apply('wanted', [2, 3], 'later')
    const found = await find()
    expect(found.map(({ runId, name, site }) => [runId, name, site.blogId])).toEqual([
      [later.id, 'wanted', 2],
      [later.id, 'wanted', 3],
    ])
    expect(found[0]?.desired.frames).toMatchObject([{ slug: 'wanted', html: 'later' }])
    expect(await find('other')).toEqual([])
  })

  it('are left out if the description does not select them', async () => {
    const description = describeFrame('narrowed', [3])
    await recordRun(network, { description, sites: { 2: 'applied', 3: 'applied' } })
    expect((await find()).map(({ site }) => site.blogId)).toEqual([3])
  })

  it('are left out, with a report, if the description does not fit together any more', async () => {
    const wrong = { ...describeFrame('wrong', [2]), bundles: {} }
    await recordRun(network, { description: wrong, sites: { 2: 'applied' } })
    await apply('right', [3], '')
    expect((await find()).map(({ name }) => name)).toEqual(['right'])
    expect(failures).toEqual(['wrong'])
  })
})

describe('the drift of a site', () => {
  it('has no writer if another program has written', async () => {
    await apply('foreign', [2], 'wanted')
    const fixture = createSiteFixture(db, await network.site(2))
    await fixture.setOption(`svc_frame_${await fixture.idOf('foreign')}`, 'changed')
    const [site] = await compareApplied(db, await find(), 2, onFailure)
    expect(site?.drift).toMatchObject([{ step: { name: 'foreign' }, writer: undefined }])
  })

  it('is reported as unknown for a site that cannot be read, and found for the others', async () => {
    await apply('partly', [2, 3], '')
    const applied = await find()
    const { options } = (await network.site(2)).tables
    const damage = damageOf('a column that is missing')
    const repair = await damageTable(db, damage, options, 'option_value')
    try {
      const compared = await compareApplied(db, applied, 2, onFailure)
      expect(compared.map(({ site }) => site.blogId)).toEqual([3])
      expect(failures).toEqual(['partly on net.test/shop (site 2)'])
    } finally {
      await repair()
    }
  })
})
