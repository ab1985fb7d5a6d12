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
  /** The most memory that the contender's processes held during it. */
  readonly peakBytes: number
  /** The figures are those of a smaller load, multiplied. */
  readonly extrapolatedFrom?: string
}

export type Instruments = { readonly queries: QueryCount; readonly databasePids: readonly number[] }

/** Loads a contender and says what it took. */
export async function measure(
  contender: Contender,
  load: Load,
  { queries, databasePids }: Instruments,
): Promise<Figures> {
  const pids = contender.processes()
  resetPeaks(pids)
  const before = {
    own: figuresOf(pids),
    database: figuresOf(databasePids),
    queries: await queries.read(),
  }
  const { times, sent, ms } = await runLoad(contender, load)
  const [own, database] = [figuresOf(pids), figuresOf(databasePids)]
  const asked = await queries.read()
  const requests = times.length
  return {
    requests,
    perSecond: (requests * 1000) / ms,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    queries: (asked - before.queries) / sent,
    cpuMs: (own.cpuMs - before.own.cpuMs) / sent,
    databaseCpuMs: (database.cpuMs - before.database.cpuMs) / sent,
    peakBytes: own.peakBytes,
  }
}
