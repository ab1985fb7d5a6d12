import type { PortableAssignment } from '../../menus/portable-menu.ts'
import type { PutMenuResult } from '../../menus/put-menu.ts'
import type { User } from '../../wordpress/users/users.ts'
import type { SiteReport } from '../sites/run-over-sites.ts'
import type { EffectsSummary } from '../summarize-effects.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import { isDifferent, type MenuDiff, presentDiff } from './diff-menus.ts'
import { formatLocation } from './menu-lines.ts'

/** What an operator chose of an import. */
export type ImportSettings = {
  /** A menu that bears the slug already is changed. */
  readonly replace: boolean
  /** Items on unpublished pages are left out. */
  readonly allowInvalid: boolean
  /** Nothing is written. */
  readonly dryRun: boolean
  /** The author of the items. */
  readonly user: User
}

type ImportResult = {
  readonly put: PutMenuResult
  readonly diff: MenuDiff
  /** Undefined where nothing was written. */
  readonly built: EffectsSummary | undefined
  /** Places of the file where nothing was set. */
  readonly ofOtherThemes: readonly PortableAssignment[]
  readonly settings: ImportSettings
}

/** What is told of an import. */
export function reportOnImport({
  put,
  diff,
  built,
  ofOtherThemes,
  settings,
}: ImportResult): SiteReport {
  const { dryRun } = settings
  const { menu, before, after, result, invalid, warnings } = put
  const failures = built?.failures ?? []
  const lines = [
    ...invalid.map(({ at, message }) => `item ${at} is left out: ${message}`),
    ...warnings.map((warning) => WARNING_TEXTS[warning] ?? warning),
    ...ofOtherThemes.map(
      (place) => `not set at ${formatLocation(place)}: the site shows another theme`,
    ),
    ...failures,
  ]
  return {
    state: failures.length > 0 ? 'failed' : 'done',
    outcome: importOutcome(put, diff, settings),
    detail: sanitizeForTerminal(
      (dryRun ? presentDiff(diff) : '') + lines.map((line) => `${line}\n`).join(''),
    ),
    data: {
      result,
      dry_run: dryRun,
      // The menu that a dry run makes is gone again.
      menu: { id: dryRun && !before ? null : menu.id, name: after.name, slug: menu.slug },
      items: after.items.length,
      locations: after.assignments,
      left_out: invalid,
      warnings,
      diff: diff.lines.filter(({ mark }) => mark !== ' '),
      rebaked: built?.rebaked ?? 0,
      failures,
    },
  }
}

/** How much is different, in lines; what a file can't say, such as the order of rows, is in none. */
export function differenceText(diff: MenuDiff): string {
  if (!isDifferent(diff)) return 'in its rows only'
  const { added, removed } = diff
  return `${pluralize(removed, 'line')} less, ${pluralize(added, 'line')} more`
}

function importOutcome(
  { result, after }: PutMenuResult,
  diff: MenuDiff,
  { dryRun, replace }: Pick<ImportSettings, 'dryRun' | 'replace'>,
): string {
  const menu = `"${after.slug}"`
  const items = pluralize(after.items.length, 'item')
  if (result !== 'replaced' && !isDifferent(diff)) return `${menu} is so already, with ${items}`
  if (result === 'created') return `${menu} ${dryRun ? 'would be made' : 'made'}, with ${items}`
  if (result === 'unchanged') {
    const places = after.assignments.map(formatLocation).join(', ')
    return `${menu} is so already, ${dryRun ? 'and would be set' : 'now set'} at ${places}`
  }
  const what = dryRun ? `would be replaced${replace ? '' : ' with --replace'}` : 'replaced'
  return `${menu} ${what}: ${differenceText(diff)}`
}

const WARNING_TEXTS: Readonly<Record<string, string>> = {
  name_changed: 'Another menu bears the name, so that this one has a number behind it.',
  slug_changed: 'The slug was changed to one that WordPress takes.',
  theme_switch_pending: 'WordPress is about to switch themes and may move menus then.',
}
