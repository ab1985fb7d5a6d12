import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CONTENDERS } from './contender.ts'
import { runFreshness } from './freshness/run-freshness.ts'
import { runHistory } from './history/run-history.ts'
import { QueryCount } from './load/query-count.ts'
import type { Options } from './options.ts'
import { runPlan } from './plan/run-plan.ts'
import { type PublicationFigures, runPublication } from './publication/run-publication.ts'
import { runStore } from './publication/run-store.ts'
import { REMOTE_DELAY_MS, startProxy } from './remote/start-proxy.ts'
import { comparisonTable, comparisonTitle } from './report/comparison-table.ts'
import { busyWarning, describeMachine, type RunDescription } from './report/describe-run.ts'
import { growthLine, growths } from './report/growth.ts'
import { measurementLine } from './report/measurement-line.ts'
import {
  otherPublicationLines,
  publicationLine,
  publicationVerdicts,
} from './report/publication-lines.ts'
import { type EarlierRun, readResults } from './report/read-results.ts'
import { resultTable } from './report/result-table.ts'
import { verdicts } from './report/verdicts.ts'
import { writeReadme } from './report/write-readme.ts'
import { REMOTE_RESULTS_FILE, RESULTS_FILE, writeResults } from './report/write-results.ts'
import { runBench } from './run-bench.ts'
import { openBenchDatabase } from './setup/open-database.ts'
import { startContenders } from './setup/start-contenders.ts'
import { buildService, startService, staticDir } from './setup/start-service.ts'
import { Undo } from './setup/undo.ts'
import { runSites } from './sites/run-sites.ts'
import { FPM_WORKERS } from './wordpress/start-wordpress.ts'
import { chooseWorkloads, quickWorkloads, withRemoteTargets } from './workloads/choose-workloads.ts'
import type { Workload } from './workloads/workload.ts'

/** The names of the measurements besides those of the workloads. The last five are measured only if they are named. */
const [PUBLICATION, FRESHNESS, HISTORY, PLAN, SITES, STORE] = [
  'publication',
  'freshness',
  'history',
  'plan',
  'sites',
  'store',
]

/** Runs the benchmark with these options: sets up the contenders, measures, prints and writes the results. */
export async function bench(options: Options, undo: Undo): Promise<void> {
  const begin = performance.now()
  const { only, quick, remote, compare } = options
  const earlier = compare === undefined ? undefined : readResults(compare)
  const isWorkload = (name: string) =>
    ![PUBLICATION, FRESHNESS, HISTORY, PLAN, SITES, STORE].includes(name)
  const isQuick = quick && only.length === 0
  const chosen = isQuick ? quickWorkloads(remote) : chooseWorkloads(only.filter(isWorkload))
  const workloads = remote ? withRemoteTargets(chosen) : chosen
  const local = only.filter((name) => !isWorkload(name) && name !== PLAN)
  if (remote && local.length > 0)
    throw new Error(`--remote has no effect on ${local.join(', ')}. Leave it out.`)
  const described = describeMachine()
  const warning = busyWarning(described)
  if (warning !== undefined) console.log(warning)
  buildService()
  const isPublished = (only.length === 0 && !quick && !remote) || only.includes(PUBLICATION)
  const publication = isPublished ? await benchPublication(options, undo) : undefined
  if (only.includes(FRESHNESS)) await runFreshness(options.freshness, undo)
  if (only.includes(HISTORY)) await runHistory(undo)
  if (only.includes(PLAN)) await runPlan(undo, options.freshness.sites, remote)
  if (only.includes(STORE)) for (const count of options.pages) await runStore(count, undo)
  if (only.includes(SITES)) await runSites(options.freshness, undo)
  const isCompared = only.length === 0 || only.some(isWorkload)
  if (isCompared)
    await benchWorkloads(options, { workloads, described, publication, earlier }, undo)
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

type WorkloadsToMeasure = {
  readonly workloads: readonly Workload[]
  readonly described: ReturnType<typeof describeMachine>
  readonly publication: PublicationFigures | undefined
  readonly earlier: EarlierRun | undefined
}

/** Measures the contenders side by side. */
async function benchWorkloads(
  options: Options,
  { workloads, described, publication, earlier }: WorkloadsToMeasure,
  undo: Undo,
): Promise<void> {
  console.log('Starting the database and the contenders')

  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-bench-'))
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  const database = await openBenchDatabase(folder, undo)
  const proxy = options.remote
    ? await startProxy(database.url, REMOTE_DELAY_MS, folder, undo)
    : undefined
  const reached = proxy ? { ...database, url: proxy.url } : database
  const service = await startService(reached, folder, undo)
  const setup = { database: reached, service, staticDir: staticDir(folder) }
  const { contenders, versions } = await startContenders(setup, options.contenders, folder, undo)

  const results = await runBench(
    {
      setup,
      contenders,
      instruments: {
        queries: new QueryCount(database.db),
        databasePids: database.pids,
        readRoundTrips: proxy?.readRoundTrips,
      },
      seconds: options.seconds,
      warmUpSeconds: options.warmUpSeconds,
      slowestMs: options.slowestMs,
      onMeasured: (...measured) => console.log(measurementLine(...measured)),
    },
    workloads,
  )

  const run: RunDescription = {
    ...described,
    secondsEach: options.seconds,
    fpmWorkers: FPM_WORKERS,
    versions,
    ...(proxy ? { remoteDelayMs: REMOTE_DELAY_MS } : {}),
  }
  const judged = verdicts(results, publication?.publications)
  const sections = [
    [resultTable(results)],
    growths(results).map(growthLine),
    judged.map(({ sentence }) => sentence),
    earlier ? [comparisonTitle(earlier, run), '', comparisonTable(earlier, results)] : [],
  ]
  for (const lines of sections) if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
  const isWhole =
    options.only.length === 0 && !options.quick && contenders.length === CONTENDERS.length
  const whole = proxy ? REMOTE_RESULTS_FILE : RESULTS_FILE
  const file = options.out ?? (isWhole ? whole : undefined)
  if (file !== undefined) writeResults(file, run, results, judged, publication)
  else console.log('\nThis was a partial run: its results are not stored.')
  if (options.readme) writeReadme(run, results, judged)
}
