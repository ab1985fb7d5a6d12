import { readFileSync, writeFileSync } from 'node:fs'
import type { ContenderName } from '../contender.ts'
import type { Figures } from '../load/measure.ts'
import type { Result } from '../run-bench.ts'
import type { RunDescription } from './describe-run.ts'
import { cpuOf } from './result-table.ts'
import { alignedTable, figure } from './table.ts'

/** The workloads of a run, as a file of `--out` has them. */
export type StoredRun = RunDescription & {
  /** Delay of each direction to the database, if there was one. */
  readonly remoteDelayMs?: number
  readonly results: readonly {
    readonly name: string
    readonly figures: Readonly<Partial<Record<ContenderName, Figures>>>
  }[]
}

/** Writes all measurements to a file, which `readRun` reads. */
export function writeRun(
  file: string,
  run: Omit<StoredRun, 'results'>,
  results: readonly Result[],
): void {
  const stored: StoredRun = {
    ...run,
    results: results.map(({ workload: { name }, figures }) => ({
      name,
      figures: Object.fromEntries(figures),
    })),
  }
  const rounded = (_key: string, value: unknown): unknown =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value
  writeFileSync(file, `${JSON.stringify(stored, rounded, 2)}\n`)
}

/** @throws Error if the file is missing or is no file of `writeRun` */
export function readRun(file: string): StoredRun {
  const advice = 'Give a file that "npm run bench -- --out <file>" has written.'
  try {
    const run: StoredRun = JSON.parse(readFileSync(file, 'utf8'))
    if (Array.isArray(run.results)) return run
  } catch (error) {
    throw new Error(`--compare cannot read ${file}: ${(error as Error).message}. ${advice}`)
  }
  throw new Error(`${file} contains no results of the benchmark. ${advice}`)
}

/** A figure of a workload; undefined if a necessary contender was not measured. */
type Reading = (by: (name: ContenderName) => Figures | undefined) => number | undefined

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
export function comparisonTable(earlier: StoredRun, results: readonly Result[]): string {
  const rows = results.flatMap(({ workload, figures }) => {
    const before = earlier.results.find(({ name }) => name === workload.name)?.figures
    if (!before) return []
    const cells = READINGS.map(([, read]) =>
      changeText(
        read((name) => before[name]),
        read((name) => figures.get(name)),
      ),
    )
    return [[workload.title, ...cells]]
  })
  if (rows.length === 0) return 'The earlier run has none of these workloads.'
  return alignedTable([['work', ...READINGS.map(([head]) => head)], ...rows])
}

/** What is compared, and a warning if the CPU times come from different machines, or only one of the runs had a remote database. */
export function comparisonTitle(earlier: StoredRun, run: Omit<StoredRun, 'results'>): string {
  const { processor, cores } = earlier.machine
  const isSameMachine = processor === run.machine.processor && cores === run.machine.cores
  const [before, now] = [earlier.remoteDelayMs ?? 0, run.remoteDelayMs ?? 0]
  return [
    `Compared with ${earlier.date} ${earlier.commit}: earlier → now, change`,
    ...(isSameMachine
      ? []
      : [
          `The earlier run had ${cores} cores of ${processor}: its CPU ms do not compare with this run's.`,
        ]),
    ...(before === now
      ? []
      : [
          `The earlier run had ${before} ms each way to the database, and this one ${now} ms: their ratios do not compare.`,
        ]),
  ].join('\n')
}

/** `2.50 → 5.00  +100%`. */
function changeText(old: number | undefined, current: number | undefined): string {
  if (old === undefined || current === undefined) return ''
  const change = Math.round((current / old - 1) * 100)
  const percent = old === 0 ? '' : `${change > 0 ? '+' : ''}${change}%`
  return `${figure(old)} → ${figure(current)} ${percent.padStart(5)}`
}

const quotient = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined || b === 0 ? undefined : a / b
