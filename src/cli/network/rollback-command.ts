import type { Command } from 'commander'
import { isAtWork, type Plan } from '#client'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, CommandError, INTERRUPTED } from '../cli-context.ts'
import { describeRestore } from '../history/describe-restore.ts'
import { runOnSites, type SiteReport } from '../sites/run-over-sites.ts'
import type { AddressedSite, SiteOptions } from '../sites/site-options.ts'
import {
  coloured,
  confirmOnTerminal,
  jsonLine,
  pluralize,
  sanitizeForTerminal,
  warn,
} from '../terminal.ts'
import { assertBuilt, formatResults, presentRun, waitForPages } from './apply-plan.ts'
import { formatPlans, PlanGroups, sentenceOf } from './plan-groups.ts'
import {
  atRuns,
  findPlan,
  followPlan,
  notReady,
  type PlannedSite,
  type RunSession,
  readWholePlan,
} from './run-client.ts'

type RollbackOptions = {
  readonly dryRun?: true
  readonly yes?: true
  readonly wait: boolean
  readonly user?: string
  readonly json?: true
}

/** `rollback <run>`: restores what a run has written to the state before. */
export function rollbackCommand(context: CliContext): Command {
  const command = new CliCommand('rollback')
    .argument('<run>', 'the id of the run, or its beginning; "wp-frames runs" lists them')
    .option('--dry-run', 'show the changes as a diff, and write nothing')
    .option('--yes', 'do not ask')
    .option('--no-wait', 'do not wait until the pages are built; the service builds them')
    .option('--user <login>', 'the author of the restored frames and items')
    .option(
      '--json',
      'print {run, title, state, sites, results}; with --dry-run [{site_id, address, state, outcome, restored, not_restored}]',
    )
    .examples('wp-frames rollback 5b0c --dry-run', 'wp-frames rollback 5b0c')
  return atRuns(context, command, async (session, name: string, options: RollbackOptions) => {
    const plan = await findPlan(session.service.client, name)
    const { results } = await readWholePlan(session.service.client, plan.id)
    const written = results.filter(isWritten)
    assertRestorable(plan, results)
    // A program reads it in the same object as after a rollback.
    if (isTakenBack(plan, results) && !options.json) {
      const { title, id } = plan
      const said = `${title}, run ${id}: it is already rolled back. Nothing was changed.\n`
      return void process.stdout.write(sanitizeForTerminal(said))
    }
    if (options.dryRun) {
      const sites = sitesOf(written)
      const { json } = options
      const shown: SiteOptions = { network: true, ...(json ? { json } : {}) }
      await runOnSites(session.service, sites, shown, (site) => previewOn(session, plan, site))
      return
    }
    // A rollback that was interrupted is continued.
    const isBegun = plan.state === 'rolling_back'
    if (!options.yes && !isBegun) await confirmRollback(session, plan, written)
    await rollBack(session, plan, new Set(written.map(({ site_id }) => site_id)), options)
  })
}

/** Whether a run has written to a site, and was not rolled back there. */
const isWritten = ({ state, applied_at, steps_total }: PlannedSite): boolean =>
  applied_at !== null && state !== 'rolled_back' && steps_total > 0

/** Whether the run was rolled back on each site that it was applied to. */
function isTakenBack({ state }: Plan, results: readonly PlannedSite[]): boolean {
  const applied = results.filter(({ applied_at }) => applied_at !== null)
  const isDone = applied.length > 0 && applied.every((site) => site.state === 'rolled_back')
  return isDone && state !== 'rolling_back'
}

/** @throws CommandError */
function assertRestorable(plan: Plan, results: readonly PlannedSite[]): void {
  const isApplied = plan.state !== 'planned' || results.some(({ applied_at }) => applied_at)
  if (isApplied && (!isAtWork(plan) || plan.state === 'rolling_back')) return
  throw new CommandError(
    `The run ${plan.id} has the state "${plan.state}". Only a run that was applied, and that no process works on, can be rolled back.`,
  )
}

/** Says what the run has done, by name, and asks on a terminal. */
async function confirmRollback(
  session: RunSession,
  plan: Plan,
  written: readonly PlannedSite[],
): Promise<void> {
  if (!process.stdin.isTTY) return
  const heading = sanitizeForTerminal(`${plan.title}, run ${plan.id}, has done this:\n`)
  const done = formatPlans(new PlanGroups(written), sentenceOf)
  process.stderr.write(coloured(heading + done, process.stderr))
  const details = async (): Promise<string> => {
    const texts: string[] = []
    for (const site of sitesOf(written))
      texts.push((await previewOn(session, plan, site)).detail ?? '')
    return texts.join('')
  }
  await confirmOnTerminal(`Roll back ${pluralize(written.length, 'site')}?`, false, details)
}

const sitesOf = (written: readonly PlannedSite[]): AddressedSite[] =>
  written.map(({ site_id, address }) => ({ blogId: site_id, domain: address ?? '', path: '' }))

/** What a rollback would do to a site. */
async function previewOn(
  { service }: RunSession,
  { id }: Plan,
  { blogId }: AddressedSite,
): Promise<SiteReport> {
  const body = { request_id: id, dry_run: true }
  const answer = await service.client.restoreSite({ site_id: blogId, body })
  const { dry_run, restored, not_restored } = answer
  return { ...describeRestore(answer), data: { dry_run, restored, not_restored } }
}

async function rollBack(
  session: RunSession,
  plan: Plan,
  written: ReadonlySet<number>,
  { json, wait }: RollbackOptions,
): Promise<void> {
  const { service, signal } = session
  const { id, name } = plan
  await service.client.rollBackPlan({ id }).catch(notReady(plan))
  const stopped = `Stopped. A process of the service continues the rollback; so does "wp-frames rollback ${id}".`
  const after = await followPlan(session, id, stopped)
  const { results } = await readWholePlan(service.client, id)
  const failures = wait ? await waitForPages(session, written) : new Map()
  if (signal.aborted) throw new CommandError(stopped, INTERRUPTED)
  const own = results.filter(({ site_id }) => written.has(site_id))
  const left = own.filter(({ state }) => state !== 'rolled_back')
  // Sites that lacked nothing have the state too.
  const unchanged = results.filter((site) => site.state === 'rolled_back' && !site.steps_total)
  const counts = `${pluralize(own.length - left.length, 'site')} rolled back, ${unchanged.length} without changes`
  const total = `${after.title}, run ${id}: ${counts}\n`
  process.stdout.write(
    json
      ? jsonLine(presentRun({ plan: after, results, failures }))
      : formatResults(own, failures, sentenceOf) + sanitizeForTerminal(total),
  )
  if (name === '' && own.length > 0)
    warn(['If the run pushed a folder: pull it again, before you push it the next time.'])
  if (left.length > 0) throw new CommandError(`${pluralize(left.length, 'site')} not rolled back.`)
  assertBuilt(failures)
}
