import { compareAnswers } from './compare-answers.ts'
import type { Contender, ContenderName } from './contender.ts'
import { type Figures, type Instruments, measure, scaled } from './load/measure.ts'
import { runLoad } from './load/run-load.ts'
import type { BenchSetup } from './setup/bench-setup.ts'
import type { PreparedWorkload, Workload } from './workloads/workload.ts'

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
    const prepared = await workload.prepare(bench.setup)
    for (const contender of participants) await contender.clearCache?.()
    const figures = new Map<ContenderName, Figures>()
    const measured = participants.filter(({ name }) => workload.scaled?.[name] === undefined)
    if (isCompared(workload))
      for (const ask of prepared.asks) await compareAnswers(workload, measured, ask)
    await workload.compare?.(bench.setup, measured)
    for (const contender of participants) {
      const found = measured.includes(contender)
        ? await loadOne(bench, workload, prepared, contender)
        : scaledFrom(results, workload, contender.name)
      if (!found) continue
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
  { asks, meanwhile }: PreparedWorkload,
  contender: Contender,
): Promise<Figures> {
  const alone = { asks, connections, status }
  const first = await measure(contender, { ...alone, until: { requests: 1 } }, instruments)
  if (first.p50 > slowestMs) return first
  const load = { ...alone, meanwhile }
  if (first.p50 * FEWEST < seconds * 1000) {
    await runLoad(contender, { ...load, until: { seconds: warmUpSeconds } })
    const figures = await measure(contender, { ...load, until: { seconds } }, instruments)
    if (figures.requests >= FEWEST) return figures
  }
  return measure(contender, { ...alone, until: { requests: FEWEST } }, instruments)
}

/** The figures of a smaller workload, multiplied, if that workload was measured. */
function scaledFrom(
  results: readonly Result[],
  workload: Workload,
  contender: ContenderName,
): Figures | undefined {
  const from = workload.scaled?.[contender]
  const smaller = results.find((result) => result.workload.name === from?.name)
  const figures = smaller?.figures.get(contender)
  return from && figures && scaled(figures, from.name, from.times)
}
