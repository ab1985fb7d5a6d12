import { z } from 'zod'
import { SEVERITIES } from '../../doctor/finding.ts'
import type { IdentifiedFindings, IdentifiedFix } from '../../doctor/identify-findings.ts'
import { defineEndpoint, type ResponseOf } from '../endpoint.ts'
import { siteId } from '../fields.ts'
import { pick } from '../pick.ts'
import { doctorServicesOf, examine } from './examinations.ts'

/** Findings in a response. */
export const MAX_LISTED_FINDINGS = 500

const idField = (description: string) =>
  z.string().meta({ description, examples: ['4f1c2d3e4b5a6978'] })

const FindingSchema = z
  .object({
    id: idField('The same as long as the finding says the same.'),
    check: z.string().meta({
      description: 'The kind of problem; stable between releases.',
      examples: ['reference_missing'],
    }),
    severity: z
      .enum(SEVERITIES)
      .describe(
        '`error`: visitors or clients get wrong results. `warning`: the data is inconsistent. `info`: worth knowing.',
      ),
    message: z.string().describe('What was found.'),
    impact: z.string().describe('Why it matters.'),
    fix_hint: z.string().describe('How a person fixes it.'),
    fix: z
      .string()
      .nullable()
      .describe('Id of the automatic fix; null if only a person can decide.'),
  })
  .meta({ id: 'Finding' })

export const FixSchema = z
  .object({
    id: idField('Changes if the fix would fix something else.'),
    check: z.string().meta({ examples: ['menu_count_wrong'] }),
    summary: z.string().meta({ examples: ['Corrects the count of menu 23.'] }),
    findings: z.int().describe('Number of findings that it fixes.'),
  })
  .meta({ id: 'Fix', description: 'A fix that is safe to apply automatically.' })

/** What the doctor finds on a site. */
export const listFindingsEndpoint = defineEndpoint({
  name: 'listFindings',
  method: 'get',
  path: '/findings',
  summary: 'Examine the site: what is inconsistent, why it matters, and how it is fixed',
  description:
    'Runs the checks of `wp-frames doctor --site <id>`, which read all frames, menus and static copies: this may take seconds. Static copies are checked if this process writes them.',
  response: z.object({
    site_id: siteId,
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
    return {
      site_id: call.site.blogId,
      ...others,
      findings: findings.slice(0, MAX_LISTED_FINDINGS),
    }
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
        fix: fixOf.get(finding) ?? null,
      }),
    ),
    fixes: fixes.map(presentFix),
  }
}

export function presentFix({ id, fix, findings }: IdentifiedFix): ResponseOf<typeof FixSchema> {
  const [first] = findings
  return { id, check: first?.check ?? '', summary: fix.summary, findings: findings.length }
}
