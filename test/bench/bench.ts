import { runFreshness } from './freshness/run-freshness.ts'
import { runHistory } from './history/run-history.ts'
import { QueryCount } from './load/query-count.ts'
import { runNetwork } from './network/run-network.ts'
import type { Options } from './options.ts'
import { runPublication } from './publication/run-publication.ts'
import { runStore } from './publication/run-store.ts'
import { REMOTE_DELAY_MS, startProxy } from './remote/start-proxy.ts'
import {
  comparisonTable,
  comparisonTitle,
  readRun,
  type StoredRun,
  writeRun,
} from './report/comparison-table.ts'
import { busyWarning, describeRun, runSentence } from './report/describe-run.ts'
import { measurementLine, resultTable } from './report/result-table.ts'
import { replaceSection } from './report/table.ts'
import { type Peak, verdicts } from './report/verdicts.ts'
import { runBench } from './run-bench.ts'
import { openBenchDatabase } from './setup/open-database.ts'
import { startContenders } from './setup/start-contenders.ts'
import { buildService, startService, staticDir } from './setup/start-service.ts'
import type { Undo } from './setup/undo.ts'
import { FPM_WORKERS } from './wordpress/start-wordpress.ts'
import type { Workload } from './workloads/workload.ts'
import { chooseWorkloads, comparedWorkloads, withRemoteTargets } from './workloads/workloads.ts'

/** Runs the benchmark with these options. */
export async function bench(options: Options, undo: Undo): Promise<void> {
  const begin = performance.now()
  const { measurements, remote, isQuick, workloads: named, compare } = options
  const earlier = compare === undefined ? undefined : readRun(compare)
  const chosen = chooseWorkloads(named ?? [])
  const targeted = remote ? withRemoteTargets(chosen) : chosen
  const workloads = isQuick ? comparedWorkloads(targeted) : targeted
  const warning = busyWarning(describeRun())
  if (warning !== undefined) console.log(warning)
  buildService()
  const peaks = measurements.includes('publication')
    ? await runPublication(options.pages, undo)
    : []
  if (measurements.includes('store')) await runStore(Math.max(...options.pages), undo)
  if (measurements.includes('history')) await runHistory(undo)
  if (measurements.includes('freshness')) await runFreshness(options.freshness, undo)
  if (measurements.includes('network')) await runNetwork(options.network, undo)
  if (named) await compareContenders(options, { workloads, earlier, peaks }, undo)
  console.log(`\n${Math.round((performance.now() - begin) / 1000)} seconds`)
}

type Comparison = {
  readonly workloads: readonly Workload[]
  readonly earlier: StoredRun | undefined
  /** Of the publications. */
  readonly peaks: readonly Peak[]
}

/** Measures the contenders side by side. */
async function compareContenders(
  options: Options,
  { workloads, earlier, peaks }: Comparison,
  undo: Undo,
): Promise<void> {
  const { seconds, warmUpSeconds, slowestMs, remote, out, readme } = options
  const described = describeRun()
  console.log('Starting the database and the contenders')
  const folder = undo.folder('bench')
  const direct = await openBenchDatabase(folder, undo)
  const proxy = remote ? await startProxy(direct.url, REMOTE_DELAY_MS, folder, undo) : undefined
  const database = proxy ? { ...direct, url: proxy.url } : direct
  const service = await startService(database, folder, undo)
  const setup = { database, service, staticDir: staticDir(folder) }
  const { contenders, versions } = await startContenders(setup, options.contenders, folder, undo)

  const results = await runBench(
    {
      setup,
      contenders,
      instruments: {
        queries: new QueryCount(direct.db),
        databasePids: direct.pids,
        readRoundTrips: proxy?.readRoundTrips,
      },
      seconds,
      warmUpSeconds,
      slowestMs,
      onMeasured: (...measured) => console.log(measurementLine(...measured)),
    },
    workloads,
  )

  const run = { ...described, versions, ...(proxy ? { remoteDelayMs: REMOTE_DELAY_MS } : {}) }
  const judged = verdicts(results, peaks)
  const table = resultTable(results)
  console.log(`\n${table}\n\n${judged.map(({ sentence }) => sentence).join('\n')}`)
  if (earlier)
    console.log(`\n${comparisonTitle(earlier, run)}\n\n${comparisonTable(earlier, results)}`)
  if (out !== undefined) writeRun(out, run, results)
  if (!readme) return
  const sentence = [
    runSentence(described, 'all contenders and the load generator'),
    Object.entries(versions)
      .map(([name, version]) => `${name} ${version}`)
      .join(', '),
    ...(proxy ? [`${REMOTE_DELAY_MS} ms each way between the contenders and the database`] : []),
    `${FPM_WORKERS} php-fpm workers`,
    `${seconds} seconds per measurement. ${judged.filter(({ met }) => met).length} of ${judged.length} targets met.`,
  ].join('; ')
  replaceSection('performance.md', proxy ? 'remote' : 'bench', `${sentence}\n\n${table}`)
}
