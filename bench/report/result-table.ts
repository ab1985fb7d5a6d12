import type { Figures } from '../load/measure.ts'
import type { Result } from '../run-bench.ts'
import { figure } from './figure.ts'
import { ratioTo } from './verdicts.ts'

const HEAD = [
  'work',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'queries',
  'MB',
  'CPU ms',
  'WordPress/s',
  'CPU ms',
  'by WordPress',
  'cached/s',
  'floor/s',
  'CPU ms',
  'by the floor',
] as const

/** Formats the figures as a Markdown table with a line per workload: the service, then the others and the ratio to them. */
export function resultTable(results: readonly Result[]): string {
  const rows: (readonly string[])[] = [HEAD, ...results.map(rowOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]): string => {
    const padded = widths.map((width, column) =>
      column === 0 ? (cells[0] ?? '').padEnd(width) : (cells[column] ?? '').padStart(width),
    )
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [line(HEAD), line(rule), ...rows.slice(1).map(line)].join('\n')
}

function rowOf(result: Result): string[] {
  const { workload, figures } = result
  const [service, wordpress] = [figures.get('service'), figures.get('wordpress')]
  const floor = figures.get('floor')
  return [
    workload.title,
    rate(service),
    service ? figure(service.p50) : '',
    service ? figure(service.p99) : '',
    service ? figure(service.queries) : '',
    service ? (service.peakBytes / 1024 ** 2).toFixed(0) : '',
    cpu(service),
    rate(wordpress),
    cpu(wordpress),
    ratio(ratioTo(result, 'wordpress'), workload.targets.wordpress),
    rate(figures.get('cached')),
    rate(floor),
    cpu(floor),
    ratio(ratioTo(result, 'floor'), workload.targets.floor),
  ]
}

/** A contender's own time and the database's. */
function cpu(figures: Figures | undefined): string {
  return figures ? figure(figures.cpuMs + figures.databaseCpuMs) : ''
}

function ratio(found: number | undefined, target: number | undefined): string {
  if (found === undefined) return ''
  if (target === undefined) return figure(found)
  return `${figure(found)} ${found >= target ? '≥' : '<'} ${target}`
}

function rate(figures: Figures | undefined): string {
  if (!figures) return ''
  return `${figures.scaledFrom === undefined ? '' : '~'}${figure(figures.perSecond)}`
}
