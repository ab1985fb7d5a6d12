import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { writeAs } from '../../../src/db/database.ts'
import { applySite } from '../../../src/network/plan/apply-site.ts'
import { createPlanContext } from '../../../src/network/plan/plan-context.ts'
import { statementsOf } from '../../support/statements.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'
import { createPlannedSite, desiredSite, frame } from './planned-site.ts'

const network = await useTruth()
const site = await network.site(2)
const { plan, rollBack, settle } = createPlannedSite(network, site)

/** More than travel in one statement. */
const COUNT = 120

const described = (edition: number) =>
  desiredSite({
    frames: Array.from({ length: COUNT }, (_, at) =>
      frame(`part-${at}`, `<p>${at}, edition ${edition}</p>${'<p>text</p>'.repeat(60)}`),
    ),
  })

function apply(edition: number, requestId: string) {
  const db = writeAs(network.db, { userId: 1, tokenId: null, label: 'cli', requestId })
  return applySite(db, site, described(edition), createPlanContext(1), { bake: false })
}

/** The reads and the locks among the statements. */
const readsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
  const statements = await statementsOf(network.db, work)
  return statements.filter((text) => /^\s*select/i.test(text)).map((text) => text.slice(0, 60))
}

it('a plan without steps takes one statement', async () => {
  await settle({ frames: [frame('settled', 'settled')] })
  const statements = await statementsOf(network.db, () =>
    plan({ frames: [frame('settled', 'settled')] }, 'errors'),
  )
  expect(statements).toHaveLength(1)
})

it('the number of reads does not depend on the number of frames', async () => {
  const created = await readsOf(() => apply(1, randomUUID()))
  expect(created, 'the lock, and the digests').toHaveLength(2)
  const runId = randomUUID()
  const replaced = await readsOf(() => apply(2, runId))
  expect(replaced, 'and what the history needs').toHaveLength(3)
  const restored = await readsOf(() => rollBack(runId))
  const what =
    'the entries, those before; the lock, what the history needs, contents, records; contents before'
  expect(restored, what).toHaveLength(7)
  expect((await plan(described(1))).steps).toEqual([])
})
