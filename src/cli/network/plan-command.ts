import type { Command } from 'commander'
import type { Plan } from '#client'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, CommandError, HAS_CHANGES } from '../cli-context.ts'
import { siteOption } from '../sites/site-options.ts'
import { coloured, jsonLine, pluralize } from '../terminal.ts'
import { type PlanFolderOptions, planFolder } from './plan-folder.ts'
import {
  type DescribeProblem,
  detailsOption,
  formatPlans,
  PlanGroups,
  presentPlans,
} from './plan-groups.ts'
import { allowProblemsOption, PROBLEMS_ADVICE, strictOption } from './problem-options.ts'
import {
  atRuns,
  type PlannedSite,
  type RunSession,
  readWholePlan,
  withDiffs,
} from './run-client.ts'
import { savePlan } from './saved-plan.ts'

type PlanOptions = PlanFolderOptions & {
  readonly json?: true
  readonly details?: boolean
  readonly out?: string
  readonly exitCode?: true
}

/** `plan <folder>`: shows what the sites of a description lack. Writes nothing to them. */
export function planCommand(context: CliContext): Command {
  const command = new CliCommand('plan')
    .argument('<folder>', 'the folder with network.yaml')
    .addOption(detailsOption())
    .option('--out <file>', 'write the id of the plan to a file, for apply')
    .option('--exit-code', `exit with ${HAS_CHANGES} if something would change`)
    .addOption(siteOption())
    .addOption(allowProblemsOption())
    .addOption(strictOption())
    .option('--json', 'print {plan, sites, unchanged, changed, blocked, steps, pages, plans}')
    .examples(
      'wp-frames plan network',
      'wp-frames plan network --details --site 2',
      'wp-frames plan network --out plan.json --exit-code',
    )
  return atRuns(context, command, async (running, folder: string, options: PlanOptions) => {
    // It builds nothing.
    const session = { ...running, wait: false }
    const { plan, describe } = await planFolder(session, folder, options)
    if (options.out !== undefined) await savePlan(session.service, options.out, plan)
    const { results } = await readWholePlan(session.service.client, plan.id)
    const { changed } = await printPlan(session, { plan, results, describe }, options)
    if (options.exitCode && changed > 0)
      throw new CommandError('The plan has changes.', HAS_CHANGES)
  })
}

type PrintedPlan = {
  readonly plan: Plan
  readonly results: readonly PlannedSite[]
  readonly describe: DescribeProblem
}

/**
 * Prints a plan.
 * @param advice what to do about problems
 * @throws CommandError if sites are blocked
 */
export async function printPlan(
  { service }: RunSession,
  { plan: { id }, results, describe }: PrintedPlan,
  { json, details = false }: Pick<PlanOptions, 'json' | 'details'>,
  advice = PROBLEMS_ADVICE,
): Promise<ReturnType<PlanGroups['totals']>> {
  const shown = json || details ? await withDiffs(service.client, id, results) : results
  const groups = new PlanGroups(shown)
  process.stdout.write(
    json ? jsonLine(presentPlans(id, groups)) : coloured(formatPlans(groups, describe)),
  )
  const totals = groups.totals()
  if (totals.blocked > 0)
    throw new CommandError(
      `${pluralize(totals.blocked, 'site is', 'sites are')} blocked by problems. ${advice}`,
    )
  return totals
}
