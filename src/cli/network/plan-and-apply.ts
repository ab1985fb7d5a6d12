import { isServiceError } from '#client'
import { CommandError } from '../cli-context.ts'
import type { AddressedSite } from '../sites/site-options.ts'
import { sanitizeForTerminal } from '../terminal.ts'
import { type ApplyOptions, applyPlan, confirmPlan } from './apply-plan.ts'
import { printPlan } from './plan-command.ts'
import { type DescribeProblem, PlanGroups, sentenceOf } from './plan-groups.ts'
import { type RefusalOptions, refusalOf } from './problem-options.ts'
import {
  makePlan,
  type PlanBody,
  type PlannedSite,
  type RunSession,
  readWholePlan,
} from './run-client.ts'

export type PlanAndApplyOptions = ApplyOptions &
  RefusalOptions & {
    /** Shows the plan only. */
    readonly dryRun?: true
  }

type SingleChange = {
  /** Without `refuses`. */
  readonly description: PlanBody
  /** What to do about problems, by their reason; `other` for reasons that are not named. */
  readonly advice: Readonly<Record<string, string>>
  readonly describe?: DescribeProblem
  /** Receives the sites that have what the description says. */
  readonly onReached?: (siteIds: ReadonlySet<number>) => Promise<void>
}

/**
 * Brings sites to what files say, in a run that applies exactly what is planned now. Without anything to do, nothing is applied.
 * @throws CommandError if a site is not applied (exit code 1) or the run was interrupted (130)
 */
export async function planAndApply(
  session: RunSession,
  { description, advice, describe = sentenceOf, onReached = async () => {} }: SingleChange,
  options: PlanAndApplyOptions,
): Promise<void> {
  const { dryRun = false, json, yes } = options
  const body = { ...description, refuses: refusalOf(options) }
  const plan = await makePlan(session, body).catch(namingThings(description))
  const { results } = await readWholePlan(session.service.client, plan.id)
  const reach = (sites: readonly PlannedSite[]): Promise<void> =>
    onReached(new Set(sites.map(({ site_id }) => site_id)))
  if (!dryRun)
    await reach(results.filter(({ state, steps_total }) => state === 'planned' && !steps_total))
  const { changed } = new PlanGroups(results).totals()
  if (dryRun || changed === 0) {
    const printed = { ...(json ? { json } : {}), details: true }
    await printPlan(session, { plan, results, describe }, printed, adviceFor(results, advice))
    return
  }
  // One site without removals is what the files say; more should be looked at.
  const isSurveyed = results.length === 1 && !results.some(({ steps }) => steps.some(isRemoval))
  if (!yes && !isSurveyed) await confirmPlan(session, plan, results, describe)
  await applyPlan({ plan, results }, { session, options, describe, onApplied: reach })
}

/**
 * For `catch` after a plan: says the problems of the description with the frames and menus that have them.
 * @throws CommandError; other errors as they are
 */
const namingThings =
  ({ bundles = {} }: PlanBody) =>
  (error: unknown): never => {
    if (!isServiceError(error, 'bad_description')) throw error
    const { problems = [] } = error.fields
    const lines = problems.map(({ at, message }) => {
      const [, bundle = '', list, index] = /^bundles\.([^.]+)\.(frames|menus)\.(\d+)/.exec(at) ?? []
      const { frames, menus } = bundles[bundle] ?? {}
      const thing = (list === 'menus' ? menus : frames)?.[Number(index)]
      return `${list && thing ? `${list.slice(0, -1)} ${thing.slug}` : at}: ${message}`
    })
    throw new CommandError(`${sanitizeForTerminal(lines.join('\n'))}\nNothing was written.`)
  }

const isRemoval = ({ action }: PlannedSite['steps'][number]): boolean =>
  action === 'deleted' || action === 'cleared'

function adviceFor(
  results: readonly PlannedSite[],
  advice: Readonly<Record<string, string>>,
): string {
  const reasons = results.flatMap(({ problems }) => problems.map(({ reason }) => reason))
  const lines = new Set(reasons.flatMap((reason) => advice[reason] ?? advice.other ?? []))
  return ['Nothing was written.', ...lines].join(' ')
}

type ChangeBundle = NonNullable<PlanBody['bundles']>[string]

/** The most sites that a selection names. */
const MAX_NAMED_SITES = 1000

/** A description of what each site gets; equal bundles are sent once. */
export function describeSites(
  name: string,
  title: string,
  wanted: readonly { readonly site: AddressedSite; readonly bundle: ChangeBundle }[],
): PlanBody {
  const bundles: Record<string, ChangeBundle> = {}
  const ids = new Map<string, { readonly name: string; readonly id: number[] }>()
  const selections: { readonly name: string; readonly id: number[] }[] = []
  for (const { site, bundle } of wanted) {
    const key = JSON.stringify(bundle)
    const known = ids.get(key)
    const bundleName = known?.name ?? `b${Object.keys(bundles).length + 1}`
    bundles[bundleName] = bundle
    const open = known && known.id.length < MAX_NAMED_SITES ? known : { name: bundleName, id: [] }
    if (open !== known) selections.push(open)
    ids.set(key, open)
    open.id.push(site.blogId)
  }
  const sites = selections.map(({ name, id }) => ({ match: { id }, bundles: [name] }))
  return { version: 1, name, title, sites, bundles }
}
