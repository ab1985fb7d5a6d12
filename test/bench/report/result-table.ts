import type { ContenderName } from '../contender.ts'
import type { Figures } from '../load/measure.ts'
import type { Result } from '../run-bench.ts'
import type { Workload } from '../workloads/workload.ts'
import { alignedTable, figure, megabytes } from './table.ts'
import { isWithin, ratioTo } from './verdicts.ts'

const HEAD = [
  'work',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'queries',
  'round trips',
  'MB',
  'CPU ms',
  'WordPress/s',
  'CPU ms',
  'by WordPress',
  'cached/s',
  'Express/s',
  'CPU ms',
  'by Express',
] as const

/** Formats the figures as a Markdown table with a line per workload: the service, then the others and the ratio to them. */
export function resultTable(results: readonly Result[]): string {
  return alignedTable([HEAD, ...results.map(rowOf)])
}

function rowOf(result: Result): string[] {
  const { title, targets } = result.workload
  const [service, wordpress, cached, express] = (
    ['service', 'wordpress', 'cached', 'express'] as const
  ).map((name) => result.figures.get(name))
  const text = (value: number | undefined): string => (value === undefined ? '' : figure(value))
  const ratio = (to: 'wordpress' | 'express'): string =>
    judged(ratioTo(result, to), targets[to], ['≥', '<'], (found, target) => found >= target)
  return [
    title,
    rate(service),
    judged(service?.p50, targets.p50, ['<', '≥'], (found, target) => found < target),
    text(service?.p99),
    text(service?.queries),
    judged(service?.roundTrips, targets.roundTrips, ['≤', '>'], isWithin),
    service ? megabytes(service.peakBytes).toFixed(0) : '',
    text(cpuOf(service)),
    rate(wordpress),
    text(cpuOf(wordpress)),
    ratio('wordpress'),
    rate(cached),
    rate(express),
    text(cpuOf(express)),
    ratio('express'),
  ]
}

/** A contender's own time and the database's. */
export const cpuOf = (
  figures: Pick<Figures, 'cpuMs' | 'databaseCpuMs'> | undefined,
): number | undefined => figures && figures.cpuMs + figures.databaseCpuMs

/** A figure with its target, and the sign of whether it was met. */
function judged(
  found: number | undefined,
  target: number | undefined,
  [met, missed]: readonly [string, string],
  isMet: (found: number, target: number) => boolean,
): string {
  if (found === undefined || target === undefined) return found === undefined ? '' : figure(found)
  return `${figure(found)} ${isMet(found, target) ? met : missed} ${target}`
}

const rate = (figures: Figures | undefined): string => (figures ? figure(figures.perSecond) : '')

/** Formats a measurement as a line. */
export function measurementLine(
  { title }: Workload,
  name: ContenderName,
  { perSecond, p50, p99, queries, roundTrips, cpuMs, databaseCpuMs }: Figures,
): string {
  return [
    title.padEnd(34),
    name.padEnd(9),
    `${figure(perSecond).padStart(7)}/s`,
    `p50 ${figure(p50).padStart(6)} ms`,
    `p99 ${figure(p99).padStart(6)} ms`,
    `${figure(queries).padStart(6)} queries`,
    ...(roundTrips === undefined ? [] : [`${figure(roundTrips).padStart(6)} round trips`]),
    `CPU ${figure(cpuMs)} + ${figure(databaseCpuMs)} ms`,
  ].join('  ')
}
