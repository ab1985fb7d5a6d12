import { alignedTable, figure } from '../report/table.ts'

/** The figures of a network, in the order of the table. */
const NETWORK_FIGURES = {
  start: 'start of a process until it is ready, ms',
  memory: 'memory of a process that polls, MB',
  feedMemory: 'memory of a process with the feed, MB',
  databaseMemory: 'memory of the database, its buffer pool included, MB',
  knownHost: 'first request to a known host, from its static copy, ms',
  unknownHost: 'first request to an unknown host, ms',
  unknownHostAgain: 'next request to an unknown host, ms',
  listPage: "the console's list of sites, a page of 50, ms",
  listAll: "the console's list of sites, all pages of 200, ms",
  listSearch: "a search in the console's list of sites, ms",
  round: 'a round of the poll, ms',
  pollCpu: 'CPU of the service for a round each 60 s, without edits, % of a core',
  pollDatabaseCpu: 'CPU of the database for it, % of a core',
  feedCpu: 'CPU of the service without edits, feed, % of a core',
  feedDatabaseCpu: 'CPU of the database without edits, feed, % of a core',
  editByFeed: 'an edit by SQL until the page shows it, feed, median of 20, ms',
  editByFeedMax: 'the slowest of them, ms',
  createTrips: 'apply of 20 new frames, round trips for each site (target: at most 12)',
  rollbackTrips: 'rollback of it, round trips for each site (target: at most 12)',
  plan: 'plan of a changed frame on all sites, s',
  planMemory: 'memory of that command, MB',
  apply: 'apply of it, s',
  published: 'from the start of apply until all pages are true, s',
  publishingMemory: 'memory of the service meanwhile, MB',
  drift: 'drift of all sites, s',
  tables: 'tables of the service, MB',
  copies: 'static copies of all pages, MB',
  doctor: 'doctor of the network and all sites, s',
  doctorMemory: 'memory of that command, MB',
} as const

/** The figures of one site with many pages. */
const PAGES_FIGURES = {
  list: 'list of all pages that a bake reads, in both languages, ms of the main thread',
  frame: 'PUT of a frame of all pages, until all are true, s',
  frameAnswer: 'until its answer, s',
  frameMemory: 'memory of the service meanwhile, MB',
  menu: 'title of a menu item on all pages by SQL, until all are true, s',
  menuMemory: 'memory of the service meanwhile, MB',
  title: 'title of a page that no other page shows, by SQL, until it is true, s',
} as const

export type NetworkFigures = Partial<Record<keyof typeof NETWORK_FIGURES, number>>
export type PagesFigures = Partial<Record<keyof typeof PAGES_FIGURES, number>>

/** The figures of a network or site of one size: its number of sites, or of pages. */
export type Sized<T> = { readonly size: number; readonly figures: T }

/** For how many sites figures are estimated. */
const ESTIMATED_SITES = 100_000

/** A Markdown table: each figure at each size, how it grows, and what that means for 100,000 sites. */
export function networkTable(networks: readonly Sized<NetworkFigures>[]): string {
  const sizes = networks.map(({ size }) => `${size} sites`)
  const rows = Object.entries(NETWORK_FIGURES).map(([name, title]) => {
    const values = networks.map(({ figures }) => figures[name as keyof NetworkFigures])
    return [title, ...values.map(cell), ...growthCells(networks, values)]
  })
  const head = ['figure', ...sizes, 'exponent', `${ESTIMATED_SITES} sites, estimated`]
  return alignedTable([head, ...rows])
}

/** A Markdown table of sites with many pages. */
export function pagesTable(sites: readonly Sized<PagesFigures>[]): string {
  const rows = Object.entries(PAGES_FIGURES).map(([name, title]) => [
    title,
    ...sites.map(({ figures }) => cell(figures[name as keyof PagesFigures])),
  ])
  return alignedTable([['figure', ...sites.map(({ size }) => `${size} pages`)], ...rows])
}

const cell = (value: number | undefined): string => (value === undefined ? '' : figure(value))

/**
 * The growth between the two largest sizes, 0 for what does not grow and 1 for what is in proportion, and the figure of a larger size: one that grows
 * in proportion or less has a fixed part and one for each site, and one that grows faster continues with its exponent.
 */
function growthCells(
  networks: readonly Sized<unknown>[],
  values: readonly (number | undefined)[],
): string[] {
  const known = networks.flatMap(({ size }, at) => {
    const value = values[at] ?? 0
    return value > 0 ? [{ size, value }] : []
  })
  const [small, large] = known.slice(-2)
  if (!small || !large) return ['', '']
  const exponent = Math.log(large.value / small.value) / Math.log(large.size / small.size)
  const each = (large.value - small.value) / (large.size - small.size)
  const linear = large.value + Math.max(0, each) * (ESTIMATED_SITES - large.size)
  const faster = large.value * (ESTIMATED_SITES / large.size) ** exponent
  return [exponent.toFixed(2), figure(exponent <= 1 ? linear : faster)]
}
