import type { Output } from '#client'
import type { SiteReport } from '../sites/run-over-sites.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'

type Restore = Pick<Output<'restoreSite'>, 'dry_run' | 'restored' | 'not_restored'>

/** Obstacles of things that were restored, or that the restore does not concern. */
const LABELS: Readonly<Record<string, string>> = {
  reference_missing: 'warning',
  item_target_missing: 'warning',
}

/** Describes what a restore has done to a site, or in a dry run what it would do, with diffs. */
export function describeRestore({
  dry_run: isDryRun,
  restored,
  not_restored: obstacles,
}: Restore): Pick<SiteReport, 'outcome' | 'detail'> {
  const lines = [
    ...restored.flatMap(({ kind, ref, name, action, diff = '' }) => [
      `${action} ${kind} ${name || ref}`,
      ...(isDryRun ? [diff] : []),
    ]),
    ...obstacles.map(
      ({ kind, name, reason, message }) =>
        `${LABELS[reason] ?? 'not restored'}: ${kind} ${name}: ${message}`,
    ),
  ]
  const failed = obstacles.filter(({ reason }) => LABELS[reason] === undefined)
  const warnings = obstacles.length - failed.length
  const left = [
    failed.length > 0 ? `; not restored: ${failed.length}` : '',
    warnings > 0 ? `; ${pluralize(warnings, 'warning')}` : '',
  ].join('')
  return {
    outcome: `${pluralize(restored.length, 'thing')} ${isDryRun ? 'would be restored' : 'restored'}${left}`,
    detail: sanitizeForTerminal(lines.map((line) => `${line}\n`).join('')),
  }
}
