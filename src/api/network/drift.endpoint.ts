import { z } from 'zod'
import { isOutage } from '../../db/is-outage.ts'
import {
  type ComparedSite,
  compareApplied,
  type Drift,
  findAppliedSites,
} from '../../plan/find-drift.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import type { ResponseOf } from '../endpoint.ts'
import { defineEndpoint } from '../endpoint.ts'
import { knownErrorOf } from '../http-errors.ts'
import { readUserNames, UserNamesSchema } from '../names.ts'
import { idPaging, nextIdField } from '../paging.ts'
import { pick } from '../pick.ts'
import { StepSchema } from './plan.endpoints.ts'

/** Sites on a page: each is compared with its description while the client waits. */
export const DRIFT_SITES_PER_PAGE = { max: 20, byDefault: 10 }
/** Sites that are compared at the same time. */
const SITES_AT_ONCE = 2
/** Things of one site in a response. */
export const MAX_LISTED_DRIFT = 100
/** Characters of one diff in a response. */
export const MAX_DIFF_LENGTH = 10_000

const WriterSchema = z.object({
  user_id: z.int().nullable(),
  token_id: z.int().nullable(),
  label: z.string().nullable(),
  request_id: z.string().nullable(),
  at: z.string().describe('GMT.'),
  entry: z.int().describe('Id of the entry in the history.'),
})

const ProblemSchema = z.object({ kind: z.string(), name: z.string(), message: z.string() })

const DriftSchema = StepSchema.extend({
  diff: z.string().optional().describe('What a repair would change.'),
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

export const listDriftEndpoint = defineEndpoint({
  on: 'network',
  name: 'listDrift',
  method: 'get',
  path: '/drift',
  scope: 'read',
  summary: 'Compare sites with the description that was last applied to them',
  description:
    'Each site of the page is compared now. A site to which several descriptions were applied has a result for each.',
  query: z.object({
    name: z.string().max(200).optional().describe('Only of this description.'),
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
    const results = compared.map((site) => presentSiteDrift(site))
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

/** How much of one site is presented: things and problems, and characters of each diff. */
type DriftLimits = { readonly things: number; readonly diffLength: number }

const LIMITS: DriftLimits = { things: MAX_LISTED_DRIFT, diffLength: MAX_DIFF_LENGTH }

/** @param limits those of a response by default */
export function presentSiteDrift(
  { site, name, runId, appliedAt, drift, problems }: ComparedSite,
  { things, diffLength }: DriftLimits = LIMITS,
): ResponseOf<typeof DriftedSiteSchema> {
  return {
    site_id: site.blogId,
    address: siteAddress(site),
    description: name,
    plan: runId,
    applied_at: appliedAt,
    problems: problems.slice(0, things).map((problem) => pick(ProblemSchema, problem)),
    drift: drift.slice(0, things).map((one) => presentDrift(one, diffLength)),
    drift_total: drift.length,
  }
}

const presentDrift = ({ step, writer }: Drift, diffLength: number) => ({
  ...pick(StepSchema, step),
  ...(step.diff === undefined ? {} : { diff: cut(step.diff, diffLength) }),
  by: writer ? pick(WriterSchema, { ...writer, at: writer.created_at, entry: writer.id }) : null,
})

const cut = (diff: string, length: number): string =>
  diff.length > length ? `${diff.slice(0, length)}\n…` : diff
