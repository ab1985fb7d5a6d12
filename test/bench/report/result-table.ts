import type { Figures } from '../load/measure.ts'
import type { Result } from '../run-bench.ts'
import type { Workload } from '../workloads/workload.ts'
import { alignedTable } from './aligned-table.ts'
import { figure } from './figure.ts'
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
  'floor/s',
  'CPU ms',
  'by the floor',
  'Express/s',
  'CPU ms',
  'by Express',
] as const

/** Formats the figures as a Markdown table with a line per workload: the service, then the others and the ratio to them. */
export function resultTable(results: readonly Result[]): string {
  return alignedTable([HEAD, ...results.map(rowOf)])
}

function rowOf(result: Result): string[] {
  const { workload, figures } = result
  const [service, wordpress] = [figures.get('service'), figures.get('wordpress')]
  const [floor, express] = [figures.get('floor'), figures.get('express')]
  return [
    workload.title,
    rate(service),
    service ? judged(service.p50, workload.targets.p50) : '',
    service ? figure(service.p99) : '',
    service ? figure(service.queries) : '',
    service?.roundTrips === undefined ? '' : roundTrips(service.roundTrips, workload.targets),
    service ? (service.peakBytes / 1024 ** 2).toFixed(0) : '',
    cpu(service),
    rate(wordpress),
    cpu(wordpress),
    ratio(ratioTo(result, 'wordpress'), workload.targets.wordpress),
    rate(figures.get('cached')),
    rate(floor),
    cpu(floor),
    ratio(ratioTo(result, 'floor'), workload.targets.floor),
    rate(express),
    cpu(express),
    ratio(ratioTo(result, 'express'), workload.targets.express),
  ]
}

/** A contender's own time and the database's. */
function cpu(figures: Figures | undefined): string {
  return figures ? figure(figures.cpuMs + figures.databaseCpuMs) : ''
}

/** A figure that must be below its target, if it has one. */
const judged = (found: number, target: number | undefined): string =>
  target === undefined ? figure(found) : `${figure(found)} ${found < target ? '<' : '≥'} ${target}`

const roundTrips = (found: number, { roundTrips: target }: Workload['targets']): string =>
  target === undefined
    ? figure(found)
    : `${figure(found)} ${isWithin(found, target) ? '≤' : '>'} ${target}`

function ratio(found: number | undefined, target: number | undefined): string {
  if (found === undefined) return ''
  if (target === undefined) return figure(found)
  return `${figure(found)} ${found >= target ? '≥' : '<'} ${target}`
}

function rate(figures: Figures | undefined): string {
  if (!figures) return ''
  return `${figures.scaledFrom === undefined ? '' : '~'}${figure(figures.perSecond)}`
}
