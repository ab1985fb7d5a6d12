/**
 * Measures the service, WordPress and the floor beside each other; see `options.ts` for what it takes. Nothing of it stays but
 * `bench/results.json` and, where asked for, the table in the README.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONTENDERS, type Contender } from './contender.ts'
import { QueryCount } from './load/query-count.ts'
import { type Options, parseOptions, USAGE } from './options.ts'
import { busyWarning, describeMachine, type RunDescription } from './report/describe-run.ts'
import { measurementLine } from './report/measurement-line.ts'
import { resultTable } from './report/result-table.ts'
import { verdicts } from './report/verdicts.ts'
import { writeReadme } from './report/write-readme.ts'
import { writeResults } from './report/write-results.ts'
import { runBench } from './run-bench.ts'
import { openStageDatabase } from './stage/open-database.ts'
import { startFloor } from './stage/start-floor.ts'
import { startService, staticDir } from './stage/start-service.ts'
import { Undo } from './stage/undo.ts'
import { FPM_WORKERS, startWordPress } from './wordpress/start-wordpress.ts'
import { workloads } from './workloads/workloads.ts'

const undo = new Undo()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, async () => {
    await undo.run()
    process.exit(130)
  })
}

try {
  const options = parseOptions(process.argv.slice(2))
  if (options.help) console.log(`${USAGE}\n${workloadNames()}`)
  else await bench(options)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await undo.run()
}

async function bench({ only, contenders: asked, seconds, readme }: Options): Promise<void> {
  const begin = performance.now()
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-bench-'))
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  const described = describeMachine()
  console.log(busyWarning(described) ?? '')
  console.log('Starting the database and the contenders')
  const database = await openStageDatabase(folder, undo)
  const service = await startService(database, folder, undo)
  const wordpress = asked.includes('wordpress') && (await startWordPress(database, folder, undo))
  const contenders: Contender[] = [
    ...(asked.includes('service') ? [service] : []),
    ...(asked.includes('floor') ? [await startFloor(database, folder, undo)] : []),
    ...(wordpress ? [wordpress] : []),
  ]
  const results = await runBench(
    {
      stage: { database, service, staticDir: staticDir(folder) },
      contenders,
      instruments: { queries: new QueryCount(database.db), databasePids: database.pids },
      seconds,
      told: (...measured) => console.log(measurementLine(...measured)),
    },
    workloads.filter(({ name }) => only.length === 0 || only.some((word) => name.startsWith(word))),
  )
  const run: RunDescription = {
    ...described,
    secondsEach: seconds,
    fpmWorkers: FPM_WORKERS,
    versions: {
      node: process.versions.node,
      database: database.version,
      ...(wordpress ? wordpress.versions : {}),
    },
  }
  const judged = verdicts(results)
  console.log(`\n${resultTable(results)}\n\n${judged.map(({ sentence }) => sentence).join('\n')}`)
  if (results.length === workloads.length && contenders.length === CONTENDERS.length) {
    writeResults(run, results, judged)
  } else console.log('\nThis was a part of it: bench/results.json stays as it is.')
  if (readme) writeReadme(run, results, judged)
  console.log(`\n${Math.round((performance.now() - begin) / 1000)} seconds`)
}

function workloadNames(): string {
  return workloads.map(({ name, title }) => `  ${name.padEnd(20)} ${title}`).join('\n')
}
