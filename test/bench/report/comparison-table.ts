import type { Figures } from '../load/measure.ts'
import type { Result } from '../run-bench.ts'
import { alignedTable } from './aligned-table.ts'
import type { RunDescription } from './describe-run.ts'
import { figure } from './figure.ts'
import type { EarlierRun } from './read-results.ts'

type Measured = Pick<Figures, 'perSecond' | 'cpuMs' | 'databaseCpuMs' | 'queries'> & {
  readonly roundTrips?: number | undefined
}
type Run = Pick<RunDescription, 'date' | 'commit' | 'remoteDelayMs'> & {
  readonly machine: Pick<RunDescription['machine'], 'processor' | 'cores'>
}

/** A figure of a workload; undefined if a necessary contender was not measured. */
type Reading = (
  by: (name: 'service' | 'wordpress' | 'express') => Measured | undefined,
) => number | undefined

/** Rates are compared only with those of another contender in the same run, because machines and their load differ. */
const READINGS: readonly (readonly [head: string, reading: Reading])[] = [
  ['by WordPress', (by) => quotient(by('service')?.perSecond, by('wordpress')?.perSecond)],
  ['by Express', (by) => quotient(by('service')?.perSecond, by('express')?.perSecond)],
  ['CPU ms', (by) => cpuOf(by('service'))],
  ['CPU by WordPress', (by) => quotient(cpuOf(by('wordpress')), cpuOf(by('service')))],
  ['CPU by Express', (by) => quotient(cpuOf(by('express')), cpuOf(by('service')))],
  ['queries', (by) => by('service')?.queries],
  ['round trips', (by) => by('service')?.roundTrips],
]

/**
 * A line for each workload of both runs, with each ratio in the earlier run, in this one, and the change in percent. "CPU by" is the CPU time of
 * the other contender divided by the service's: a load of other programs changes it less than the rates.
 */
export function comparisonTable(earlier: EarlierRun, results: readonly Result[]): string {
  const rows = results.flatMap(({ workload, figures }) => {
    const before = earlier.results.find(({ name }) => name === workload.name)?.figures
    if (!before) return []
    const cells = READINGS.map(([, read]) => {
      const [old, current] = [read((name) => before[name]), read((name) => figures.get(name))]
      return old === undefined || current === undefined ? '' : changeText(old, current)
    })
    return [[workload.title, ...cells]]
  })
  if (rows.length === 0) return 'The earlier run has none of these workloads.'
  return alignedTable([['work', ...READINGS.map(([head]) => head)], ...rows])
}

/** What is compared, and a warning if the CPU times come from different machines, or only one of the runs had a remote database. */
export function comparisonTitle(earlier: EarlierRun, run: Run): string {
  const title = `Compared with ${earlier.date} ${earlier.commit}: earlier → now, change`
  const isSame =
    earlier.machine.processor === run.machine.processor &&
    earlier.machine.cores === run.machine.cores
  const { processor, cores } = earlier.machine
  return [
    title,
    ...(isSame
      ? []
      : [
          `The earlier run had ${cores} cores of ${processor}: its CPU ms do not compare with this run's.`,
        ]),
    ...(earlier.remoteDelayMs === run.remoteDelayMs
      ? []
      : [
          `The earlier run had ${earlier.remoteDelayMs ?? 0} ms each way to the database, and this one ${run.remoteDelayMs ?? 0} ms: their ratios do not compare.`,
        ]),
  ].join('\n')
}

/** `2.50 → 5.00  +100%`. */
function changeText(old: number, current: number): string {
  const percent = old === 0 ? '' : signed(Math.round((current / old - 1) * 100))
  return `${figure(old)} → ${figure(current)} ${percent.padStart(5)}`
}

const signed = (percent: number): string => `${percent > 0 ? '+' : ''}${percent}%`

const cpuOf = (figures: Measured | undefined): number | undefined =>
  figures && figures.cpuMs + figures.databaseCpuMs

const quotient = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined || b === 0 ? undefined : a / b
