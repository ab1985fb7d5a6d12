import type { Command } from 'commander'
import { isAtWork, type Plan } from '#client'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { siteOption } from '../sites/site-options.ts'
import { type ApplyOptions, addApplyOptions, applyPlan, confirmPlan } from './apply-plan.ts'
import { printPlan } from './plan-command.ts'
import { type PlanFolderOptions, planFolder } from './plan-folder.ts'
import { detailsOption, sentenceOf } from './plan-groups.ts'
import { allowProblemsOption, strictOption } from './problem-options.ts'
import {
  atRuns,
  continueRun,
  describeStates,
  findPlan,
  type RunSession,
  readWholePlan,
} from './run-client.ts'
import { kindOfPath, readSavedPlan } from './saved-plan.ts'

type ApplyCommandOptions = ApplyOptions &
  PlanFolderOptions & { readonly dryRun?: true; readonly details?: boolean }

/** `apply <folder|file|run>`: brings sites to what a description says. */
export function applyCommand(context: CliContext): Command {
  const command = new CliCommand('apply')
    .argument(
      '<folder|plan>',
      'the folder with network.yaml; a plan: the file that plan --out has written, or its id',
    )
    .option('--dry-run', 'show the plan, and write nothing')
    .addOption(detailsOption())
    .addOption(siteOption())
    .addOption(allowProblemsOption())
    .addOption(strictOption())
    .examples(
      'wp-frames apply network --dry-run',
      'wp-frames apply network --canary 3 --max-failures 5',
      'wp-frames apply plan.json --yes --user alice',
      'wp-frames apply 5b0c',
    )
  const apply = async (session: RunSession, target: string, options: ApplyCommandOptions) => {
    const { plan, describe, isContinued } = await findTarget(session, target, options)
    const { results } = await readWholePlan(session.service.client, plan.id)
    if (options.dryRun) {
      await printPlan(session, { plan, results, describe }, options)
      return
    }
    // Of a run that has just come to its end, the results are printed.
    if (!isContinued && assertApplicable(plan) === 'over') return
    if (!options.yes && results.some(({ state, steps }) => state === 'planned' && steps.length))
      await confirmPlan(session, plan, results, describe)
    await applyPlan({ plan, results }, { session, options, describe })
  }
  return atRuns(context, addApplyOptions(command), apply)
}

/** The plan that a folder, a file or an id means. A plan that is applied now is followed to its end. */
async function findTarget(session: RunSession, target: string, options: ApplyCommandOptions) {
  const kind = await kindOfPath(target)
  if (kind === 'folder')
    return { ...(await planFolder(session, target, options)), isContinued: false }
  const { site, allowProblems, strict } = options
  if (site ?? allowProblems ?? strict)
    throw new CommandError(
      'A plan has its sites and what it refuses. Use --site, --allow-problems and --strict when you plan.',
    )
  if (kind === undefined && !/^[0-9a-f-]+$/.test(target))
    throw new CommandError(`There is no folder or file ${target}, and no run has such an id.`)
  const { service } = session
  const found =
    kind === 'file'
      ? await readSavedPlan(service.client, target)
      : await findPlan(service.client, target)
  const isContinued = isAtWork(found)
  const plan = isContinued ? await continueRun(session, found) : found
  return { plan, describe: sentenceOf, isContinued }
}

/**
 * Says that a plan was applied to all of its sites before.
 * @throws CommandError if it cannot be applied
 */
function assertApplicable({ id, state, sites }: Plan): 'open' | 'over' {
  const { planned = 0, applied = 0, ...others } = sites
  if (state === 'planned' || (state === 'failed' && planned > 0)) return 'open'
  const isWhole = Object.values(others).every((count) => count === 0)
  if (state !== 'done' || !isWhole)
    throw new CommandError(
      `The run ${id} has the state "${state}" (${describeStates(sites)}) and is not applied again. Plan again.`,
    )
  process.stderr.write(
    `This plan was applied already (run ${id}) to ${applied} sites. Nothing is left to do.\n`,
  )
  return 'over'
}
