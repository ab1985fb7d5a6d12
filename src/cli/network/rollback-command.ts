import { Command } from 'commander'
import { StateDiffs } from '../../diff/state-diffs.ts'
import { createPlanContext } from '../../plan/plan-context.ts'
import { beginRollback, rollBackRunSite } from '../../plan/roll-back-run-site.ts'
import type { RunState } from '../../plan/run-states.ts'
import { findRun, type Run, type RunSite, setRunState } from '../../plan/runs-table.ts'
import type { WrittenState } from '../../restore/written-states.ts'
import { listManageableSites } from '../../wordpress/network/find-sites.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { getAuthorId } from '../get-user.ts'
import { describeRestore } from '../history/describe-restore.ts'
import { runOnSites, type SiteWork } from '../sites/run-over-sites.ts'
import { confirmOnTerminal, pluralize, warn } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { getRunId } from './runs-command.ts'

type RollbackOptions = {
  readonly dryRun?: true
  readonly yes?: true
  readonly wait: boolean
  readonly user?: string
  readonly json?: true
}

/** `rollback <run>`: restores what a run has written to the state before. */
export function rollbackCommand(context: CliContext): Command {
  return new Command('rollback')
    .argument('<run>', 'the id of the run, or its beginning; "wp-frames runs" lists them')
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .option('--yes', 'do not ask')
    .option('--no-wait', 'do not wait until the pages are built; the service builds them')
    .option('--user <login>', 'the author of the restored frames and items')
    .option('--json', 'print [{site_id, address, state, outcome, restored, not_restored}]')
    .addHelpText('after', examples('wp-frames rollback 5b0c --dry-run', 'wp-frames rollback 5b0c'))
    .action((name: string, options: RollbackOptions) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const { db, globals } = services
        const id = await getRunId(services, name)
        const run = await findRun(db, globals, id)
        if (!run) throw new CommandError(`There is no run ${id}. "wp-frames runs" lists the runs.`)
        if (!RESTORABLE_STATES.has(run.state)) {
          throw new CommandError(
            `The run ${id} has the state "${run.state}". Only a run that was applied, and that no process works on, can be rolled back.`,
          )
        }
        const { dryRun = false, yes, wait, json = false } = options
        const userId = await getAuthorId(services, options.user)
        if (!dryRun) {
          const { length } = await beginRollback(db, globals, run, true)
          await confirmOnTerminal(`Roll back ${pluralize(length, 'site')}?`, yes)
        }
        const rows = await beginRollback(db, globals, run, dryRun)
        // A run that is rolled back is not continued by the next apply.
        if (!dryRun) await setRunState(db, globals, run, 'done')
        const written = new Map(rows.map((row) => [row.blog_id, row]))
        const sites = (await listManageableSites(db, globals)).filter(({ blogId }) =>
          written.has(blogId),
        )
        const work = rollBack(services, run, { dryRun, wait, json, userId, written })
        await runOnSites(
          services,
          sites,
          { network: true, ...(options.json ? { json: true } : {}) },
          work,
        )
        const isOfFolder = run.name === ''
        if (isOfFolder && !dryRun)
          warn(['If the run pushed a folder: pull it again, before you push it the next time.'])
      }),
    )
}

/** States of runs that have written something, and that no background worker works on. */
const RESTORABLE_STATES: ReadonlySet<RunState> = new Set(['started', 'done', 'failed'])

type ShownChange = Pick<WrittenState, 'kind' | 'ref' | 'name' | 'action'> & {
  readonly diff?: string
}

function rollBack(
  { db, executor }: CliServices,
  run: Run,
  {
    dryRun,
    wait,
    json,
    userId,
    written,
  }: {
    readonly json: boolean
    readonly dryRun: boolean
    readonly wait: boolean
    readonly userId: number
    /** The sites that the run has written to, by blog id. */
    readonly written: ReadonlyMap<number, RunSite>
  },
): SiteWork {
  const context = createPlanContext(userId)
  return async (site) => {
    const row = written.get(site.blogId)
    if (!row) throw new Error(`The run has not written to site ${site.blogId}.`)
    const result = await rollBackRunSite(db, site, { run, row, dryRun }, context)
    const { restored, obstacles, change } = result
    if (!dryRun && wait) await executor.apply(site, change)
    // What is not printed is not kept: two hundred frames on a thousand sites would take much memory.
    const diffs = new StateDiffs(site)
    const changes: ShownChange[] = []
    for (const { kind, ref, name, action, before, after } of dryRun || json ? restored : [])
      changes.push({
        kind,
        ref,
        name: name || ref,
        action,
        ...(dryRun ? { diff: (await diffs.diff(kind, before, after)).text } : {}),
      })
    const data = { dry_run: dryRun, restored: changes, not_restored: obstacles }
    const shown = { ...data, restored: dryRun ? changes : [] }
    return { ...describeRestore(shown, restored.length), data }
  }
}
