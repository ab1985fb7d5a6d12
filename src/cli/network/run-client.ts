import type { Command } from 'commander'
import { type Client, type Input, isServiceError, type Output, type Plan } from '#client'
import { MAX_SITES_PER_PAGE } from '../../api/page-sizes.ts'
import { type CliContext, CommandError, INTERRUPTED } from '../cli-context.ts'
import { withInterruptSignal } from '../signals.ts'
import { TerminalBar } from '../sites/progress-bar.ts'
import { warn } from '../terminal.ts'
import {
  addEnvironmentOption,
  type EnvironmentOptions,
  type Service,
  withService,
} from '../with-service.ts'

type PlanAnswer = Output<'getPlan'>
/** A site of a run. */
export type PlannedSite = PlanAnswer['results'][number]

/** A run with its sites. */
export type PlanWithSites = Pick<PlanAnswer, 'plan' | 'results'>

/** What `POST /network/plans` takes. */
export type PlanBody = Input<'createPlan'>['body']

/** How a command works with a run. */
export type RunSession = {
  readonly service: Service
  /** Ends waits. */
  readonly signal: AbortSignal
  /** False: the pages are built by the service, and nobody waits for them. */
  readonly wait: boolean
}

type SessionOptions = EnvironmentOptions & { readonly wait?: boolean; readonly user?: string }

/** Adds `--env` to a command with runs, and runs it at the service that this chooses. @param work see `atService` */
export const atRuns = <Given extends readonly unknown[]>(
  context: CliContext,
  command: Command,
  work: (session: RunSession, ...given: Given) => Promise<void>,
): Command =>
  addEnvironmentOption(command).action((...given) => {
    const { env, user, wait = true } = command.opts<SessionOptions>()
    const run = (service: Service): Promise<void> =>
      withInterruptSignal((signal) =>
        work({ service, signal, wait }, ...(given as unknown as Given)),
      )
    return withService(context, env === undefined ? {} : { env }, run, { author: user })
  })

/** Characters of an id that name a run. */
const SHORTEST_ID = 4

/**
 * Finds a run by its id, or the beginning of it.
 * @throws CommandError if there is none, or several
 */
export async function findPlan(client: Client, id: string): Promise<Plan> {
  if (id.length < SHORTEST_ID)
    throw new CommandError(
      `There is no run ${id}. "wp-frames runs" lists the runs; ${SHORTEST_ID} characters of an id name one.`,
    )
  return (await readPage(client, { id, limit: 1 })).plan
}

async function readPage(client: Client, input: Input<'getPlan'>): Promise<PlanAnswer> {
  try {
    return await client.getPlan(input)
  } catch (error) {
    if (!isServiceError(error, 'plan_not_found')) throw error
    throw new CommandError(
      /^Several/.test(error.message)
        ? error.message
        : `There is no run ${input.id}. "wp-frames runs" lists the runs.`,
    )
  }
}

/** A run with all of its sites. Those with equal steps have the same list: the steps of a thousand sites would take much memory. */
export async function readWholePlan(client: Client, id: string): Promise<PlanAnswer> {
  const shared = new Map<string, PlannedSite['steps']>()
  const results: PlannedSite[] = []
  for (let after = 0; ; ) {
    const page = await readPage(client, { id, after, limit: MAX_SITES_PER_PAGE })
    for (const site of page.results) {
      const steps = shared.get(keyOf(site)) ?? site.steps
      shared.set(keyOf(site), steps)
      results.push({ ...site, steps })
    }
    if (page.next === null) return { ...page, results }
    after = page.next
  }
}

/** Sites with the same key have the same steps. */
const keyOf = ({ digest, site_id }: PlannedSite): string => digest ?? String(site_id)

/** The sites with the diffs of their steps: those of the first site of equal ones. */
export async function withDiffs(
  client: Client,
  id: string,
  results: readonly PlannedSite[],
): Promise<PlannedSite[]> {
  const seen = new Map<string, PlannedSite['steps']>()
  const shown: PlannedSite[] = []
  for (const site of results) {
    const { steps, site_id } = site
    const key = keyOf(site)
    if (steps.length > 0 && !seen.has(key)) {
      const page = await readPage(client, { id, details: true, after: site_id - 1, limit: 1 })
      seen.set(key, page.results[0]?.steps ?? steps)
    }
    shown.push({ ...site, steps: seen.get(key) ?? steps })
  }
  return shown
}

/**
 * Sends a description, after the runs of it that are not finished, and waits until its sites are planned.
 * @throws ServiceError `bad_description`; CommandError if the plan fails as a whole, or on Ctrl-C
 */
export async function makePlan(session: RunSession, body: PlanBody): Promise<Plan> {
  const { client } = session.service
  await continueRuns(session, body.name)
  const { plan, warnings } = await client.createPlan({ body })
  warn(warnings)
  const planned = await followPlan(session, plan.id, 'Stopped. Nothing was changed.')
  if (planned.state === 'failed')
    throw new CommandError(planned.message ?? 'The plan failed as a whole.')
  return planned
}

/** Runs of processes that were killed, among the latest ones. Sites of the same description would differ from a plan that is made now. */
async function continueRuns(session: RunSession, name: string): Promise<void> {
  const { plans } = await session.service.client.listPlans()
  for (const plan of plans.filter(({ state }) => state === 'applying' || state === 'trying'))
    if (plan.name === name) await continueRun(session, plan)
    else if (session.service.database) warn([`Working also on the run ${plan.id}: ${plan.title}.`])
}

/** Waits for a run that another process has begun, and says so. */
export function continueRun(session: RunSession, { id }: Plan): Promise<Plan> {
  warn([`Continuing the run ${id}.`])
  return followPlan(session, id, `Stopped. "wp-frames apply ${id}" continues the run.`)
}

/**
 * Waits until no process has anything left to do for a run. On the database, this process works on it, and on any other run that waits for a worker.
 * @param stopped the error on Ctrl-C
 */
export async function followPlan(
  { service, signal, wait }: RunSession,
  id: string,
  stopped: string,
): Promise<Plan> {
  const worker = service.database?.workOnRuns({ builds: wait })
  const bar = new TerminalBar()
  const { client, timings } = service
  try {
    return await client.waitForPlan(id, {
      signal,
      intervalSeconds: timings.cli.runPollMs / 1000,
      onProgress: (plan) => showProgress(bar, plan),
    })
  } catch (error) {
    if (signal.aborted) throw new CommandError(stopped, INTERRUPTED)
    throw error
  } finally {
    bar.stop()
    await worker?.stop()
  }
}

function showProgress(bar: TerminalBar, { state, sites, title }: Plan): void {
  const total = Object.values(sites).reduce((sum, count) => sum + count, 0)
  const open = state === 'planning' ? sites.waiting : sites.planned
  if (total > 1) bar.start(total, total - (open ?? 0), title)
}

/** For `catch` after a request: says that a run is not in the state for it. @throws CommandError; other errors as they are */
export const notReady =
  ({ id, state }: Plan) =>
  (error: unknown): never => {
    if (!isServiceError(error, 'plan_not_ready')) throw error
    throw new CommandError(
      `The run ${id} has the state "${state}", so this cannot be done with it now. "wp-frames runs ${id.slice(0, 8)}" shows it.`,
    )
  }

/** `998 planned, 2 rolled back`. */
export const describeStates = (sites: Plan['sites']): string =>
  Object.entries(sites)
    .map(([state, count]) => `${count} ${state.replace('_', ' ')}`)
    .join(', ')
