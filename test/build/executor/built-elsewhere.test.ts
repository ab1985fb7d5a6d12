import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, it } from 'vitest'
import type { Change } from '../../../src/content/work/change.ts'
import { type RecordedChange, recordChange } from '../../../src/content/work/record-work.ts'
import { workOn } from '../../../src/content/work/work.ts'
import { pagesTable } from '../../../src/content/work/work-tables.ts'
import type { Effects } from '../../../src/host/effects.ts'
import { eventually } from '../../support/eventually.ts'
import { createTestExecutor } from '../../support/local-executor.ts'
import { useNetwork } from '../../support/network.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { statementsOf } from '../../support/statements.ts'
import { use, useFolder } from '../../support/use.ts'
import {
  buildElsewhere,
  endElsewhere,
  failWork,
  forgetWork,
  makeDue,
  pendingWork,
  putWork,
} from '../../support/work-rows.ts'

const PAGE = 10

const network = await useNetwork()
const { db, globals } = network
const site = await network.site(2)
let budgetMs: number | undefined
const executor = await use(
  createTestExecutor({
    db,
    globals,
    staticDir: await useFolder('elsewhere'),
    budget: () => budgetMs,
  }),
)
const shop = createSiteFixture(db, site, { executor })

beforeEach(async () => {
  budgetMs = undefined
  await endElsewhere(network, 2)
  await forgetWork(network)
  await shop.frame('page', '<h1 data-op-bind="page.title"></h1>1')
  await shop.assign('page', [PAGE])
})

const record = (change: Omit<Change, 'bake'>): Promise<RecordedChange> =>
  db.write({ site }, (tx) => recordChange(tx, site, { bake: true, ...change }))
const recordFrame = async () => {
  const frame = await shop.idOf('page')
  return record({ frame, work: workOn('frame', [frame]) })
}

/** Applies a change that another process builds. @param then what happens after this process has looked at what is left */
async function applyMeanwhile(
  recorded: RecordedChange,
  then: () => Promise<unknown>,
): Promise<Effects> {
  await buildElsewhere(network, 2)
  let effects: Promise<Effects> | undefined
  await statementsOf(db, async (statements) => {
    effects = executor.apply(site, recorded)
    await eventually(() =>
      expect(statements).toContainEqual(expect.stringMatching(/SELECT kind, name, error/)),
    )
  })
  await then()
  return effects as Promise<Effects>
}

it('the executor reports a change as pending while another process builds the site', async () => {
  const recorded = await recordFrame()
  await buildElsewhere(network, 2)
  budgetMs = 50
  const effects = await executor.apply(site, recorded)
  expect(effects).toMatchObject({
    bake: { status: 'pending' },
    republish: { status: 'pending' },
    pending: { frames: 1 },
  })
  await endElsewhere(network, 2)
  await executor.finish(2)
})

it('the executor reports what another process could not bake as failed, and does not wait for other work that fails', async () => {
  await putWork(network, 2, [{ name: '99', due: 200, tries: 7, error: 'It cannot be built.' }])
  const { republish, bake } = await applyMeanwhile(await recordFrame(), () =>
    failWork(network, 2, { error: 'The record is damaged.' }),
  )
  const failure = { status: 'failed', message: 'The record is damaged.' }
  expect([republish, bake]).toMatchObject([failure, failure])
})

it('the executor reports a page without a copy as failed if another process could not render it', async () => {
  await db.sql(pagesTable(globals)).where({ page_id: PAGE }).delete()
  const recorded = await record({ work: workOn('page', [PAGE]) })
  const { republish, statics } = await applyMeanwhile(recorded, () =>
    failWork(network, 2, { error: 'The page has no template.' }),
  )
  expect(republish.status).toBe('failed')
  expect(statics.get(PAGE)).toMatchObject({
    published: false,
    reason: 'failed',
    message: 'The page has no template.',
  })
})

it('the executor takes over the site of a process that was killed, also in a command', async () => {
  const recorded = await record({ work: workOn('page', [PAGE]) })
  const { statics } = await applyMeanwhile(recorded, () => buildElsewhere(network, 2, -1))
  expect(statics.get(PAGE)).toMatchObject({ published: true, reason: null })
})

it.each<[string, () => Promise<RecordedChange>]>([
  ['of a frame', recordFrame],
  ['of the pages of a frame', () => record({ work: workOn('page', [PAGE, 7]) })],
  ['that rebakes everything', () => record({ work: workOn('all') })],
])(
  'the answer to a change %s does not depend on which process builds the site',
  async (_, recordChangeOf) => {
    const answers: Effects[] = []
    for (const isElsewhere of [false, true]) {
      await shop.frame('page', `<h1 data-op-bind="page.title"></h1>${Number(isElsewhere)}`, {
        bake: false,
      })
      await forgetWork(network, 2)
      const recorded = await recordChangeOf()
      if (isElsewhere) await buildElsewhere(network, 2)
      const answer = executor.apply(site, recorded)
      if (isElsewhere) {
        await sleep(300)
        await endElsewhere(network, 2)
      }
      answers.push(await answer)
    }
    const [here, elsewhere] = answers.map(withoutTimes)
    expect(elsewhere).toEqual(here)
    expect(await pendingWork(network, 2)).toEqual([])
    await makeDue(network)
  },
)

/** The two editions differ in their fingerprints. */
const withoutTimes = (effects: Effects): unknown =>
  JSON.parse(
    JSON.stringify({ ...effects, statics: [...effects.statics] }, (name, value) =>
      ['sha256', 'fingerprint', 'baked_at'].includes(name) ? undefined : value,
    ),
  )
