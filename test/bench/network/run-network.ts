import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Report, startReport } from '../freshness/progress.ts'
import { describeMachine } from '../report/describe-run.ts'
import { networkTable, pagesTable } from '../report/network-table.ts'
import { readNetworkResults, withFigures, writeNetworkResults } from '../report/write-network.ts'
import { buildService } from '../setup/start-service.ts'
import { Undo } from '../setup/undo.ts'
import type { Figures, SizeFigures } from './figures.ts'
import { measureDoctor, measurePlan } from './measure-commands.ts'
import { measurePages } from './measure-pages.ts'
import { measureFeed, measurePolling, type NetworkRun } from './measure-service.ts'
import type { NetworkOptions, NetworkPart } from './network-options.ts'
import {
  createSizedNetwork,
  planPages,
  planSites,
  type SizedNetwork,
  startSizedNetwork,
} from './sized-network.ts'

type Part = (run: NetworkRun) => Promise<Figures>

const PARTS: Readonly<Record<NetworkPart, Part>> = {
  poll: measurePolling,
  feed: measureFeed,
  plan: measurePlan,
  doctor: measureDoctor,
}

/**
 * Measures networks and sites of several sizes, one after the other, the smallest first. With `isWritten` the figures of a part are stored when
 * it ends, beside those of other parts and sizes of former runs.
 */
export async function runNetwork(options: NetworkOptions, undo: Undo): Promise<void> {
  const folder = options.folder
    ? resolve(options.folder)
    : mkdtempSync(join(tmpdir(), 'wp-frames-network-'))
  if (options.folder === undefined) undo.add(() => rmSync(folder, { recursive: true, force: true }))
  buildService()
  const report = startReport()
  let results = options.isWritten ? readNetworkResults() : { networks: [], sites: [] }
  const store = (kind: 'networks' | 'sites', size: number, figures: Figures): void => {
    const found = { ...describeRun(), size, figures }
    // Another run may have stored figures meanwhile.
    if (options.isWritten) results = readNetworkResults()
    results = { ...results, [kind]: withFigures(results[kind], found) }
    if (options.isWritten) writeNetworkResults(results)
    for (const [name, value] of Object.entries(figures)) report(`${size} ${name} ${value}`)
  }
  for (const size of options.sites) {
    const parts = options.parts.map((name) => [name, PARTS[name]] as const)
    await measureNetwork(join(folder, String(size)), planSites(size), parts, {
      undo,
      report,
      store: (figures) => store('networks', size, figures),
    })
  }
  for (const size of options.pages)
    await measureNetwork(
      join(folder, `pages-${size}`),
      planPages(size),
      [['pages', measurePages] as const],
      { undo, report, store: (figures) => store('sites', size, figures) },
    )
  console.log(`\n${networkTable(results.networks)}\n\n${pagesTable(results.sites)}`)
}

type Measuring = {
  readonly undo: Undo
  readonly report: Report
  readonly store: (figures: Figures) => void
}

async function measureNetwork(
  folder: string,
  network: SizedNetwork,
  parts: readonly (readonly [name: string, measure: Part])[],
  { undo, report, store }: Measuring,
): Promise<void> {
  await createSizedNetwork(folder, network, undo, report)
  const server = new Undo()
  undo.add(() => server.run())
  const running = await startSizedNetwork(folder, network, server)
  for (const [name, measure] of parts) {
    report(`${network.sites.length} sites, ${name}`)
    const own = new Undo()
    undo.add(() => own.run())
    try {
      store(await measure({ network, running, undo: own, report }))
    } catch (error) {
      report(`the part has ended: ${error instanceof Error ? error.message : error}`)
      process.exitCode = 1
    } finally {
      await own.run()
    }
  }
  await server.run()
}

function describeRun(): Pick<SizeFigures, 'date' | 'commit' | 'load'> {
  const { date, commit } = describeMachine()
  return { date, commit, load: loadavg()[0] ?? 0 }
}
