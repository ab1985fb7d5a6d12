import { Command } from 'commander'
import { forEachBounded } from '../../concurrency/for-each.ts'
import { isOutage } from '../../db/is-outage.ts'
import {
  type AppliedRunSite,
  type Drift,
  findAppliedSites,
  findDrift,
  type SiteDrift,
} from '../../plan/find-drift.ts'
import { describeWriter } from '../../plan/moved-steps.ts'
import type { Step } from '../../plan/site-plan.ts'
import { siteAddress } from '../../wordpress/network/site.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { describeError, describeKnownError } from '../describe-error.ts'
import { sitesAtOnce } from '../sites/run-over-sites.ts'
import { jsonLine, pluralize, sanitizeForTerminal } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'
import { HAS_CHANGES } from './plan-command.ts'
import { createPlanContext } from './plan-sites.ts'

type DriftOptions = { readonly json?: true; readonly exitCode?: true }

type DriftedSite = AppliedRunSite & SiteDrift

/** `drift [name]`: shows what was changed since the last run of each description, and by whom. */
export function driftCommand(context: CliContext): Command {
  return new Command('drift')
    .description('show what was changed since the last apply, and by whom')
    .argument('[name]', 'the name of a description; by default of all')
    .option('--exit-code', `exit with ${HAS_CHANGES} if something was changed`)
    .option('--json', 'print {sites, drifted, results, failures}')
    .action((name: string | undefined, { json, exitCode }: DriftOptions) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const failures: string[] = []
        const onFailure = async (of: string, error: unknown): Promise<void> => {
          if (await isOutage(services.db, error)) throw error
          if (describeKnownError(error) === undefined) services.log.error({ err: error })
          failures.push(`${of}: ${describeError(error)}`)
        }
        const sites = await findAppliedSites(services.db, services.globals, name, onFailure)
        if (sites.length + failures.length === 0 && name !== undefined)
          throw new CommandError(`No run has applied a description "${name}" to any site.`)
        const drifted = await findDriftedSites(services, sites, onFailure)
        process.stdout.write(
          json
            ? jsonLine({
                sites: sites.length,
                drifted: drifted.length,
                results: drifted.map(presented),
                failures,
              })
            : `${drifted.map(formatSite).join('')}${pluralize(sites.length, 'site')}, ${drifted.length} with drift\n`,
        )
        if (failures.length > 0)
          throw new CommandError(`Not compared:\n${sanitizeForTerminal(failures.join('\n'))}`)
        if (exitCode && drifted.length > 0)
          throw new CommandError('Sites differ from the last apply.', HAS_CHANGES)
      }),
    )
}

async function findDriftedSites(
  services: CliServices,
  sites: readonly AppliedRunSite[],
  onFailure: (name: string, error: unknown) => Promise<void>,
): Promise<DriftedSite[]> {
  const context = createPlanContext(0, { withDiffs: true })
  const found: DriftedSite[] = []
  await forEachBounded(sites, sitesAtOnce(services), async (one) => {
    const { site, name } = one
    const compared = await findDrift(services.db, one, context).catch((error) =>
      onFailure(`${name} on ${siteAddress(site)} (site ${site.blogId})`, error),
    )
    if (!compared) return
    const { drift, problems } = compared
    if (drift.length + problems.length > 0) found.push({ ...one, drift, problems })
  })
  return found.sort((a, b) => a.site.blogId - b.site.blogId)
}

/** What has happened to a thing, by the step that would restore it. */
function describeDrift({ action, from, to }: Step): string {
  switch (action) {
    case 'created':
      return 'is missing'
    case 'deleted':
      return 'was added'
    case 'renamed':
      return from === undefined ? 'was renamed' : `was renamed to ${from}`
    case 'assigned':
      return `has ${from ?? 'nothing'} instead of ${to}`
    case 'cleared':
      return `was given ${from}`
    default:
      return 'was changed'
  }
}

function formatSite({ site, name, appliedAt, drift, problems }: DriftedSite): string {
  const lines = [
    `${siteAddress(site)} (site ${site.blogId}), ${name}, applied at ${appliedAt.slice(0, 19)}:`,
    ...problems.map(({ kind, name, message }) => `  ! ${kind} ${name}: ${message}`),
    ...drift.flatMap(({ step, writer }) => [
      `  ${step.kind} ${step.name} ${describeDrift(step)} by ${describeWriter(writer)}`,
      ...(step.diff ? step.diff.trimEnd().split('\n') : []).map((line) => `      ${line}`),
    ]),
  ]
  return sanitizeForTerminal(lines.map((line) => `${line}\n`).join(''))
}

const presented = ({ site, name, runId, appliedAt, drift, problems }: DriftedSite) => ({
  site_id: site.blogId,
  address: siteAddress(site),
  description: name,
  run: runId,
  applied_at: appliedAt,
  problems,
  drift: drift.map(presentedDrift),
})

const presentedDrift = ({ step: { diff, ...step }, writer }: Drift) => ({
  ...step,
  ...(diff === undefined ? {} : { diff }),
  by: writer
    ? {
        user_id: writer.user_id,
        token_id: writer.token_id,
        label: writer.label,
        request_id: writer.request_id,
        at: writer.created_at,
        entry: writer.id,
      }
    : null,
})
