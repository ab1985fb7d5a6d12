/**
 * Measures the service, WordPress and the floor beside each other; see `options.ts` for what it takes. Nothing of it stays but
 * `bench/results.json` and, where asked for, the table in the README.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONTENDERS, type Contender, type ContenderName } from './contender.ts'
import { QueryCount } from './load/query-count.ts'
import { type Options, parseOptions, USAGE } from './options.ts'
import { busyWarning, describeMachine, type RunDescription } from './report/describe-run.ts'
import { growthLine, growths } from './report/growth.ts'
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
import { FPM_WORKERS, prepareWordPress, startWordPress } from './wordpress/start-wordpress.ts'
import type { Workload } from './workloads/workload.ts'
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
  const chosen = chooseWorkloads(only)
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-bench-'))
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  const described = describeMachine()
  console.log(busyWarning(described) ?? '')
  console.log('Starting the database and the contenders')
  const database = await openStageDatabase(folder, undo)
  const service = await startService(database, folder, undo)
  const parts = asked.some(isWordPress) ? await prepareWordPress() : undefined
  const contenders: Contender[] = []
  for (const name of asked) {
    if (name === 'service') contenders.push(service)
    else if (name === 'floor') contenders.push(await startFloor(database, folder, undo))
    else if (parts) contenders.push(await startWordPress(name, parts, database, folder, undo))
  }
  const results = await runBench(
    {
      stage: { database, service, staticDir: staticDir(folder) },
      contenders,
      instruments: { queries: new QueryCount(database.db), databasePids: database.pids },
      seconds,
      told: (...measured) => console.log(measurementLine(...measured)),
    },
    chosen,
  )
  const run: RunDescription = {
    ...described,
    secondsEach: seconds,
    fpmWorkers: FPM_WORKERS,
    versions: {
      node: process.versions.node,
      database: database.version,
      ...parts?.versions,
    },
  }
  const judged = verdicts(results)
  const told = [
    [resultTable(results)],
    growths(results).map(growthLine),
    judged.map(({ sentence }) => sentence),
  ]
  console.log(told.map((lines) => `\n${lines.join('\n')}`).join('\n'))
  if (chosen.length === workloads.length && contenders.length === CONTENDERS.length) {
    writeResults(run, results, judged)
  } else console.log('\nThis was a part of it: bench/results.json stays as it is.')
  if (readme) writeReadme(run, results, judged)
  console.log(`\n${Math.round((performance.now() - begin) / 1000)} seconds`)
}

function isWordPress(name: ContenderName): boolean {
  return name === 'wordpress' || name === 'cached'
}

/** @throws Error where a word names nothing */
function chooseWorkloads(words: readonly string[]): readonly Workload[] {
  if (words.length === 0) return workloads
  const isNamed = (word: string, { name }: Workload) => `${name}-`.startsWith(`${word}-`)
  const unknown = words.filter((word) => !workloads.some((workload) => isNamed(word, workload)))
  if (unknown.length > 0) {
    throw new Error(`There is no workload ${unknown.join(', ')}. These are:\n${workloadNames()}`)
  }
  return workloads.filter((workload) => words.some((word) => isNamed(word, workload)))
}

function workloadNames(): string {
  return workloads.map(({ name, title }) => `  ${name.padEnd(20)} ${title}`).join('\n')
}
