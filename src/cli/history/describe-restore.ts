import type { SiteReport } from '../sites/run-over-sites.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'

type NamedThing = { readonly kind: string; readonly ref: string; readonly name: string }

type Restore = {
  readonly dry_run: boolean
  readonly restored: readonly (NamedThing & { readonly action: string; readonly diff?: string })[]
  readonly not_restored: readonly (NamedThing & { readonly message: string })[]
}

/**
 * Describes what a restore has done to a site, or in a dry run what it would do, with diffs.
 * @param total number of restored things, if not all of them are to be described
 */
export function describeRestore(
  { dry_run: isDryRun, restored, not_restored: obstacles }: Restore,
  total = restored.length,
): Pick<SiteReport, 'outcome' | 'detail'> {
  const lines = [
    ...restored.flatMap(({ kind, ref, name, action, diff = '' }) => [
      `${action} ${kind} ${name || ref}`,
      ...(isDryRun ? [diff] : []),
    ]),
    ...obstacles.map(({ kind, name, message }) => `not restored: ${kind} ${name}: ${message}`),
  ]
  const left = obstacles.length > 0 ? `; not restored: ${obstacles.length}` : ''
  return {
    outcome: `${pluralize(total, 'thing')} ${isDryRun ? 'would be restored' : 'restored'}${left}`,
    detail: sanitizeForTerminal(lines.map((line) => `${line}\n`).join('')),
  }
}
