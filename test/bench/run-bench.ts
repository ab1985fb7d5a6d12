import { compareAnswers } from './compare-answers.ts'
import type { Ask, Contender, ContenderName } from './contender.ts'
import { type Figures, type Instruments, measure } from './load/measure.ts'
import { runLoad } from './load/run-load.ts'

import type { BenchSetup, Workload } from './workloads/workload.ts'

/** The measurements of the contenders with one workload. */
export type Result = {
  readonly workload: Workload
  readonly figures: ReadonlyMap<ContenderName, Figures>
}

export type Bench = {
  readonly setup: BenchSetup
  readonly contenders: readonly Contender[]
  readonly instruments: Instruments
  /** Duration of the load for each contender and workload. */
  readonly seconds: number
  /** Duration of the same load before it, which is not measured. */
  readonly warmUpSeconds: number
  /** A contender that takes longer than this for one request gets no further requests, in milliseconds. */
  readonly slowestMs: number
  /** Called after each measurement. */
  onMeasured(workload: Workload, name: ContenderName, figures: Figures): void
}

/** Runs each of these workloads with each contender. */
export async function runBench(bench: Bench, workloads: readonly Workload[]): Promise<Result[]> {
  const results: Result[] = []
  for (const workload of workloads) {
    const participants = bench.contenders.filter(
      ({ name }) => workload.contenders[name] !== undefined,
    )
    if (participants.length === 0) continue
    const asks = await workload.prepare(bench.setup)
    for (const contender of participants) await contender.clearCache?.()
    const figures = new Map<ContenderName, Figures>()
    if (isCompared(workload))
      for (const ask of asks) await compareAnswers(workload, participants, ask)
    for (const contender of participants) {
      const found = await loadOne(bench, workload, asks, contender)
      figures.set(contender.name, found)
      bench.onMeasured(workload, contender.name, found)
    }
    await workload.cleanUp?.(bench.setup)
    results.push({ workload, figures })
  }
  return results
}

const isCompared = ({ contenders }: Workload): boolean =>
  Object.values(contenders).some((likeness) => likeness !== 'status')

/** A contender that would answer fewer requests in the time gets this many, one after the other. */
const FEWEST = 5

async function loadOne(
  { seconds, warmUpSeconds, slowestMs, instruments }: Bench,
  { connections, status }: Workload,
  asks: readonly Ask[],
  contender: Contender,
): Promise<Figures> {
  const load = { asks, connections, status }
  const first = await measure(contender, { ...load, until: { requests: 1 } }, instruments)
  if (first.p50 > slowestMs) return first
  if (first.p50 * FEWEST < seconds * 1000) {
    await runLoad(contender, { ...load, until: { seconds: warmUpSeconds } })
    const figures = await measure(contender, { ...load, until: { seconds } }, instruments)
    if (figures.requests >= FEWEST) return figures
  }
  return measure(contender, { ...load, until: { requests: FEWEST } }, instruments)
}
