import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareAnswers } from './compare-answers.ts'
import type { Contender, ContenderName } from './contender.ts'
import { type Figures, measure } from './load/measure.ts'
import { QueryCount } from './load/query-count.ts'
import { runLoad } from './load/run-load.ts'
import type { Options } from './options.ts'
import { openStageDatabase } from './stage/open-database.ts'
import { startFloor } from './stage/start-floor.ts'
import { startService } from './stage/start-service.ts'
import type { Undo } from './stage/undo.ts'
import { startWordPress } from './wordpress/start-wordpress.ts'
import type { Workload } from './workloads/workload.ts'
import { workloads } from './workloads/workloads.ts'

/** What the contenders showed under one workload. */
export type Result = {
  readonly workload: Workload
  readonly figures: ReadonlyMap<ContenderName, Figures>
}

const WARM_UP_SECONDS = 1

/** Brings everybody up and gives them each workload that is asked for. */
export async function runBench(options: Options, undo: Undo): Promise<Result[]> {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-bench-'))
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  console.log('Starting the database and the contenders')
  const database = await openStageDatabase(folder, undo)
  const service = await startService(database, folder, undo)
  const contenders: Contender[] = [service]
  const isAsked = (name: ContenderName) =>
    options.contenders.length === 0 || options.contenders.includes(name)
  if (isAsked('floor')) contenders.push(await startFloor(database, folder, undo))
  if (isAsked('wordpress')) contenders.push(await startWordPress(database, folder, undo))
  const instruments = { queries: new QueryCount(database.db), databasePids: database.pids }
  const results: Result[] = []
  for (const workload of chosen(options)) {
    const asks = await workload.prepare({ database, service })
    const taking = contenders.filter(({ name }) => workload.contenders.includes(name))
    for (const ask of asks) await compareAnswers(taking, ask, workload.status)
    const figures = new Map<ContenderName, Figures>()
    for (const contender of taking.filter(({ name }) => isAsked(name))) {
      const { connections, status } = workload
      const load = { asks, connections, status }
      await runLoad(contender, { ...load, until: { seconds: WARM_UP_SECONDS } })
      const found = await measure(
        contender,
        { ...load, until: { seconds: options.seconds } },
        instruments,
      )
      figures.set(contender.name, found)
      const { perSecond, p50, p99, queries } = found
      console.log(
        `${workload.title.padEnd(24)} ${contender.name.padEnd(10)} ${perSecond.toFixed(0).padStart(7)}/s   p50 ${p50.toFixed(2)} ms   p99 ${p99.toFixed(2)} ms   ${queries.toFixed(1)} queries`,
      )
    }
    results.push({ workload, figures })
  }
  return results
}

function chosen({ only }: Options): Workload[] {
  return workloads.filter(
    ({ name }) => only.length === 0 || only.some((beginning) => name.startsWith(beginning)),
  )
}
