import { beforeEach, expect, it } from 'vitest'
import type { Effects } from '../../src/effects.ts'
import { createLog } from '../../src/log.ts'
import { copiesTable } from '../../src/publishing/copies-table.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import type { Change } from '../../src/work/change.ts'
import { type Claim, claimWork, newClaim, renewClaim, writeWork } from '../../src/work/claims.ts'
import { completeWork, type FailedWork } from '../../src/work/complete-work.ts'
import { type RecordedChange, recordChange } from '../../src/work/record-work.ts'
import { workOn } from '../../src/work/work.ts'
import { workTable } from '../../src/work/work-tables.ts'
import { eventually } from '../support/eventually.ts'
import { createTestExecutor, type TestExecutor } from '../support/local-executor.ts'
import { cloneNetwork, type TestNetwork } from '../support/network.ts'
import { createSiteFixture, type SiteFixture } from '../support/site-fixture.ts'
import { statementsOf } from '../support/statements.ts'
import { use, useFolder } from '../support/use.ts'

const PAGE = 10

let network: TestNetwork
let site: Site
let budgetMs: number | undefined
let executor: TestExecutor
let shop: SiteFixture
beforeEach(async () => {
  network = await use(cloneNetwork())
  site = await network.site(2)
  const staticDir = await useFolder('other')
  budgetMs = undefined
  const { db, globals } = network
  const log = createLog('silent')
  executor = await use(createTestExecutor({ db, globals, log, staticDir, budget: () => budgetMs }))
  shop = createSiteFixture(db, site, { executor })
  await shop.frame('page', '<h1 data-op-bind="page.title"></h1>1')
  await shop.assign('page', [PAGE])
})

/** Records a change whose work another process claims before this one. */
async function claimedElsewhere(change: Omit<Change, 'bake'>) {
  const recorded = await network.db.write({ site }, (tx) =>
    recordChange(tx, site, { bake: true, ...change }),
  )
  const claim = newClaim(site)
  await claimWork(network.db, claim)
  return { recorded, claim }
}
const writtenFrame = async () => {
  const frame = await shop.idOf('page')
  return { frame, work: workOn('frame', [frame]) }
}
const complete = (claim: Claim, version: number, failed: readonly FailedWork[] = []) =>
  writeWork(network.db, site, (tx) => {
    completeWork(tx, claim, version, 'others')
    completeWork(tx, claim, version, 'pages', failed)
  })

/** Applies a change. @param then what happens after this process has seen that the other one is still at work */
async function applyMeanwhile(
  recorded: RecordedChange,
  then: () => Promise<unknown>,
): Promise<Effects> {
  let effects: Promise<Effects> | undefined
  await statementsOf(network.db, async (statements) => {
    effects = executor.apply(site, recorded)
    await eventually(() =>
      expect(statements).toContainEqual(expect.stringMatching(/OR owner IS NOT NULL OR/)),
    )
  })
  await then()
  return effects as Promise<Effects>
}

it('the executor reports pages as pending while another process still bakes their frame', async () => {
  const { recorded, claim } = await claimedElsewhere(await writtenFrame())
  budgetMs = 1000
  const effects = await executor.apply(site, recorded)
  expect(effects).toMatchObject({
    bake: { status: 'ok', response: { published: { published: false } } },
    republish: { status: 'pending' },
    pending: { frames: 1 },
  })
  await complete(claim, recorded.version)
})

it('the executor reports pages that another process did not publish as failed, and does not wait for other work that fails', async () => {
  const work = network.db.sql(workTable(network.globals))
  const due_at = network.db.sql.raw('NOW(6) + INTERVAL 200 SECOND')
  const row = { blog_id: 2, kind: 'page', name: '99', version: 1, since: '2026-01-01' }
  await work.clone().insert({ ...row, due_at, tries: 7, error: 'The page cannot be built.' })
  const { recorded, claim } = await claimedElsewhere(await writtenFrame())
  const { republish, bake } = await applyMeanwhile(recorded, () =>
    complete(claim, recorded.version),
  )
  expect(republish.status).toBe('failed')
  expect(bake).toMatchObject({ status: 'ok', response: { published: { published: false } } })
})

it('the executor reports a page without a copy as failed if another process could not render it', async () => {
  const { db, globals } = network
  await db.sql(copiesTable(globals)).where({ page_id: PAGE }).delete()
  const { recorded, claim } = await claimedElsewhere({ work: workOn('page', [PAGE]) })
  const failed = { kind: 'page', name: String(PAGE), message: 'The build failed.' } as const
  const { republish, statics } = await applyMeanwhile(recorded, () =>
    complete(claim, recorded.version, [failed]),
  )
  expect(republish.status).toBe('failed')
  expect(statics.get(PAGE)).toMatchObject({ published: false, reason: 'failed' })
})

it('the executor takes over the work of a process that was killed, also in a command', async () => {
  const { recorded, claim } = await claimedElsewhere({ work: workOn('page', [PAGE]) })
  await renewClaim(network.db, claim)
  const endLease = () =>
    network.db
      .sql(workTable(network.globals))
      .where({ owner: claim.id })
      .update({ due_at: network.db.sql.raw('NOW(6)') })
  const { statics } = await applyMeanwhile(recorded, endLease)
  expect(statics.get(PAGE)).toMatchObject({ published: true, reason: null })
}, 15_000)
