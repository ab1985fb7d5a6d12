import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONTENDERS } from './contender.ts'
import { QueryCount } from './load/query-count.ts'
import type { Options } from './options.ts'
import { busyWarning, describeMachine, type RunDescription } from './report/describe-run.ts'
import { growthLine, growths } from './report/growth.ts'
import { measurementLine } from './report/measurement-line.ts'
import { resultTable } from './report/result-table.ts'
import { verdicts } from './report/verdicts.ts'
import { writeReadme } from './report/write-readme.ts'
import { writeResults } from './report/write-results.ts'
import { runBench } from './run-bench.ts'
import { openStageDatabase } from './stage/open-database.ts'
import { startContenders } from './stage/start-contenders.ts'
import { startService, staticDir } from './stage/start-service.ts'
import type { Undo } from './stage/undo.ts'
import { FPM_WORKERS } from './wordpress/start-wordpress.ts'
import { chooseWorkloads } from './workloads/choose-workloads.ts'

/** One run as it is asked for, from an empty folder to what is printed and written. */
export async function bench(options: Options, undo: Undo): Promise<void> {
  const begin = performance.now()
  const workloads = chooseWorkloads(options.only)
  const described = describeMachine()
  const warning = busyWarning(described)
  if (warning !== undefined) console.log(warning)
  console.log('Starting the database and the contenders')

  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-bench-'))
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  const database = await openStageDatabase(folder, undo)
  const service = await startService(database, folder, undo)
  const stage = { database, service, staticDir: staticDir(folder) }
  const { contenders, versions } = await startContenders(stage, options.contenders, folder, undo)

  const results = await runBench(
    {
      stage,
      contenders,
      instruments: { queries: new QueryCount(database.db), databasePids: database.pids },
      seconds: options.seconds,
      told: (...measured) => console.log(measurementLine(...measured)),
    },
    workloads,
  )

  const run: RunDescription = {
    ...described,
    secondsEach: options.seconds,
    fpmWorkers: FPM_WORKERS,
    versions,
  }
  const judged = verdicts(results)
  const told = [
    [resultTable(results)],
    growths(results).map(growthLine),
    judged.map(({ sentence }) => sentence),
  ]
  for (const lines of told) if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
  const isWhole = options.only.length === 0 && contenders.length === CONTENDERS.length
  if (isWhole) writeResults(run, results, judged)
  else console.log('\nThis was a part of it: bench/results.json stays as it is.')
  if (options.readme) writeReadme(run, results, judged)
  console.log(`\n${Math.round((performance.now() - begin) / 1000)} seconds`)
}
