import type { Contender } from '../contender.ts'
import { figuresOf, resetPeaks } from './process-figures.ts'
import type { QueryCount } from './query-count.ts'
import { type Load, percentile, runLoad } from './run-load.ts'

/** The measurements of one contender under one load. Times in milliseconds. */
export type Figures = {
  readonly requests: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  /** Database statements per request. */
  readonly queries: number
  /** Round trips to the database per request, if a proxy counts them. */
  readonly roundTrips?: number
  /** CPU time per request: the contender's, and the database's. */
  readonly cpuMs: number
  readonly databaseCpuMs: number
  /** The peak memory of the contender's processes since the previous measurement. */
  readonly peakBytes: number
  /** The smaller workload whose figures were multiplied. */
  readonly scaledFrom?: string
}

export type Instruments = {
  readonly queries: QueryCount
  readonly databasePids: readonly number[]
  /** The round trips of all clients so far; undefined if the contenders use the database directly. */
  readonly readRoundTrips?: (() => Promise<number>) | undefined
}

/** Puts a load on a contender and measures it. */
export async function measure(
  contender: Contender,
  load: Load,
  { queries, databasePids, readRoundTrips }: Instruments,
): Promise<Figures> {
  const pids = contender.processes()
  const before = [figuresOf(pids), figuresOf(databasePids)] as const
  const [queriesBefore, tripsBefore] = [await queries.read(), await readRoundTrips?.()]
  const { times, sent, ms } = await runLoad(contender, load)
  const [own, database] = [figuresOf(pids), figuresOf(databasePids)]
  const asked = (await queries.read()) - queriesBefore
  const trips = await readRoundTrips?.()
  resetPeaks(pids)
  return {
    requests: times.length,
    perSecond: (times.length * 1000) / ms,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    queries: asked / sent,
    ...(trips === undefined || tripsBefore === undefined
      ? {}
      : { roundTrips: (trips - tripsBefore) / sent }),
    cpuMs: (own.cpuMs - before[0].cpuMs) / sent,
    databaseCpuMs: (database.cpuMs - before[1].cpuMs) / sent,
    peakBytes: own.peakBytes,
  }
}

/** Estimates the figures for a request that is `times` as large, for a contender whose work grows linearly. */
export function scaled(figures: Figures, name: string, times: number): Figures {
  const { perSecond, p50, p99, queries, roundTrips, cpuMs, databaseCpuMs } = figures
  return {
    ...figures,
    perSecond: perSecond / times,
    p50: p50 * times,
    p99: p99 * times,
    queries: queries * times,
    ...(roundTrips === undefined ? {} : { roundTrips: roundTrips * times }),
    cpuMs: cpuMs * times,
    databaseCpuMs: databaseCpuMs * times,
    scaledFrom: name,
  }
}
