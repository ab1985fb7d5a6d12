import { beforeEach, describe, expect, it } from 'vitest'
import { listLastApplied } from '../../src/plan/last-applied.ts'
import { runSitesTable, runsTable } from '../../src/plan/runs-table.ts'
import { cloneNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'
import { describeFrame, recordRun } from './recorded-run.ts'

const network = await use(cloneNetwork())
const { db, globals } = network
beforeEach(async () => {
  for (const table of [runSitesTable(globals), runsTable(globals)]) await db.sql(table).delete()
})

const at = (second: number) => `2026-01-01 00:00:0${second}.000`
const record = (name: string, second: number, sites: Parameters<typeof recordRun>[1]) =>
  recordRun(network, {
    description: describeFrame(name, [2, 3]),
    appliedAt: at(second),
    ...sites,
  })
const last = async (name?: string) =>
  (await listLastApplied(db, globals, name)).map(({ run_id, name, blog_id }) => [
    name,
    blog_id,
    run_id,
  ])

describe('the last applied runs', () => {
  it('are one for each description and site', async () => {
    const both = await record('one', 1, { sites: { 2: 'applied', 3: 'applied' } })
    const later = await record('one', 2, { sites: { 3: 'applied' } })
    const other = await record('other', 1, { sites: { 3: 'applied' } })
    expect(await last()).toEqual([
      ['one', 2, both.id],
      ['one', 3, later.id],
      ['other', 3, other.id],
    ])
    expect(await last('other')).toEqual([['other', 3, other.id]])
  })

  it('do not contain one that was rolled back, but the one before', async () => {
    const kept = await record('one', 1, { sites: { 2: 'applied' } })
    const taken = await record('one', 2, { sites: { 2: 'applied' } })
    await db
      .sql(runSitesTable(globals))
      .where({ run_id: taken.id })
      .update({ state: 'rolled_back' })
    expect(await last()).toEqual([['one', 2, kept.id]])
  })

  it('contain one whose later attempt has failed: the site has what the first one wrote', async () => {
    const run = await record('one', 1, { sites: { 2: 'applied' } })
    await db.sql(runSitesTable(globals)).where({ run_id: run.id }).update({ state: 'failed' })
    expect(await last()).toEqual([['one', 2, run.id]])
  })

  it('contain no run that was only planned, and none that replaces texts', async () => {
    await record('one', 1, { sites: { 2: 'planned' } })
    await record('one', 2, { description: undefined, sites: { 2: 'applied' } })
    expect(await last()).toEqual([])
  })
})
