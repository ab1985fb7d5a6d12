import { formatDiff, isDifferent, type MenuDiff } from '../../diff/diff-menus.ts'
import type { PortableAssignment } from '../../menus/portable-menu.ts'
import { formatLocation } from '../../menus/portable-menu.ts'
import type { PutMenuResult } from '../../menus/put-menu.ts'
import type { SiteReport } from '../sites/run-over-sites.ts'
import type { EffectsSummary } from '../summarize-effects.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'

/** The result of an import on one site. */
type ImportResult = {
  readonly put: PutMenuResult
  readonly diff: MenuDiff
  /** Undefined if nothing was written. */
  readonly effects: EffectsSummary | undefined
  /** Locations of the file that belong to other themes and were skipped. */
  readonly ofOtherThemes: readonly PortableAssignment[]
  readonly dryRun: boolean
  readonly replace: boolean
}

export function reportOnImport(imported: ImportResult): SiteReport {
  const { put, diff, effects, ofOtherThemes, dryRun } = imported
  const { menu, before, after, result, invalid, warnings } = put
  const failures = effects?.failures ?? []
  const lines = [
    ...invalid.map(({ at, message }) => `item ${at} is left out: ${message}`),
    ...warnings.map((warning) => WARNING_TEXTS[warning] ?? warning),
    ...ofOtherThemes.map(
      (location) => `not assigned to ${formatLocation(location)}: the site uses another theme`,
    ),
    ...failures,
  ]
  return {
    state: failures.length > 0 ? 'failed' : 'done',
    outcome: importOutcome(imported),
    detail: sanitizeForTerminal(
      (dryRun ? formatDiff(diff) : '') + lines.map((line) => `${line}\n`).join(''),
    ),
    data: {
      result,
      dry_run: dryRun,
      // A dry run rolls back the creation of the menu, so its id is not reported.
      menu: { id: dryRun && !before ? null : menu.id, name: after.name, slug: menu.slug },
      items: after.items.length,
      locations: after.assignments,
      left_out: invalid,
      warnings,
      diff: diff.lines.filter(({ mark }) => mark !== ' '),
      rebaked: effects?.rebaked ?? 0,
      failures,
    },
  }
}

/** The number of changed lines. Differences that a file cannot express, such as the order of rows, change no line. */
export function differenceText(diff: MenuDiff): string {
  if (!isDifferent(diff)) return 'only in its database rows'
  const { added, removed } = diff
  return `${pluralize(removed, 'line')} removed, ${pluralize(added, 'line')} added`
}

function importOutcome({ put, diff, dryRun, replace }: ImportResult): string {
  const { result, after } = put
  const menu = `"${after.slug}"`
  const items = pluralize(after.items.length, 'item')
  if (result !== 'replaced' && !isDifferent(diff)) return `${menu} is already up to date (${items})`
  if (result === 'created') return `${menu} ${dryRun ? 'would be created' : 'created'} (${items})`
  if (result === 'unchanged') {
    const locations = after.assignments.map(formatLocation).join(', ')
    return `${menu} is already up to date, ${dryRun ? 'would be assigned' : 'assigned'} to ${locations}`
  }
  const action = dryRun ? `would be replaced${replace ? '' : ' with --replace'}` : 'replaced'
  return `${menu} ${action}: ${differenceText(diff)}`
}

const WARNING_TEXTS: Readonly<Record<string, string>> = {
  name_changed: 'Another menu has this name, so a number was appended.',
  slug_changed: 'The slug was changed to a valid one.',
  theme_switch_pending: 'A theme switch is pending; WordPress may then reassign menus.',
}
