import type { Figures } from '../load/measure.ts'
import type { Result } from '../run-bench.ts'
import { type Ratio, ratiosOf } from './ratios.ts'

const HEAD = [
  'work',
  'requests/s',
  'p50 ms',
  'p99 ms',
  'queries',
  'CPU ms',
  'MB',
  'WordPress/s',
  'times WordPress',
  'floor/s',
  'of the floor',
] as const

/** The figures as a table in Markdown, a line for each workload: the service's own, then how it stands to the others. */
export function resultTable(results: readonly Result[]): string {
  const rows = [HEAD, ...results.map(rowOf)]
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) => {
    const padded = cells.map((cell, column) => {
      const width = widths[column] ?? 0
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map((width, column) =>
    column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [line(HEAD), line(rule), ...rows.slice(1).map(line)].join('\n')
}

function rowOf(result: Result): string[] {
  const { workload, figures } = result
  const ratios = ratiosOf(result)
  const of = (name: Ratio['to']) => told(ratios.find(({ to }) => to === name))
  const service = figures.get('service')
  return [
    workload.title,
    ...(service ? ownCells(service) : ['', '', '', '', '', '']),
    rate(figures.get('wordpress')),
    of('wordpress'),
    rate(figures.get('floor')),
    of('floor'),
  ]
}

function ownCells(figures: Figures): string[] {
  const { p50, p99, queries, cpuMs, databaseCpuMs, peakBytes } = figures
  return [
    rate(figures),
    number(p50),
    number(p99),
    number(queries),
    `${number(cpuMs)} + ${number(databaseCpuMs)}`,
    (peakBytes / 1024 ** 2).toFixed(0),
  ]
}

function told(found: Ratio | undefined): string {
  if (!found) return ''
  const { ratio, target } = found
  if (target === undefined) return number(ratio)
  return `${number(ratio)} ${ratio >= target ? '≥' : '**<**'} ${target}`
}

function rate(figures: Figures | undefined): string {
  if (!figures) return ''
  return `${figures.extrapolatedFrom === undefined ? '' : '~'}${number(figures.perSecond)}`
}

/** Three digits that count, or a whole number. */
function number(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
