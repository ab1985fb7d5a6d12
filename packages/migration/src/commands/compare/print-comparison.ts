import { coloured, pluralize, sanitizeForTerminal } from '#wp-frames/cli/terminal'
import type { ComparisonReport, ReportedDifference } from '../../compare/comparison-report.ts'
import type { DifferenceKind } from '../../compare/difference.ts'

/** What a difference of each kind means. */
const KINDS: Readonly<Record<DifferenceKind, string>> = {
  status: 'other status',
  header: 'other header',
  not_json: 'not JSON on one side',
  text_around_json: 'text before or after the JSON',
  type: 'other JSON type',
  missing: 'missing in wp-frames',
  additional: 'only in wp-frames',
  value: 'other value',
  order: 'other order',
  markup: 'other bytes of markup',
  unstable: 'errors of wp-frames at times',
  old_unstable: 'errors of the old endpoint at times',
  additional_field: 'field that only wp-frames has',
  other_header: 'header that only one side has',
  text: 'other sentence',
  effect: 'other report of builds and caches',
  own_row: 'rows that one side keeps for itself',
}

/** The report for people. */
export function formatComparison(report: ComparisonReport): string {
  const { differences, accepted, apart, noise, not_comparable, times, sites } = report
  const sections = [
    section(
      'Differences',
      differences.map((one) => describeDifference(one)),
    ),
    section(
      'Accepted',
      accepted.map((one) => `${heading(one)}\n    ${one.reason}\n`),
    ),
    section(
      'Hidden by plugins in WordPress, printed to everybody by wp-frames',
      sites.flatMap(({ site_id, address, hidden_items = [] }) =>
        hidden_items.map((sentence) => `site ${site_id} (${address}): ${sentence}\n`),
      ),
    ),
    section(
      'Not compared',
      sites.flatMap(({ site_id, address, reason }) =>
        reason === undefined ? [] : [`site ${site_id} (${address}): ${reason}\n`],
      ),
    ),
    section(
      'Not comparable, because stored rows changed meanwhile',
      not_comparable.map(({ request }) => `${request}\n`),
    ),
    section(
      'Compared with itself, because wp-frames passes these to the old endpoint (LEGACY_FAMILIES), or a proxy removes its header X-Request-Id',
      report.passed.map((route) => `${route}\n`),
    ),
    section('Apart: no client depends on these', describeApart(apart)),
    section(
      'Noise: the old endpoint answers these fields differently each time',
      noise.map(({ route, field }) => `${route}  ${field}\n`),
    ),
    section('Times (medians)', times.map(describeTime)),
    section(
      'Accepted differences that were not found',
      report.unused_acceptances.map(
        ({ route, field, kind, reason }) =>
          `${route}  ${field}${kind === undefined ? '' : ` (${kind})`}: ${reason}\n`,
      ),
    ),
  ]
  return coloured(sanitizeForTerminal(sections.join('')))
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}:\n${lines.map((line) => `  ${line}`).join('')}\n`

function heading({ route, field, kind, sites, confirmed }: ReportedDifference): string {
  const where = sites.every((id) => id === 0) ? '' : `, on ${pluralize(sites.length, 'site')}`
  return `${route}  ${field}: ${KINDS[kind]}${where}${confirmed ? '' : ' (asked once)'}`
}

/** Headers are the same on most routes, so they are named once. */
function describeApart(apart: readonly ReportedDifference[]): string[] {
  const isHeader = ({ kind }: ReportedDifference): boolean => kind === 'other_header'
  const headers = new Set(apart.filter(isHeader).map(({ field }) => field.replace('header ', '')))
  return [
    ...apart.filter((one) => !isHeader(one)).map((one) => `${heading(one)}\n`),
    ...(headers.size === 0
      ? []
      : [`headers that only one side has: ${[...headers].sort().join(', ')}\n`]),
  ]
}

function describeDifference(one: ReportedDifference): string {
  const { request, at, old, ours } = one.example
  return [
    heading(one),
    `    ${request}: ${at}`,
    ...(old === undefined ? [] : [`    - ${old}`]),
    ...(ours === undefined ? [] : [`    + ${ours}`]),
    '',
  ].join('\n')
}

function describeTime({ route, old_ms, new_ms, slow }: ComparisonReport['times'][number]): string {
  const note = { old: ': the old endpoint is slow', new: ': wp-frames is slow', none: '' }
  return `${route}  ${old_ms} ms, wp-frames ${new_ms} ms${note[slow ?? 'none']}\n`
}
