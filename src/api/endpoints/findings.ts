import { z } from 'zod'
import { skippedEffects } from '../../build/executor/executor.ts'
import { FairQueue } from '../../host/concurrency/fair-queue.ts'
import { AppError } from '../../host/errors.ts'
import { examineSite } from '../../network/doctor/examine.ts'
import { type DoctorServices, FIXERS, SEVERITIES, SUBJECTS } from '../../network/doctor/finding.ts'
import { applyFixes } from '../../network/doctor/fix.ts'
import {
  type IdentifiedFindings,
  type IdentifiedFix,
  identifyFindings,
} from '../../network/doctor/identify-findings.ts'
import { field, nullable, optional } from '../described.ts'
import { defineEndpoint, type Endpoint, type ResponseOf, type SiteContext } from '../endpoint.ts'
import { flag, objectBody } from '../fields.ts'
import { pick } from '../pick.ts'

/** Examinations at the same time in a process: each reads all frames and copies of a site, on one of few connections for snapshots. */
export const MAX_RUNNING_EXAMINATIONS = 1
/** Examinations of one site that wait. */
export const MAX_WAITING_EXAMINATIONS = 5

/** Queues the examinations of a process. */
export function examinationQueue(maxWaitMs: number): FairQueue {
  return new FairQueue({
    resource: 'the examination of other sites',
    concurrency: MAX_RUNNING_EXAMINATIONS,
    concurrencyPerKey: MAX_RUNNING_EXAMINATIONS,
    maxWaitingPerKey: MAX_WAITING_EXAMINATIONS,
    maxWaitMs,
  })
}

/** The services of the doctor for a request. */
function doctorServicesOf({ db, site, executor, copies, now }: SiteContext): DoctorServices {
  return { db, globals: site.globals, executor, copies, now }
}

/**
 * Runs the checks of a site, as the command `doctor` does.
 * @throws AppError `service_busy`, `examination_too_slow`
 */
export function examine(
  { examinations, site }: Pick<SiteContext, 'examinations' | 'site'>,
  services: DoctorServices,
): Promise<IdentifiedFindings> {
  return examinations.run(String(site.blogId), async () => {
    const maxMs = services.db.timings.api.examinationMs
    const signal = AbortSignal.timeout(maxMs)
    try {
      return identifyFindings(await examineSite(services, site, { signal }))
    } catch (error) {
      if (error !== signal.reason) throw error
      throw new AppError(
        'examination_too_slow',
        `The site was not examined within ${maxMs / 1000} seconds. Run "wp-frames doctor --site ${site.blogId}" instead.`,
      )
    }
  })
}

/** Findings in a response. */
export const MAX_LISTED_FINDINGS = 500

const idField = (description: string) => field(z.string(), description, '4f1c2d3e4b5a6978')

const FindingSchema = z
  .object({
    id: idField('The same as long as the finding says the same.'),
    check: field(z.string(), 'The kind of problem; stable between releases.', 'reference_missing'),
    severity: field(
      z.enum(SEVERITIES),
      '`error`: visitors or clients get wrong results. `warning`: the data is inconsistent. `info`: worth knowing.',
    ),
    title: field(
      z.string(),
      'What is wrong, in the language of editors.',
      'A frame embeds one that does not exist',
    ),
    message: z.string().describe('What was found.'),
    impact: z.string().describe('What visitors see, or why it matters.'),
    fix_hint: z.string().describe('How a person fixes it.'),
    fixed_by: field(
      z.enum(FIXERS),
      'Who can do that. `editor`: with a frame, a menu or a page, or in WordPress. `operator`: with access to the server, the database or the settings.',
    ),
    about: z
      .object({
        kind: z.enum(SUBJECTS),
        ref: z.string().describe('The slug or id of a frame; the id of a menu or a page.'),
        item: optional(z.int(), 'Id of the item of the menu.'),
      })
      .nullable()
      .describe('What it concerns; null if that is not one thing of the site.'),
    fix: nullable(z.string(), 'Id of the automatic fix; null if only a person can decide.'),
  })
  .meta({ id: 'Finding' })

const FixSchema = z
  .object({
    id: idField('Changes if the fix would fix something else.'),
    check: z.string().meta({ examples: ['menu_count_wrong'] }),
    summary: z.string().meta({ examples: ['Corrects the count of menu 23.'] }),
    findings: z.int().describe('Number of findings that it fixes.'),
  })
  .meta({ id: 'Fix', description: 'A fix that is safe to apply automatically.' })

const listFindingsEndpoint = defineEndpoint({
  name: 'listFindings',
  method: 'get',
  path: '/findings',
  summary: 'Examine the site: what is inconsistent, why it matters, and how it is fixed',
  description:
    'Runs the checks of `wp-frames doctor --site <id>`, which read all frames, menus and static copies: this may take seconds. Static copies are checked if this process writes them.',
  response: z.object({
    total: z.int(),
    findings: z
      .array(FindingSchema)
      .max(MAX_LISTED_FINDINGS)
      .describe(`The most severe first; at most ${MAX_LISTED_FINDINGS}.`),
    fixes: z.array(FixSchema).describe('The automatic fixes of all findings, in their order.'),
  }),
  errors: ['examination_too_slow'],
  hasOwnQueue: true,
  async read(call) {
    const { findings, ...others } = presentFindings(await examine(call, doctorServicesOf(call)))
    return { ...others, findings: findings.slice(0, MAX_LISTED_FINDINGS) }
  },
})

/** What was found, the most severe first, with the fixes. */
export function presentFindings({ findings, fixes }: IdentifiedFindings) {
  const fixOf = new Map(fixes.flatMap(({ id, findings }) => findings.map((one) => [one, id])))
  const bySeverity = SEVERITIES.flatMap((severity) =>
    findings.filter((finding) => finding.severity === severity),
  )
  return {
    total: findings.length,
    findings: bySeverity.map((finding) =>
      pick(FindingSchema, {
        ...finding,
        fix_hint: finding.fixHint,
        fixed_by: finding.fixedBy,
        about: finding.about ?? null,
        fix: fixOf.get(finding) ?? null,
      }),
    ),
    fixes: fixes.map(presentFix),
  }
}

function presentFix({ id, fix, findings }: IdentifiedFix): ResponseOf<typeof FixSchema> {
  const [first] = findings
  return { id, check: first?.check ?? '', summary: fix.summary, findings: findings.length }
}

/** Fixes of one request. */
export const MAX_FIXES = 50
/** Findings that one fix may fix in a request: each is written within the request. */
export const MAX_FIXED_FINDINGS = 1000
/** Findings of a fix in a response. */
const MAX_LISTED_OF_FIX = 20

const fixFindingsEndpoint = defineEndpoint({
  name: 'fixFindings',
  method: 'post',
  path: '/findings/fix',
  summary: 'Apply automatic fixes of findings',
  description:
    'A fix is applied only if it still fixes exactly the findings that `GET /findings` has listed with its id; the others are in `missing`. So a repetition does no harm: it finds in `missing` what was applied. A fix that was not begun in time has `applied: false`; send it again. What fixes build may be finished later, see `GET /work`.',
  body: objectBody({
    fixes: field(z.array(z.string().max(64)).min(1).max(MAX_FIXES), 'Ids of fixes.', [
      '4f1c2d3e4b5a6978',
    ]),
    dry_run: flag(false, 'Report what would be fixed, but write nothing.'),
  }),
  example: { fixes: ['4f1c2d3e4b5a6978'], dry_run: true },
  repeatable: true,
  mcpRunsDirectly: 'writes',
  response: z.object({
    dry_run: z.boolean(),
    fixes: z
      .array(
        FixSchema.extend({
          applied: z.boolean().describe('False in a dry run.'),
          messages: z
            .array(z.string())
            .max(MAX_LISTED_OF_FIX)
            .describe(`What it fixes; at most ${MAX_LISTED_OF_FIX}.`),
        }),
      )
      .describe('In the order in which they are applied.'),
    missing: field(
      z.array(z.string()),
      'Ids of the fixes that would fix nothing, or something else now. They were not applied: read the findings again.',
    ),
  }),
  errors: ['examination_too_slow', 'fix_too_large'],
  async act(call) {
    const { body, isDryRun } = call
    const services = doctorServicesOf(call)
    const { fixes } = await examine(call, services)
    const chosen = fixes.filter(({ id }) => body.fixes.includes(id))
    assertFixable(chosen)
    const applied = isDryRun ? new Set<string>() : await applyInTime(services, chosen)
    return {
      dry_run: isDryRun,
      fixes: chosen.map((fix) => ({
        ...presentFix(fix),
        applied: applied.has(fix.id),
        messages: fix.findings.slice(0, MAX_LISTED_OF_FIX).map(({ message }) => message),
      })),
      missing: body.fixes.filter((wanted) => !fixes.some(({ id }) => id === wanted)),
    }
  },
})

/** @throws AppError `fix_too_large` */
function assertFixable(fixes: readonly IdentifiedFix[]): void {
  const large = fixes.find(({ findings }) => findings.length > MAX_FIXED_FINDINGS)
  if (!large) return
  throw new AppError(
    'fix_too_large',
    `A fix of this request fixes ${large.findings.length} findings; the limit is ${MAX_FIXED_FINDINGS}. Run "wp-frames doctor --fix --site <id>" instead.`,
    { findings: large.findings.length, limit: MAX_FIXED_FINDINGS },
  )
}

/** @returns the ids of the fixes that were begun in time */
async function applyInTime(
  services: DoctorServices,
  fixes: readonly IdentifiedFix[],
): Promise<ReadonlySet<string>> {
  const deadline = AbortSignal.timeout(services.db.timings.api.fixingMs)
  const { executor } = services
  const inTime: DoctorServices = {
    ...services,
    executor: {
      // The work is recorded: without waiting, it is done all the same.
      apply: async (site, change) =>
        deadline.aborted ? skippedEffects(change) : executor.apply(site, change),
      rebake: (...request) => executor.rebake(...request),
      render: (...request) => executor.render(...request),
    },
  }
  const applied = new Set<string>()
  for (const { id, findings } of fixes) {
    if (deadline.aborted) break
    await applyFixes(inTime, findings)
    applied.add(id)
  }
  return applied
}

export const endpoints: readonly Endpoint[] = [listFindingsEndpoint, fixFindingsEndpoint]
