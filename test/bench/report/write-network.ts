import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { SizeFigures } from '../network/figures.ts'
import { DISTRIBUTION, settingsFor } from '../network/sized-network.ts'
import { describeMachine } from './describe-run.ts'
import { networkTable, pagesTable } from './network-table.ts'
import { replaceSection } from './replace-section.ts'

const RESULTS = resolve(import.meta.dirname, '../network/results.json')
const DOCS = resolve(import.meta.dirname, '../../../docs/performance.md')

/** The figures of all runs: of networks by their sites, and of sites by their pages. */
export type NetworkResults = {
  readonly networks: readonly SizeFigures[]
  readonly sites: readonly SizeFigures[]
}

/** The figures of former runs. */
export function readNetworkResults(): NetworkResults {
  return existsSync(RESULTS)
    ? JSON.parse(readFileSync(RESULTS, 'utf8'))
    : { networks: [], sites: [] }
}

/** Adds figures to those of the same size, in the order of the sizes. */
export function withFigures(all: readonly SizeFigures[], found: SizeFigures): SizeFigures[] {
  const same = all.find(({ size }) => size === found.size)
  const merged = { ...found, figures: { ...same?.figures, ...found.figures } }
  return [...all.filter((one) => one !== same), merged].sort((a, b) => a.size - b.size)
}

/**
 * Stores the figures, and replaces the tables in docs/performance.md.
 * @throws Error if a marker is missing
 */
export function writeNetworkResults(results: NetworkResults): void {
  writeFileSync(RESULTS, `${JSON.stringify(results, rounded, 2)}\n`)
  const { machine } = describeMachine()
  const loads = [...results.networks, ...results.sites].map(({ load }) => load)
  const sentences = [
    `${results.networks.at(-1)?.date ?? results.sites.at(-1)?.date}, ${machine.cores} cores of ${machine.processor}, ${machine.memoryGigabytes} GB, shared by the service, the database and the benchmark; load of the machine ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)}.`,
    `Of a hundred sites, ${DISTRIBUTION.map(describeRow).join(', ')}; each has 6 frames, 4 to 6 menus and some 150 options.`,
    `Database: ${results.networks.map(describeSettings).join('; ')}; \`innodb_file_per_table=OFF\`, a binlog by row, durable.`,
  ]
  replaceSection(
    DOCS,
    'network',
    `${sentences.join(' ')}\n\n${networkTable(results.networks)}\n\n${pagesTable(results.sites)}`,
  )
}

const describeRow = ({ percent, pageCount, hasLanguages }: (typeof DISTRIBUTION)[number]): string =>
  `${percent} with ${pageCount} pages${hasLanguages ? ' in two languages' : ''}`

function describeSettings({ size }: SizeFigures): string {
  const { tableCache, bufferPoolMb } = settingsFor(size)
  return `${size} sites \`table_open_cache\` and \`table_definition_cache\` ${tableCache}, \`innodb_buffer_pool_size\` ${bufferPoolMb} MB`
}

/** Rounds numbers to four significant digits. */
function rounded(_key: string, value: unknown): unknown {
  if (typeof value !== 'number' || Number.isInteger(value)) return value
  return Number(value.toPrecision(4))
}
