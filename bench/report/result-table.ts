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
  'CPU ms',
  'MB',
  'WordPress/s',
  'by WordPress',
  'floor/s',
  'by the floor',
] as const

/** The figures as a table in Markdown, a line for each workload: the service's own, then the others and how it stands to them. */
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
  const service = figures.get('service')
  return [
    workload.title,
    ...(service ? ownCells(service) : ['', '', '', '', '', '']),
    rate(figures.get('wordpress')),
    ratio(ratioTo(result, 'wordpress'), workload.targets.wordpress),
    rate(figures.get('floor')),
    ratio(ratioTo(result, 'floor'), workload.targets.floor),
  ]
}

/** Of CPU: the service's own time and the database's. */
function ownCells(figures: Figures): string[] {
  const { p50, p99, queries, cpuMs, databaseCpuMs, peakBytes } = figures
  return [
    rate(figures),
    figure(p50),
    figure(p99),
    figure(queries),
    `${figure(cpuMs)} + ${figure(databaseCpuMs)}`,
    (peakBytes / 1024 ** 2).toFixed(0),
  ]
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
