import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { parseDescription } from '../../src/description/description.ts'
import { KEPT_RUN_DAYS, pruneRuns } from '../../src/plan/prune-runs.ts'
import { createRun, listRunSites, listRuns } from '../../src/plan/runs-table.ts'
import { cloneNetwork } from '../support/network.ts'
import { use } from '../support/use.ts'

const network = await use(cloneNetwork())

it('deletes old runs, except the last one of each description and site', async () => {
  const { db, globals } = network
  const description = parseDescription({
    version: 1,
    name: 'pruned',
    bundles: {},
    sites: [{ match: { id: [2, 3] } }],
  })
  const runOf = async (blogIds: readonly number[]): Promise<string> => {
    const id = randomUUID()
    const author = { userId: null, tokenId: null, label: 'cli', requestId: id }
    const run = { id, author, state: 'done', description, maxFailures: null } as const
    const rows = blogIds.map((blogId) => ({ blogId, state: 'applied' as const }))
    await createRun(db, globals, run, rows)
    // Times have milliseconds.
    await new Promise((resolve) => setTimeout(resolve, 2))
    return id
  }
  const [superseded, first, second] = [await runOf([2, 3]), await runOf([2]), await runOf([3])]
  await pruneRuns(db, globals, { now: new Date() })
  expect(await listRuns(db, globals, { limit: 10 })).toHaveLength(3)
  const later = new Date(Date.now() + (KEPT_RUN_DAYS + 1) * 86_400_000)
  await pruneRuns(db, globals, { now: later })
  const kept = (await listRuns(db, globals, { limit: 10 })).map(({ id }) => id)
  expect(kept.sort()).toEqual([first, second].sort())
  expect(await listRunSites(db, globals, superseded ?? '')).toEqual([])
})
