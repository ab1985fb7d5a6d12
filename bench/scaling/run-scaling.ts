import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Contender } from '../contender.ts'
import { figuresOf } from '../load/process-figures.ts'
import { percentile, runLoad } from '../load/run-load.ts'
import { type BenchDatabase, openBenchDatabase } from '../setup/open-database.ts'
import { startService, staticDir } from '../setup/start-service.ts'
import { Undo } from '../setup/undo.ts'
import { chooseWorkloads } from '../workloads/choose-workloads.ts'
import type { PreparedWorkload, Workload } from '../workloads/workload.ts'

/** The rate of a workload with a number of worker processes. */
export type ScalingFigures = {
  readonly title: string
  readonly workers: number
  readonly perSecond: number
  /** In milliseconds. */
  readonly p50: number
  readonly p99: number
  /** CPU time per second, which is the number of cores that each has used. */
  readonly cores: {
    /** Of each process of the service: several with worker processes. */
    readonly service: readonly number[]
    readonly database: number
    readonly load: number
  }
}

const WORKERS = [1, 2]
/** Reads only: the writes of a site run one after the other. */
const WORKLOADS = ['token-check', 'menu-read-50', 'frame-reads-2k', 'menus-list']
const CONNECTIONS = 20
const WARM_UP_SECONDS = 3
/** Until the last worker process listens, and the memory of new processes has settled. */
const SETTLE_MS = 3000

/**
 * Measures the service with one and with two worker processes, each alone on the machine, on one database.
 * @param seconds duration of each load
 * @param onMeasured called after each measurement
 */
export async function runScaling(
  seconds: number,
  undo: Undo,
  onMeasured: (figures: ScalingFigures) => void,
): Promise<ScalingFigures[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-scaling-'))
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  const database = await openBenchDatabase(folder, undo)
  const results: ScalingFigures[] = []
  for (const workers of WORKERS) {
    const processes = new Undo()
    undo.add(() => processes.run())
    const service = await startService(database, folder, processes, {
      name: `service-${workers}`,
      env: { WORKERS: String(workers) },
    })
    await sleep(SETTLE_MS)
    for (const workload of chooseWorkloads(WORKLOADS)) {
      const setup = { database, service, staticDir: staticDir(folder) }
      const prepared = await workload.prepare(setup)
      const figures = await loadOne(service, database, { workload, prepared, workers, seconds })
      results.push(figures)
      onMeasured(figures)
    }
    await processes.run()
  }
  return results
}

type Measured = {
  readonly workload: Workload
  readonly prepared: PreparedWorkload
  readonly workers: number
  readonly seconds: number
}

async function loadOne(
  service: Contender,
  database: BenchDatabase,
  { workload: { title, status }, prepared: { asks }, workers, seconds }: Measured,
): Promise<ScalingFigures> {
  const load = { asks, status, connections: CONNECTIONS }
  await runLoad(service, { ...load, until: { seconds: WARM_UP_SECONDS } })
  const pids = service.processes()
  const cpuMs = () => [...pids, ...database.pids].map((pid) => figuresOf([pid]).cpuMs)
  const before = cpuMs()
  const own = process.cpuUsage()
  const begin = performance.now()
  const { times, ms } = await runLoad(service, { ...load, until: { seconds } })
  const elapsed = performance.now() - begin
  const used = process.cpuUsage(own)
  const cores = cpuMs().map((after, index) => (after - (before[index] ?? 0)) / elapsed)
  return {
    title,
    workers,
    perSecond: (times.length * 1000) / ms,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cores: {
      service: cores.slice(0, pids.length),
      database: cores.slice(pids.length).reduce((sum, one) => sum + one, 0),
      load: (used.user + used.system) / 1000 / elapsed,
    },
  }
}
