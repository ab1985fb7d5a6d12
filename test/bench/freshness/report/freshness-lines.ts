import { percentile } from '../../load/run-load.ts'
import { figure } from '../../report/figure.ts'
import { COLLABORATING_EDITORS } from '../collaboration.ts'
import type { EditedSite, EditGroup, EditTimes } from '../edit-times.ts'
import { LIMIT_MS } from '../measure-edit.ts'
import type { MillionRows } from '../million-rows.ts'
import type { QuietFigures } from '../quiet-figures.ts'
import type { RenderedPages } from '../rendered-pages.ts'

/** Fewer times than this are listed instead of their percentiles. */
const MIN_TIMES_FOR_PERCENTILES = 10

/** Times in milliseconds: p50, p99 and maximum of many, or a few in ascending order. Null: later than the limit, in milliseconds. */
function timesText(times: readonly (number | null)[], limitMs: number): string {
  const sorted = times.map((ms) => ms ?? Infinity).sort((a, b) => a - b)
  const text = (ms: number) => (ms === Infinity ? `> ${limitMs}` : String(ms))
  if (sorted.length < MIN_TIMES_FOR_PERCENTILES) return sorted.map(text).join(', ')
  const figures = [percentile(sorted, 0.5), percentile(sorted, 0.99), sorted.at(-1) ?? 0]
  return figures.map(text).join(' / ')
}

/** The times of a kind until all copies were as expected; for edits of a whole site also until the first one. */
export function editText({ group, firstMs, allMs, limitMs }: EditTimes): string {
  const all = timesText(allMs, limitMs)
  // The first copy is waited for as long as those of other edits.
  if (firstMs.every((ms) => ms === null)) return timesText(firstMs, LIMIT_MS)
  return group === 'site' ? `first ${timesText(firstMs, LIMIT_MS)}; all ${all}` : all
}

/** A line for each kind of edits of a group on a site. */
export function groupLines(
  edits: readonly EditTimes[],
  group: EditGroup,
  site: EditedSite,
): string[] {
  return edits
    .filter((times) => times.group === group && times.site === site)
    .map((times) => `${site.padEnd(8)} ${times.title.padEnd(40)} ${editText(times)} ms`)
}

export function quietLine(quiet: QuietFigures, roundMs: number | undefined): string {
  const { seconds, serviceCpu, databaseCpu, statementsPerSecond, peakBytes } = quiet
  return [
    `${seconds} s without edits: CPU ${percent(serviceCpu)} of the service, ${percent(databaseCpu)} of the database`,
    `${figure(statementsPerSecond)} statements/s`,
    `${megabytes(peakBytes)} MB`,
    ...(roundMs === undefined ? [] : [`a round of the poll takes ${roundMs.toFixed(0)} ms`]),
  ].join(', ')
}

export function collaborationLine({ seconds, serviceCpu }: QuietFigures): string {
  return `${seconds} s with ${COLLABORATING_EDITORS} editors of one post: CPU ${percent(serviceCpu)} of the service`
}

export function renderedLine(site: string, { files, rendered }: RenderedPages): string {
  const counted = rendered === undefined ? '' : `, ${figure(rendered)} pages rendered`
  return `${site}: ${figure(files)} copies replaced${counted} for a title that no other page shows`
}

export function millionRowsLine(title: string, found: MillionRows): string {
  const { rows, shownMs, settledMs, peakBytes, cpuMs, reads } = found
  return [
    `${rows} rows ${title}: pages true ${shownMs === undefined ? 'too late' : `${Math.round(shownMs)} ms after the commit`}`,
    `no work after ${Math.round(settledMs)} ms`,
    `peak ${megabytes(peakBytes)} MB`,
    `CPU ${(cpuMs / 1000).toFixed(1)} s`,
    `${reads.count} reads p50 ${figure(reads.p50)} p99 ${figure(reads.p99)} ms`,
  ].join(', ')
}

export const percent = (share: number): string => `${figure(share * 100)} %`

export const megabytes = (bytes: number): string => (bytes / 1024 ** 2).toFixed(0)
