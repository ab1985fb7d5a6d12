import { z } from 'zod'
import type { DoctorServices } from '../../doctor/finding.ts'
import { applyFixes } from '../../doctor/fix.ts'
import type { IdentifiedFix } from '../../doctor/identify-findings.ts'
import { AppError } from '../../errors.ts'
import { skippedEffects } from '../../executor/executor.ts'
import { defineEndpoint } from '../endpoint.ts'
import { flag, objectBody, siteId } from '../fields.ts'
import { doctorServicesOf, examine } from './examinations.ts'
import { FixSchema, presentFix } from './list-findings.endpoint.ts'

/** Fixes of one request. */
export const MAX_FIXES = 50
/** Findings that one fix may fix in a request: each is written within the request. */
export const MAX_FIXED_FINDINGS = 1000
/** Findings of a fix in a response. */
const MAX_LISTED_OF_FIX = 20

/** Applies fixes of the doctor to what a person has seen. */
export const fixFindingsEndpoint = defineEndpoint({
  name: 'fixFindings',
  method: 'post',
  path: '/findings/fix',
  summary: 'Apply automatic fixes of findings',
  description:
    'A fix is applied only if it still fixes exactly the findings that `GET /findings` has listed with its id; the others are in `missing`. So a repetition does no harm: it finds in `missing` what was applied. A fix that was not begun in time has `applied: false`; send it again. What fixes build may be finished later, see `GET /work`.',
  body: objectBody({
    fixes: z
      .array(z.string().max(64))
      .min(1)
      .max(MAX_FIXES)
      .meta({ description: 'Ids of fixes.', examples: [['4f1c2d3e4b5a6978']] }),
    dry_run: flag(false, 'Report what would be fixed, but write nothing.'),
  }),
  example: { fixes: ['4f1c2d3e4b5a6978'], dry_run: true },
  repeatable: true,
  mcpRunsDirectly: 'writes',
  response: z.object({
    site_id: siteId,
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
    missing: z
      .array(z.string())
      .describe(
        'Ids of the fixes that would fix nothing, or something else now. They were not applied: read the findings again.',
      ),
  }),
  errors: ['examination_too_slow', 'fix_too_large'],
  async act(call) {
    const { site, body } = call
    const services = doctorServicesOf(call)
    const { fixes } = await examine(call, services)
    const chosen = fixes.filter(({ id }) => body.fixes.includes(id))
    assertFixable(chosen)
    const applied = body.dry_run ? new Set<string>() : await applyInTime(services, chosen)
    return {
      site_id: site.blogId,
      dry_run: body.dry_run,
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
