import { groupBy } from '../../src/group-by.ts'
import type { ScalingFigures } from '../scaling/run-scaling.ts'
import { alignedTable } from './aligned-table.ts'
import { figure } from './figure.ts'

const HEAD = [
  'work',
  'workers',
  'requests/s',
  'by one',
  'p50 ms',
  'p99 ms',
  'CPU ms',
  'service',
  'of it workers',
  'database',
  'load generator',
]

/**
 * A Markdown table: for each work the rates, their ratio to the rate of one process, the CPU time of service and database for each request, and
 * the cores that were used.
 */
export function scalingTable(results: readonly ScalingFigures[]): string {
  const works = groupBy(results, ({ title }) => title)
  const rows = [...works.values()].flatMap((same) => same.map((figures) => row(figures, same)))
  return alignedTable([HEAD, ...rows])
}

function row(figures: ScalingFigures, [first = figures]: readonly ScalingFigures[]): string[] {
  const { title, workers, perSecond, p50, p99, cores } = figures
  const service = cores.service.reduce((sum, one) => sum + one, 0)
  return [
    title,
    String(workers),
    figure(perSecond),
    first === figures ? '' : figure(perSecond / first.perSecond),
    figure(p50),
    figure(p99),
    figure(((service + cores.database) * 1000) / perSecond),
    figure(service),
    workers > 1 ? cores.service.filter(isBusy).map(figure).join(' + ') : '',
    figure(cores.database),
    figure(cores.load),
  ]
}

/** The primary process and guards do almost nothing. */
const isBusy = (cores: number): boolean => cores >= 0.02

/** A line for one measurement. */
export function scalingLine({
  title,
  workers,
  perSecond,
  p50,
  p99,
  cores,
}: ScalingFigures): string {
  const service = cores.service.filter(isBusy).map(figure).join(' + ')
  return [
    title.padEnd(26),
    `${workers} worker process(es)`,
    `${figure(perSecond).padStart(6)}/s`,
    `p50 ${figure(p50)} p99 ${figure(p99)} ms`,
    `cores: service ${service}, database ${figure(cores.database)}, load generator ${figure(cores.load)}`,
  ].join('  ')
}
