import { join, resolve } from 'node:path'
import {
  createNetwork,
  type Report,
  startNetwork,
  startReport,
} from '../generated/create-network.ts'
import { DISTRIBUTION, type NetworkPlan, planPages, planSites } from '../generated/plan-network.ts'
import { describeRun, runSentence } from '../report/describe-run.ts'
import { replaceSection } from '../report/table.ts'
import type { Undo } from '../setup/undo.ts'
import {
  type NetworkFigures,
  networkTable,
  type PagesFigures,
  pagesTable,
  type Sized,
} from './figures.ts'
import { measureDoctor, measurePlan } from './measure-commands.ts'
import { measurePages } from './measure-pages.ts'
import { measureFeed, measurePolling, type NetworkRun } from './measure-service.ts'

const PARTS = {
  poll: measurePolling,
  feed: measureFeed,
  plan: measurePlan,
  doctor: measureDoctor,
}

/** The parts of the measurement of a network, in their order. */
export const NETWORK_PARTS = ['poll', 'feed', 'plan', 'doctor'] as const

export type NetworkOptions = {
  /** Numbers of sites of the networks, and of pages of the sites with many pages. */
  readonly sites: readonly number[]
  readonly pages: readonly number[]
  readonly parts: readonly (typeof NETWORK_PARTS)[number][]
  /** The folder in which the networks stay for the next run [a temporary one]. */
  readonly folder: string | undefined
  /** Write the tables into docs/performance.md. */
  readonly readme: boolean
}

/** Measures networks and sites of several sizes, one after the other, the smallest first. */
export async function runNetwork(options: NetworkOptions, undo: Undo): Promise<void> {
  const folder = options.folder ? resolve(options.folder) : undo.folder('network')
  const report = startReport()
  const networks: Sized<NetworkFigures>[] = []
  for (const size of options.sites) {
    const parts = options.parts.map((name) => PARTS[name])
    const directory = join(folder, String(size))
    const figures = await measureNetwork(directory, planSites(size), parts, { undo, report })
    networks.push({ size, figures })
  }
  const sites: Sized<PagesFigures>[] = []
  for (const size of options.pages) {
    const directory = join(folder, `pages-${size}`)
    const figures = await measureNetwork(directory, planPages(size), [measurePages], {
      undo,
      report,
    })
    sites.push({ size, figures })
  }
  const machine = runSentence(describeRun(), 'the service, the database and the benchmark')
  const kinds = DISTRIBUTION.map(
    ({ percent, pageCount, hasLanguages }) =>
      `${percent} with ${pageCount} pages${hasLanguages ? ' in two languages' : ''}`,
  )
  const text = `${machine}. Of a hundred sites, ${kinds.join(', ')}; each has 6 frames, 2 or 3 menus and some 150 options. The caches of the database hold all tables; \`innodb_file_per_table=OFF\`, a binlog by row, durable.

${networkTable(networks)}

${pagesTable(sites)}`
  console.log(`\n${text}`)
  if (options.readme) replaceSection('performance.md', 'network', text)
}

/** Runs the parts on a network. A part that fails does not end the run. */
async function measureNetwork<T extends object>(
  folder: string,
  plan: NetworkPlan,
  parts: readonly ((run: NetworkRun) => Promise<T>)[],
  { undo, report }: { readonly undo: Undo; readonly report: Report },
): Promise<T> {
  await createNetwork(folder, plan, undo, report)
  const server = undo.part()
  const running = await startNetwork(folder, plan, server)
  let figures = {} as T
  for (const measure of parts) {
    report(`${plan.name}, ${measure.name}`)
    const own = server.part()
    try {
      figures = { ...figures, ...(await measure({ running, undo: own, report })) }
    } catch (error) {
      report(`the part has ended: ${error instanceof Error ? error.message : error}`)
      process.exitCode = 1
    } finally {
      await own.run()
    }
  }
  await server.run()
  return figures
}
