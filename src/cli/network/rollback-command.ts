import { Command } from 'commander'
import type { Tx } from '../../db/transaction.ts'
import { INLINE_ANALYZER } from '../../frames/frame-markup.ts'
import { MarkupCache } from '../../plan/markup-cache.ts'
import {
  findRun,
  listRunSites,
  messageOfProblems,
  type RunSiteState,
  type RunState,
  setRunSites,
  setRunState,
} from '../../plan/runs-table.ts'
import type { RestoredPart, RestoredThing } from '../../restore/restored-thing.ts'
import { runRestore } from '../../restore/run-restore.ts'
import { StateDiffs } from '../../restore/state-diffs.ts'
import { listManageableSites } from '../../wordpress/network/find-sites.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { runOnSites, type SiteWork } from '../sites/run-over-sites.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { findAuthor } from './plan-sites.ts'

type RollbackOptions = {
  readonly dryRun?: true
  readonly wait: boolean
  readonly user?: string
  readonly json?: true
}

/** `rollback <run>`: takes back what a run has written, with the history. */
export function rollbackCommand(context: CliContext): Command {
  return new Command('rollback')
    .description('take a run back: restore what it has written to the state before')
    .argument('<run>', 'the id of the run; "wp-frames runs" lists them')
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .option('--no-wait', 'do not wait until the pages are built; the service builds them')
    .option('--user <login>', 'the author of the restored frames and items')
    .option('--json', 'print [{site_id, address, state, outcome, restored, not_restored}]')
    .action((id: string, options: RollbackOptions) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const { db, globals } = services
        const run = await findRun(db, globals, id)
        if (!run) throw new CommandError(`There is no run ${id}. "wp-frames runs" lists the runs.`)
        if (!RESTORABLE_STATES.has(run.state)) {
          throw new CommandError(
            `The run ${id} has the state "${run.state}". Only a run that was applied, and that no process works on, can be taken back.`,
          )
        }
        const rows = await listRunSites(db, globals, id, { isApplied: true })
        const written = new Map(
          rows.filter((row) => row.step_count > 0).map((row) => [row.blog_id, row.state]),
        )
        const sites = (await listManageableSites(db, globals)).filter(({ blogId }) =>
          written.has(blogId),
        )
        const userId = await findAuthor(services, options.user)
        if (!options.dryRun) {
          // A run that is taken back is not continued by the next apply.
          await setRunState(db, globals, run, 'done')
          // Sites that lacked nothing are not compared with its description any more.
          const idle = rows.filter((row) => row.step_count === 0)
          const states = [...new Set(idle.map(({ state }) => state))]
          const ids = idle.map(({ blog_id }) => blog_id)
          await db.write({}, (tx) =>
            setRunSites(tx, globals, id, ids, { state: 'rolled_back' }, states),
          )
        }
        const { dryRun = false, wait, json = false } = options
        const work = rollBack(services, id, { dryRun, wait, json, userId, written })
        await runOnSites(
          services,
          sites,
          { network: true, ...(options.json ? { json: true } : {}) },
          work,
        )
      }),
    )
}

/** States of runs that have written something, and that no background worker works on. */
const RESTORABLE_STATES: ReadonlySet<RunState> = new Set(['started', 'done', 'failed'])

type ShownChange = Pick<RestoredThing, 'kind' | 'ref' | 'name' | 'action'> & {
  readonly diff?: string
}

function rollBack(
  { db, globals, executor }: CliServices,
  runId: string,
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
    /** The state of each site in the run, by blog id. */
    readonly written: ReadonlyMap<number, RunSiteState>
  },
): SiteWork {
  const writer = {
    ...{ userId, unfilteredHtml: true, mayWriteMarkup: true, maxSiteBytes: undefined },
    ...{ analyzer: new MarkupCache(INLINE_ANALYZER), now: () => new Date() },
  }
  return async (site) => {
    const onRestored = async (tx: Tx, { obstacles }: RestoredPart): Promise<void> => {
      const before = written.get(site.blogId) ?? 'applied'
      const message = obstacles.length > 0 ? messageOfProblems(obstacles) : null
      const result = { state: 'rolled_back', message } as const
      await setRunSites(tx, globals, runId, [site.blogId], result, [before])
    }
    const request = { scope: { requestId: runId }, dryRun, bake: true, onRestored }
    const { restored, obstacles, change } = await runRestore(db, site, request, writer)
    if (!dryRun && wait) await executor.apply(site, change)
    // What is not printed is not kept: two hundred frames on a thousand sites would take much memory.
    const diffs = new StateDiffs(site)
    const changes: ShownChange[] = []
    for (const { kind, ref, name, action, before, after } of dryRun || json ? restored : [])
      changes.push({
        ...{ kind, ref, name: name || ref, action },
        ...(dryRun ? { diff: (await diffs.diff(kind, before, after)).text } : {}),
      })
    const lines = [
      ...(dryRun ? changes : []).flatMap(({ kind, name, action, diff = '' }) => [
        ...[`${action} ${kind} ${name}`, diff],
      ]),
      ...obstacles.map(({ kind, name, message }) => `not restored: ${kind} ${name}: ${message}`),
    ]
    const left = obstacles.length > 0 ? `; not restored: ${obstacles.length}` : ''
    return {
      outcome: `${pluralize(restored.length, 'thing')} ${dryRun ? 'would be restored' : 'restored'}${left}`,
      detail: sanitizeForTerminal(lines.map((line) => `${line}\n`).join('')),
      data: { dry_run: dryRun, restored: changes, not_restored: obstacles },
    }
  }
}
