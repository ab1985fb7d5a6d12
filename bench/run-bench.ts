import { compareAnswers } from './compare-answers.ts'
import type { Contender, ContenderName } from './contender.ts'
import { type Figures, type Instruments, measure, scaled } from './load/measure.ts'
import { runLoad } from './load/run-load.ts'
import type { Stage } from './stage/stage.ts'
import type { Scene, Workload } from './workloads/workload.ts'

/** What the contenders showed under one workload. */
export type Result = {
  readonly workload: Workload
  readonly figures: ReadonlyMap<ContenderName, Figures>
}

export type Bench = {
  readonly stage: Stage
  readonly contenders: readonly Contender[]
  readonly instruments: Instruments
  /** Of load, for each contender and workload. */
  readonly seconds: number
  /** Is told of each measurement. */
  told(workload: Workload, name: ContenderName, figures: Figures): void
}

/** Gives the contenders each of these workloads. */
export async function runBench(bench: Bench, workloads: readonly Workload[]): Promise<Result[]> {
  const results: Result[] = []
  for (const workload of workloads) {
    const taking = bench.contenders.filter(({ name }) => workload.contenders[name] !== undefined)
    if (taking.length === 0) continue
    const scene = await workload.prepare(bench.stage)
    for (const contender of taking) await contender.forget?.()
    const figures = new Map<ContenderName, Figures>()
    const measured = taking.filter(({ name }) => workload.scaled?.[name] === undefined)
    if (isCompared(workload))
      for (const ask of scene.asks) await compareAnswers(workload, measured, ask)
    for (const contender of taking) {
      const found = measured.includes(contender)
        ? await loadOne(bench, workload, scene, contender)
        : scaledFrom(results, workload, contender.name)
      if (!found) continue
      figures.set(contender.name, found)
      bench.told(workload, contender.name, found)
    }
    results.push({ workload, figures })
  }
  return results
}

const isCompared = ({ contenders }: Workload): boolean =>
  Object.values(contenders).some((likeness) => likeness !== 'status')

/** Who takes this long over one request is asked no more, */
const SLOWEST_MS = 5000
/** and who would answer fewer in the time is asked this often, one request after the other. */
const FEWEST = 5
const WARM_UP_SECONDS = 2

async function loadOne(
  { seconds, instruments }: Bench,
  { connections, status }: Workload,
  { asks, meanwhile }: Scene,
  contender: Contender,
): Promise<Figures> {
  const alone = { asks, connections, status }
  const first = await measure(contender, { ...alone, until: { requests: 1 } }, instruments)
  if (first.p50 > SLOWEST_MS) return first
  const load = { ...alone, meanwhile }
  if (first.p50 * FEWEST < seconds * 1000) {
    await runLoad(contender, { ...load, until: { seconds: WARM_UP_SECONDS } })
    const figures = await measure(contender, { ...load, until: { seconds } }, instruments)
    if (figures.requests >= FEWEST) return figures
  }
  return measure(contender, { ...alone, until: { requests: FEWEST } }, instruments)
}

/** The figures of a smaller workload, if that one was measured. */
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
