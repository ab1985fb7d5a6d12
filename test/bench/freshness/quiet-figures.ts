import { setTimeout as sleep } from 'node:timers/promises'
import type { SqlDatabase } from '../../support/open-database.ts'
import { figuresOf, resetPeaks } from '../load/process-figures.ts'
import { QueryCount } from '../load/query-count.ts'

/** A service without requests, on a network without edits. Shares of one core. */
export type QuietFigures = {
  readonly seconds: number
  readonly serviceCpu: number
  readonly databaseCpu: number
  readonly statementsPerSecond: number
  /** Resident memory of the service, in bytes: its peak in this time. */
  readonly peakBytes: number
}

/** The processes whose work is measured. */
export type Measured = {
  readonly db: SqlDatabase
  readonly servicePids: readonly number[]
  readonly databasePids: readonly number[]
}

/** Measures a time without requests and edits. */
export async function measureQuiet(
  { db, servicePids, databasePids }: Measured,
  seconds: number,
): Promise<QuietFigures> {
  resetPeaks(servicePids)
  const queries = new QueryCount(db)
  const statements = await queries.read()
  const before = [figuresOf(servicePids), figuresOf(databasePids)] as const
  const begin = performance.now()
  await sleep(seconds * 1000)
  const [service, database] = [figuresOf(servicePids), figuresOf(databasePids)]
  const ms = performance.now() - begin
  return {
    seconds,
    serviceCpu: (service.cpuMs - before[0].cpuMs) / ms,
    databaseCpu: (database.cpuMs - before[1].cpuMs) / ms,
    statementsPerSecond: (((await queries.read()) - statements) * 1000) / ms,
    peakBytes: service.peakBytes,
  }
}

const LOOK_MS = 20
/** Pauses between the statements of a round are shorter than this, in milliseconds. */
const MAX_GAP_MS = 100
/** This process itself. */
const OWN_THREADS = 1

/**
 * Measures how long a round of the poll takes, in milliseconds, by the times at which the database has statements to run: the median of the
 * longest such times, one for each round.
 * @param intervalMs pause between two rounds
 */
export async function measureRound(
  db: SqlDatabase,
  seconds: number,
  intervalMs: number,
): Promise<number> {
  const bursts: number[] = []
  const begin = performance.now()
  let [burstBegin, lastBusy] = [0, -Infinity]
  let known = await readActivity(db)
  while (performance.now() - begin < seconds * 1000) {
    const lookedAt = performance.now()
    await sleep(LOOK_MS)
    const activity = await readActivity(db)
    const isBusy = activity.questions - known.questions > 1 || activity.running > OWN_THREADS
    known = activity
    if (!isBusy) continue
    if (lookedAt - lastBusy > MAX_GAP_MS) {
      if (lastBusy > 0) bursts.push(lastBusy - burstBegin)
      burstBegin = lookedAt
    }
    lastBusy = performance.now()
  }
  bursts.sort((a, b) => b - a)
  const rounds = Math.max(1, Math.floor((seconds * 1000) / (intervalMs + (bursts[0] ?? 0))))
  return bursts.slice(0, rounds)[Math.floor(Math.min(rounds, bursts.length) / 2)] ?? 0
}

/** Statements that the server has received, and threads that run one. */
async function readActivity(db: SqlDatabase): Promise<{ questions: number; running: number }> {
  const [rows] = await db.sql.raw(
    "SHOW GLOBAL STATUS WHERE Variable_name IN ('Questions', 'Threads_running')",
  )
  const read = (name: string): number =>
    Number(rows.find((row: { Variable_name: string }) => row.Variable_name === name)?.Value)
  return { questions: read('Questions'), running: read('Threads_running') }
}
