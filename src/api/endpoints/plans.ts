import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { cutText, MAX_SHOWN_DIFF_LENGTH } from '../../content/diff/diff-limits.ts'
import type { Db } from '../../db/database.ts'
import { isOutage } from '../../db/is-outage.ts'
import { AppError } from '../../host/errors.ts'
import { DescriptionSchema, MAX_CRITERION_VALUES } from '../../network/description/description.ts'
import {
  type ComparedSite,
  compareApplied,
  type Drift,
  findAppliedSites,
} from '../../network/plan/find-drift.ts'
import { REFUSED_PROBLEMS } from '../../network/plan/plan-context.ts'
import { RUN_SITE_STATES, RUN_STATES, type RunState } from '../../network/plan/run-states.ts'
import { findRunTargets } from '../../network/plan/run-targets.ts'
import {
  createRun,
  findRunIds,
  listRunSites,
  listRuns,
  type RunSummary,
  readRunPlans,
  requestRun,
  titleOf,
} from '../../network/plan/runs-table.ts'
import type { Step } from '../../network/plan/site-plan.ts'
import { addStepDiffs } from '../../network/plan/step-diffs.ts'
import { findSites } from '../../wordpress/network/find-sites.ts'
import { type GlobalTables, siteAddress } from '../../wordpress/network/site.ts'
import { field, nullable, optional } from '../described.ts'
import { defineEndpoint, type Endpoint, type ResponseOf } from '../endpoint.ts'
import { flag } from '../fields.ts'
import { knownErrorOf } from '../http-errors.ts'
import { NetworkNamesSchema, readNetworkNames, readUserNames, UserNamesSchema } from '../names.ts'
import {
  DEFAULT_SITES_PER_PAGE,
  DRIFT_SITES_PER_PAGE,
  MAX_SITES_PER_PAGE,
  PLANS_PER_PAGE,
} from '../page-sizes.ts'
import { idPaging, limitField, nextIdField } from '../paging.ts'
import { pick } from '../pick.ts'
import { MAX_LARGE_BODY_BYTES } from '../request-body.ts'
import { authorOf } from '../run/run.ts'
import { RARE } from './menu-fields.ts'

/** Sites that are compared at the same time. */
const SITES_AT_ONCE = 2
/** Things of one site in a response. */
export const MAX_LISTED_DRIFT = 100

const PlanSchema = z
  .object({
    id: z.string().describe('Also the request id of its writes in the history.'),
    name: z.string().describe('Name of the description; empty for a single change.'),
    title: field(z.string(), 'What it does, for readers.', 'Push of frames'),
    state: field(
      z.enum(RUN_STATES),
      '`planning`, `applying`, `trying`, `rolling_back`: work goes on in the background.',
    ),
    message: nullable(z.string(), 'Why it failed as a whole.'),
    created_at: field(z.string(), 'GMT.', '2026-03-01 09:30:00.000'),
    user_id: nullable(z.int(), 'Who planned, applied or rolled it back last.'),

    label: nullable(z.string(), 'Label of the token; `cli deploy@web1` for a command.'),
    steps: z.int().describe('Steps on all sites.'),
    sites: field(z.record(z.string(), z.int()), 'Sites by state.', { planned: 998, blocked: 2 }),
  })
  .meta({ id: 'Plan', description: 'What sites lack of a description, and what became of it.' })

const StepSchema = z
  .object({
    kind: z.enum(['frame', 'menu', 'location', 'assignment', 'dataset']),
    name: z.string().describe('Slug, location, path of a page, or name of a data set.'),
    action: z.string().meta({ examples: ['replaced'] }),
    from: optional(z.string(), 'The slug, menu or frame before.'),
    to: optional(z.string(), 'The menu or frame that a location or page gets.'),
  })
  .meta({ id: 'PlanStep', description: 'One change of one thing.' })

const ProblemSchema = z.object({
  kind: z.string(),
  name: z.string(),
  reason: z.string().meta({ examples: ['page_not_found'] }),
  at: optional(z.string(), 'Position of the item of a menu that has it, such as `0.1`.'),
  message: z.string(),
})

const SiteSchema = z
  .object({
    site_id: z.int(),
    address: nullable(z.string(), 'Null for a site that was deleted.', 'net.test/shop'),
    digest: nullable(z.string(), 'Equal for sites with the same steps.'),
    state: z.enum(RUN_SITE_STATES),
    steps_total: z.int(),
    pages: z.int().describe('Pages that would be published. Some may stay as they are.'),
    page_ids: z.array(z.int()).describe('The first of them.'),
    message: nullable(
      z.string(),
      'Why the site was blocked, refused, skipped or failed, or what may be a mistake in its frames; one line for each.',
    ),
    problems: z.array(ProblemSchema).describe('Why the site gets nothing, when it was planned.'),
    warnings: z.array(ProblemSchema).describe('What may be a mistake.'),
    applied_at: z.string().nullable(),
    steps: z.array(
      StepSchema.extend({
        diff: optional(
          z.string(),
          'With `details`: what it changes, unless the site would not get it any more.',
        ),
      }),
    ),
  })
  .meta({ id: 'PlannedSite', description: 'The plan of one site.' })

/** Characters of an id that name a plan, and of a whole one. */
const SHORTEST_PLAN_ID = 4
const PLAN_ID_LENGTH = 36

const planId = z.object({ id: z.string().max(36).describe('Id of the plan.') })

const createPlanEndpoint = defineEndpoint({
  on: 'network',
  name: 'createPlan',
  method: 'post',
  path: '/plans',
  mcpRunsDirectly: 'plans',
  summary: 'Plan what sites lack of a description',
  description:
    'The sites are compared in the background; nothing is written to them. Read the plan until its state is `planned`. Warnings name selections without sites, and what no site gets.',
  body: DescriptionSchema.extend({
    only: optional(
      z.array(z.int().positive()).min(1).max(MAX_CRITERION_VALUES),
      'Ids of the selected sites to which the plan is limited [all].',
    ).meta(RARE),
    refuses: field(
      z.enum(REFUSED_PROBLEMS).default('errors'),
      'Which problems of frames block a site: unknown inserts, missing frames and the like are errors. The others are reported.',
    ),
  }),
  maxBodyBytes: MAX_LARGE_BODY_BYTES,
  example: {
    version: 1,
    name: 'shops',
    sites: [{ match: { id: [2, 5] }, bundles: ['shop'] }],
    bundles: { shop: { frames: [{ slug: 'header', html: '<h1>Shop</h1>' }] } },
  },
  response: z.object({ plan: PlanSchema }),
  errors: ['bad_description'],
  async prepare({ db, globals, body: { refuses: _, only, ...description } }) {
    const { sites, warnings } = await findRunTargets(db, globals, description)
    const selected = new Set(sites.map(({ site }) => site.blogId))
    const missing = only?.find((id) => !selected.has(id))
    if (missing !== undefined) {
      const message = `The description does not select site ${missing}.`
      throw new AppError('bad_description', message, { problems: [{ at: 'only', message }] })
    }
    return { siteIds: only ? new Set(only) : selected, warnings }
  },
  async write(
    tx,
    { globals, caller, body: { refuses, only: _, ...description } },
    { siteIds, warnings },
  ) {
    const id = randomUUID()
    const run = { id, author: authorOf(caller, id), description, refuses }
    const rows = [...siteIds].map((blogId) => ({ blogId, state: 'waiting' as const }))
    await createRun(tx, globals, { ...run, state: 'planning' }, rows)
    return { body: { plan: presentPlan(await getPlan(tx, globals, id)), warnings: [...warnings] } }
  },
})

const listPlansEndpoint = defineEndpoint({
  on: 'network',
  name: 'listPlans',
  method: 'get',
  path: '/plans',
  summary: 'List the latest plans, newest first, also those that commands have applied',
  query: z.object({ limit: limitField('Plans', PLANS_PER_PAGE) }),
  response: z.object({ plans: z.array(PlanSchema), names: UserNamesSchema }),
  async read({ db, globals, query: { limit = PLANS_PER_PAGE.byDefault } }) {
    const runs = await listRuns(db, globals, { limit })
    const users = runs.map(({ user_id }) => user_id)
    return { plans: runs.map(presentPlan), names: await readUserNames(db, globals, users) }
  },
})

const getPlanEndpoint = defineEndpoint({
  on: 'network',
  name: 'getPlan',
  method: 'get',
  path: '/plans/:id',
  summary: 'Read a plan with its sites and their steps',
  params: z.object({
    id: z
      .string()
      .max(36)
      .describe(`Id of the plan, or the first ${SHORTEST_PLAN_ID} characters of it or more.`),
  }),
  query: z.object({
    state: optional(z.enum(RUN_SITE_STATES), 'Only sites in this state.'),
    details: flag(
      false,
      `Adds the diffs of the steps and titles of pages, for which each site of the page is compared now; a page has at most ${DRIFT_SITES_PER_PAGE.max} sites then.`,
    ),
    ...idPaging('Sites', { max: MAX_SITES_PER_PAGE, byDefault: DEFAULT_SITES_PER_PAGE }),
  }),
  response: z.object({
    plan: PlanSchema,
    results: z.array(SiteSchema).describe('In the order of the ids of sites.'),
    next: nextIdField,
    names: NetworkNamesSchema,
  }),
  errors: ['plan_not_found'],
  async read({ db, globals, params, query }) {
    const plan = await getPlan(db, globals, await wholeId(db, globals, params.id))
    const { state, details, after = 0 } = query
    const asked = query.limit ?? DEFAULT_SITES_PER_PAGE
    const limit = details ? Math.min(asked, DRIFT_SITES_PER_PAGE.max) : asked
    const rows = await listRunSites(db, globals, plan.id, {
      after,
      limit: limit + 1,
      ...(state === undefined ? {} : { states: [state] }),
    })
    const page = rows.slice(0, limit)
    const ids = page.map(({ blog_id }) => blog_id)
    const stored = await readRunPlans(db, globals, plan.id, ids)
    const planned = new Map([...stored].map(([id, { steps }]) => [id, steps]))
    const onFailure = async (error: unknown): Promise<void> => {
      if (await isOutage(db, error)) throw error
    }
    const shown = details
      ? await addStepDiffs(db, globals, plan.id, planned, {
          sitesAtOnce: SITES_AT_ONCE,
          onFailure,
        })
      : planned
    const sites = await findSites(db, globals, ids)
    const addresses = new Map(sites.map((site) => [site.blogId, siteAddress(site)]))
    const pages = details
      ? [...stored].flatMap(([siteId, { pages }]) => pages.map((id) => ({ siteId, id })))
      : []
    return {
      plan: presentPlan(plan),
      results: page.map(({ blog_id, step_count, page_count, ...row }) => {
        const { problems = [], warnings = [], pages = [] } = stored.get(blog_id) ?? {}
        return {
          site_id: blog_id,
          address: addresses.get(blog_id) ?? null,
          ...row,
          steps_total: step_count,
          pages: page_count,
          page_ids: pages,
          problems: problems.map((one) => pick(ProblemSchema, one)),
          warnings: warnings.map((one) => pick(ProblemSchema, one)),
          steps: (shown.get(blog_id) ?? []).map(presentStep),
        }
      }),
      next: rows.length > limit ? (ids.at(-1) ?? null) : null,
      names: await readNetworkNames(db, globals, { users: [plan.user_id], pages }),
    }
  },
})

const presentPlan = (run: RunSummary) => pick(PlanSchema, { ...run, title: titleOf(run) })

const presentStep = (step: Step) => ({
  ...pick(StepSchema, step),
  ...(step.diff === undefined ? {} : { diff: cutText(step.diff, MAX_SHOWN_DIFF_LENGTH, '\n…') }),
})

const applyPlanEndpoint = defineEndpoint({
  on: 'network',
  name: 'applyPlan',
  method: 'post',
  path: '/plans/:id/apply',
  mcpRunsDirectly: 'writes',
  summary: 'Apply a plan',
  description:
    'The sites are changed in the background, each in one transaction. A site that has changed since it was planned is refused. A plan is applied once: repeating the request starts nothing. With `canary`, the first sites are changed, and the plan is `planned` again until it is applied to the others.',
  params: planId,
  body: z.object({
    max_failures: optional(
      z.int().min(0),
      'When more sites than this have failed, the others are skipped [no limit].',
    ),
    canary: optional(
      z.int().min(1),
      'Apply it only to so many sites that lack something, the first by id [all sites].',
    ),
    bake: optional(
      z.boolean(),
      'False: nothing is built until it is asked for, or written again [true].',
    ).meta(RARE),
  }),
  example: { max_failures: 10, canary: 3 },
  response: z.object({ plan: PlanSchema }),
  errors: ['plan_not_found', 'plan_not_ready'],
  async write(tx, { globals, caller, params: { id }, body }) {
    const { max_failures: maxFailures, canary, bake } = body
    const state = canary === undefined ? 'applying' : 'trying'
    const author = authorOf(caller, id)
    const wanted = { id, state, maxFailures, canary, bake, author } as const
    const { planned = 0, waiting = 0 } = (await getPlan(tx, globals, id)).sites
    const before: RunState[] = [
      'planned',
      ...(planned > 0 && waiting === 0 ? (['failed'] as const) : []),
    ]
    const reached: RunState[] = ['applying', 'trying', 'done']
    return { body: { plan: await requestState(tx, globals, wanted, before, reached) } }
  },
})

const rollBackPlanEndpoint = defineEndpoint({
  on: 'network',
  name: 'rollBackPlan',
  method: 'post',
  path: '/plans/:id/rollback',
  mcpRunsDirectly: 'writes',
  summary: 'Take an applied plan back',
  description:
    'What it has written is restored to the state before, in the background and as `POST /site/<id>/restore` does. Sites get the state `rolled_back`.',
  params: planId,
  response: z.object({ plan: PlanSchema }),
  errors: ['plan_not_found', 'plan_not_ready'],
  async write(tx, { globals, caller, params: { id } }) {
    const author = authorOf(caller, id)
    const wanted = { id, state: 'rolling_back', author } as const
    const { applied = 0 } = (await getPlan(tx, globals, id)).sites
    const before: RunState[] = [
      'done',
      'started',
      'failed',
      ...(applied > 0 ? (['planned'] as const) : []),
    ]
    return { body: { plan: await requestState(tx, globals, wanted, before, ['rolling_back']) } }
  },
})

/**
 * Asks a process to bring a plan from one state to another.
 * @param reached states in which the request is already fulfilled
 * @throws AppError `plan_not_found`, `plan_not_ready`
 */
async function requestState(
  tx: Parameters<typeof requestRun>[0],
  globals: GlobalTables,
  wanted: Parameters<typeof requestRun>[2],
  before: readonly RunState[],
  reached: readonly RunState[],
) {
  const isRequested = await requestRun(tx, globals, wanted, before)
  const plan = await getPlan(tx, globals, wanted.id)
  if (isRequested || reached.includes(plan.state)) return presentPlan(plan)
  const advice = plan.state === 'failed' ? 'Create another plan.' : 'Read the plan again later.'
  throw new AppError(
    'plan_not_ready',
    `The plan has the state "${plan.state}"; this needs ${before.join(' or ')}. ${advice}`,
  )
}

/** @throws AppError `plan_not_found` if several plans begin so */
async function wholeId(db: Db, globals: GlobalTables, beginning: string): Promise<string> {
  if (beginning.length < SHORTEST_PLAN_ID || beginning.length >= PLAN_ID_LENGTH) return beginning
  const [id = beginning, other] = await findRunIds(db, { globals, prefix: beginning })
  if (other === undefined) return id
  throw new AppError(
    'plan_not_found',
    `Several plans begin with ${beginning}, such as ${id} and ${other}.`,
  )
}

/** @throws AppError `plan_not_found` */
async function getPlan(db: Db, globals: GlobalTables, id: string): Promise<RunSummary> {
  const [plan] = await listRuns(db, globals, { id, limit: 1 })
  if (plan) return plan
  throw new AppError('plan_not_found', 'There is no plan with this id. Create one first.')
}

const WriterSchema = z.object({
  user_id: z.int().nullable(),
  token_id: z.int().nullable(),
  label: z.string().nullable(),
  request_id: z.string().nullable(),
  at: z.string().describe('GMT.'),
  entry: z.int().describe('Id of the entry in the history.'),
})

const DriftSchema = StepSchema.extend({
  diff: optional(z.string(), 'What a repair would change.'),
  by: WriterSchema.nullable().describe('Who wrote it last; null for another program.'),
}).meta({ id: 'Drift', description: 'The step that would restore a thing, and who changed it.' })

const DriftedSiteSchema = z
  .object({
    site_id: z.int(),
    address: z.string().meta({ examples: ['net.test/shop'] }),
    description: z.string().describe('Name of the description.'),
    plan: z.string().describe('Id of the plan that was applied last.'),
    applied_at: z.string().describe('GMT.'),
    problems: z
      .array(ProblemSchema)
      .max(MAX_LISTED_DRIFT)
      .describe('Why the site cannot get what the description says.'),
    drift: z
      .array(DriftSchema)
      .max(MAX_LISTED_DRIFT)
      .describe(`Empty without drift; at most ${MAX_LISTED_DRIFT}.`),
    drift_total: z.int(),
  })
  .meta({ id: 'DriftedSite' })

const listDriftEndpoint = defineEndpoint({
  on: 'network',
  name: 'listDrift',
  method: 'get',
  path: '/drift',
  summary: 'Compare sites with the description that was last applied to them',
  description:
    'Each site of the page is compared now. A site to which several descriptions were applied has a result for each.',
  query: z.object({
    name: optional(z.string().max(200), 'Only of this description.'),
    ...idPaging('Sites', DRIFT_SITES_PER_PAGE),
  }),
  response: z.object({
    total: z.int().describe('Sites to which a description was applied, on all pages.'),
    results: z.array(DriftedSiteSchema).describe('In the order of the ids of sites.'),
    failures: z
      .array(z.object({ description: z.string(), message: z.string() }))
      .describe('Descriptions and sites that could not be compared.'),
    next: nextIdField,
    names: UserNamesSchema,
  }),
  async read({ db, globals, query }) {
    const { name, after = 0, limit = DRIFT_SITES_PER_PAGE.byDefault } = query
    const failures: { description: string; message: string }[] = []
    const onFailure = async (description: string, error: unknown): Promise<void> => {
      if (await isOutage(db, error)) throw error
      failures.push({ description, message: knownErrorOf(error)?.message ?? UNREADABLE })
    }
    const applied = await findAppliedSites(db, globals, name, onFailure)
    const ids = [...new Set(applied.map(({ site }) => site.blogId))].sort((a, b) => a - b)
    const rest = ids.filter((id) => id > after)
    const shown = new Set(rest.slice(0, limit))
    const wanted = applied.filter(({ site }) => shown.has(site.blogId))
    const compared = await compareApplied(db, wanted, SITES_AT_ONCE, onFailure)
    const results = compared.map(presentSiteDrift)
    const writers = results.flatMap(({ drift }) => drift.map(({ by }) => by?.user_id ?? null))
    return {
      total: ids.length,
      results,
      failures,
      next: rest.length > limit ? ([...shown].at(-1) ?? null) : null,
      names: await readUserNames(db, globals, writers),
    }
  },
})

const UNREADABLE =
  'The tables of the site cannot be read. "wp-frames doctor" with its id says what to repair.'

function presentSiteDrift({
  site,
  name,
  runId,
  appliedAt,
  drift,
  problems,
}: ComparedSite): ResponseOf<typeof DriftedSiteSchema> {
  return {
    site_id: site.blogId,
    address: siteAddress(site),
    description: name,
    plan: runId,
    applied_at: appliedAt,
    problems: problems.slice(0, MAX_LISTED_DRIFT).map((problem) => pick(ProblemSchema, problem)),
    drift: drift.slice(0, MAX_LISTED_DRIFT).map(presentDrift),
    drift_total: drift.length,
  }
}

const presentDrift = ({ step, writer }: Drift) => ({
  ...presentStep(step),
  by: writer ? pick(WriterSchema, { ...writer, at: writer.created_at, entry: writer.id }) : null,
})

export const endpoints: readonly Endpoint[] = [
  listDriftEndpoint,
  createPlanEndpoint,
  listPlansEndpoint,
  getPlanEndpoint,
  applyPlanEndpoint,
  rollBackPlanEndpoint,
]
