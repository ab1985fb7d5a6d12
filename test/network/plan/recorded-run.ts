import { randomUUID } from 'node:crypto'
import type { Description } from '../../../src/network/description/description.ts'
import type { RunSiteState } from '../../../src/network/plan/run-states.ts'
import {
  createRun,
  findRun,
  type NewRun,
  type Run,
  runSitesTable,
  runsTable,
} from '../../../src/network/plan/runs-table.ts'
import type { TestNetwork } from '../../support/network.ts'
import { parseDescription } from '../../support/parse-description.ts'
import { sqlOf } from '../../support/statements.ts'

/** A description of these sites, with one frame. */
export const describeFrame = (name: string, ids: readonly number[], html = '<br>'): Description =>
  parseDescription({
    version: 1,
    name,
    sites: [{ match: { id: ids }, bundles: ['base'] }],
    bundles: { base: { frames: [{ slug: name, html }] } },
  })

type RecordedRun = Partial<Omit<NewRun, 'id' | 'author'>> & {
  /** Failed sites after which the others are skipped [no limit]. */
  readonly maxFailures?: number
  /** What became of each site, by blog id. */
  readonly sites?: Readonly<Record<number, RunSiteState>>
  /** When it was applied to the sites, GMT [now]. */
  readonly appliedAt?: string
}

/** Stores a run. Nothing is written to sites. */
export async function recordRun(
  { db, globals }: Pick<TestNetwork, 'db' | 'globals'>,
  { sites = {}, appliedAt, maxFailures, ...more }: RecordedRun = {},
): Promise<Run> {
  const id = randomUUID()
  const author = { userId: 1, tokenId: null, label: 'cli', requestId: id }
  const rows = Object.entries(sites).map(([blogId, state]) => ({ blogId: Number(blogId), state }))
  const run: NewRun = {
    id,
    author,
    state: 'done',
    description: describeFrame('recorded', [2]),
    ...more,
  }
  // A worker that runs already must not see a part of it.
  await db.write({}, async (tx) => {
    await createRun(tx, globals, run, rows)
    if (appliedAt !== undefined)
      await sqlOf(tx)(runSitesTable(globals))
        .where({ run_id: id, state: 'applied' })
        .update({ applied_at: appliedAt })
    if (maxFailures !== undefined)
      await sqlOf(tx)(runsTable(globals)).where({ id }).update({ max_failures: maxFailures })
  })
  const stored = await findRun(db, globals, id)
  if (!stored) throw new Error('the run was not stored')
  return stored
}
