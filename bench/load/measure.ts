import type { Contender } from '../contender.ts'
import { figuresOf, resetPeaks } from './process-figures.ts'
import type { QueryCount } from './query-count.ts'
import { type Load, percentile, runLoad } from './run-load.ts'

/** What one contender showed under one load. Times in milliseconds. */
export type Figures = {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Statements to the database for each request. */
  readonly queries: number
  /** Time of the processors for each request: the contender's own, and the database's. */
  readonly cpuMs: number
  readonly databaseCpuMs: number
  /** The most memory that the contender's processes held since the measurement before. */
  readonly peakBytes: number
  /** The workload whose figures these are, multiplied. */
  readonly scaledFrom?: string
}

export type Instruments = { readonly queries: QueryCount; readonly databasePids: readonly number[] }

/** Loads a contender and says what it took. */
export async function measure(
  contender: Contender,
  load: Load,
  { queries, databasePids }: Instruments,
): Promise<Figures> {
  const pids = contender.processes()
  const before = [figuresOf(pids), figuresOf(databasePids)] as const
  const queriesBefore = await queries.read()
  const { times, sent, ms } = await runLoad(contender, load)
  const [own, database] = [figuresOf(pids), figuresOf(databasePids)]
  const asked = (await queries.read()) - queriesBefore
  resetPeaks(pids)
  return {
    requests: times.length,
    perSecond: (times.length * 1000) / ms,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    queries: asked / sent,
    cpuMs: (own.cpuMs - before[0].cpuMs) / sent,
    databaseCpuMs: (database.cpuMs - before[1].cpuMs) / sent,
    peakBytes: own.peakBytes,
  }
}

/** What a request that is so many times larger would take of a contender that does one thing after the other. */
export function scaled(figures: Figures, name: string, times: number): Figures {
  const { perSecond, p50, p99, queries, cpuMs, databaseCpuMs } = figures
  return {
    ...figures,
    perSecond: perSecond / times,
    p50: p50 * times,
    p99: p99 * times,
    queries: queries * times,
    cpuMs: cpuMs * times,
    databaseCpuMs: databaseCpuMs * times,
    scaledFrom: name,
  }
}
