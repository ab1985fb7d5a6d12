import { writeChange } from '../../changes/record-write.ts'
import { chooseTargets } from '../../content/restore/choose-targets.ts'
import { type Restored, runRestore } from '../../content/restore/run-restore.ts'
import type { RecordedChange } from '../../content/work/record-work.ts'
import type { Database } from '../../db/database.ts'
import type { GlobalTables, Site } from '../../wordpress/network/site.ts'
import type { PlanContext } from './plan-context.ts'
import {
  listRunSites,
  messageOfProblems,
  type Run,
  type RunSite,
  setRunSites,
} from './runs-table.ts'

/**
 * The sites from which a run can be rolled back: it has written to them. Sites that lacked nothing have nothing to restore; they become
 * `rolled_back` here, so that they are not compared with the description of the run any more.
 */
export async function beginRollback(
  db: Database,
  globals: GlobalTables,
  { id }: Run,
): Promise<readonly RunSite[]> {
  const rows = await listRunSites(db, globals, id, { isApplied: true })
  const idle = rows.filter(({ step_count }) => step_count === 0)
  if (idle.length > 0) {
    const ids = idle.map(({ blog_id }) => blog_id)
    const states = [...new Set(idle.map(({ state }) => state))]
    await db.write({ isStatement: true }, (tx) =>
      setRunSites(tx, globals, id, ids, { state: 'rolled_back' }, states),
    )
  }
  return rows.filter(({ step_count }) => step_count > 0)
}

/**
 * Restores what a run has written to a site to the state before, and records the result in the same transaction. What cannot be restored becomes
 * the message of the site.
 * @param db writes as the author of the rollback
 * @param context its user is the author of the restored frames and items
 */
export async function rollBackRunSite(
  db: Database,
  site: Site,
  { run, row }: { readonly run: Run; readonly row: RunSite },
  { userId, unfilteredHtml, now, markup }: PlanContext,
): Promise<Restored & { readonly change: RecordedChange }> {
  const writer = { userId, unfilteredHtml, maxSiteBytes: undefined, analyzer: markup, now }
  const chosen = await chooseTargets(db, site, { requestId: run.id })
  return writeChange(db, { site }, async (tx) => {
    // Nobody is shown its differences.
    const request = { bake: true, isWhole: false, isCompared: false }
    const restored = await runRestore(tx, site, chosen, request, writer)
    const { obstacles } = restored
    const message = obstacles.length > 0 ? messageOfProblems(obstacles) : null
    const result = { state: 'rolled_back', message } as const
    await setRunSites(tx, site.globals, run.id, [site.blogId], result, [row.state])
    return restored
  })
}
