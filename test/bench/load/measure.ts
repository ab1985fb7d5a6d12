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
  const { times, ms } = await runLoad(contender, load)
  const [own, database] = [figuresOf(pids), figuresOf(databasePids)]
  const asked = (await queries.read()) - queriesBefore
  const trips = await readRoundTrips?.()
  resetPeaks(pids)
  const requests = times.length
  return {
    requests,
    perSecond: (requests * 1000) / ms,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    queries: asked / requests,
    ...(trips === undefined || tripsBefore === undefined
      ? {}
      : { roundTrips: (trips - tripsBefore) / requests }),
    cpuMs: (own.cpuMs - before[0].cpuMs) / requests,
    databaseCpuMs: (database.cpuMs - before[1].cpuMs) / requests,
    peakBytes: own.peakBytes,
  }
}
