import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONTENDERS } from './contender.ts'
import { runFreshness } from './freshness/run-freshness.ts'
import { runHistory } from './history/run-history.ts'
import { QueryCount } from './load/query-count.ts'
import type { Options } from './options.ts'
import { type PublicationFigures, runPublication } from './publication/run-publication.ts'
import { busyWarning, describeMachine, type RunDescription } from './report/describe-run.ts'
import { growthLine, growths } from './report/growth.ts'
import { measurementLine } from './report/measurement-line.ts'
import {
  otherPublicationLines,
  publicationLine,
  publicationVerdicts,
} from './report/publication-lines.ts'
import { resultTable } from './report/result-table.ts'
import { verdicts } from './report/verdicts.ts'
import { writeReadme } from './report/write-readme.ts'
import { writeResults } from './report/write-results.ts'
import { runBench } from './run-bench.ts'
import { openBenchDatabase } from './setup/open-database.ts'
import { startContenders } from './setup/start-contenders.ts'
import { buildService, startService, staticDir } from './setup/start-service.ts'
import { Undo } from './setup/undo.ts'
import { FPM_WORKERS } from './wordpress/start-wordpress.ts'
import { chooseWorkloads } from './workloads/choose-workloads.ts'
import type { Workload } from './workloads/workload.ts'

/** The names of the measurements besides those of the workloads. The freshness and the history are measured only if they are asked for. */
const [PUBLICATION, FRESHNESS, HISTORY] = ['publication', 'freshness', 'history']

/** Runs the benchmark with these options: sets up the contenders, measures, prints and writes the results. */
export async function bench(options: Options, undo: Undo): Promise<void> {
  const begin = performance.now()
  const { only } = options
  const isWorkload = (name: string) => ![PUBLICATION, FRESHNESS, HISTORY].includes(name)
  const workloads = chooseWorkloads(only.filter(isWorkload))
  const described = describeMachine()
  const warning = busyWarning(described)
  if (warning !== undefined) console.log(warning)
  buildService()
  const isPublished = only.length === 0 || only.includes(PUBLICATION)
  const publication = isPublished ? await benchPublication(options, undo) : undefined
  if (only.includes(FRESHNESS)) await runFreshness(options.freshness, undo)
  if (only.includes(HISTORY)) await runHistory(undo)
  const isCompared = only.length === 0 || only.some(isWorkload)
  if (isCompared) await benchWorkloads(options, workloads, described, publication, undo)
  console.log(`\n${Math.round((performance.now() - begin) / 1000)} seconds`)
}

/** Measures the publication of sites with many pages, alone on the machine. */
async function benchPublication({ pages }: Options, undo: Undo): Promise<PublicationFigures> {
  console.log(`Publishing sites of ${pages.join(' and ')} pages`)
  const own = new Undo()
  undo.add(() => own.run())
  const figures = await runPublication(pages, own, (...measured) =>
    console.log(publicationLine(...measured)),
  )
  await own.run()
  const verdicts = publicationVerdicts(figures).map(({ sentence }) => sentence)
  console.log([...otherPublicationLines(figures), '', ...verdicts].join('\n'))
  return figures
}

/** Measures the contenders side by side. */
async function benchWorkloads(
  options: Options,
  workloads: readonly Workload[],
  described: ReturnType<typeof describeMachine>,
  publication: PublicationFigures | undefined,
  undo: Undo,
): Promise<void> {
  console.log('Starting the database and the contenders')

  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-bench-'))
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  const database = await openBenchDatabase(folder, undo)
  const service = await startService(database, folder, undo)
  const setup = { database, service, staticDir: staticDir(folder) }
  const { contenders, versions } = await startContenders(setup, options.contenders, folder, undo)

  const results = await runBench(
    {
      setup,
      contenders,
      instruments: { queries: new QueryCount(database.db), databasePids: database.pids },
      seconds: options.seconds,
      onMeasured: (...measured) => console.log(measurementLine(...measured)),
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
  const sections = [
    [resultTable(results)],
    growths(results).map(growthLine),
    judged.map(({ sentence }) => sentence),
  ]
  for (const lines of sections) if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
  const isWhole = options.only.length === 0 && contenders.length === CONTENDERS.length
  if (isWhole) writeResults(run, results, judged, publication)
  else console.log('\nThis was a partial run: bench/results.json is unchanged.')
  if (options.readme) writeReadme(run, results, judged)
}
