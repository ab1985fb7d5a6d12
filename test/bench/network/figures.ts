/** What a figure is measured in. Shares of a core are from 0 to the number of cores. */
export type Unit = 's' | 'ms' | 'MB' | '% of a core'

/** The figures of a network, in the order of the table, with what they are. */
export const NETWORK_FIGURES = {
  start: ['start of a process until it is ready', 'ms'],
  memory: ['memory of a process that polls', 'MB'],
  feedMemory: ['memory of a process with the feed', 'MB'],
  databaseMemory: ['memory of the database, its buffer pool included', 'MB'],
  knownHost: ['first request to a known host, from its static copy', 'ms'],
  unknownHost: ['first request to an unknown host', 'ms'],
  unknownHostAgain: ['next request to an unknown host', 'ms'],
  listPage: ["the console's list of sites, a page of 50", 'ms'],
  listAll: ["the console's list of sites, all pages of 200", 'ms'],
  listSearch: ["a search in the console's list of sites", 'ms'],
  round: ['a round of the poll', 'ms'],
  pollCpu: ['CPU of the service for a round each 60 s, without edits', '% of a core'],
  pollDatabaseCpu: ['CPU of the database for it', '% of a core'],
  feedCpu: ['CPU of the service without edits, feed', '% of a core'],
  feedDatabaseCpu: ['CPU of the database without edits, feed', '% of a core'],
  editByFeed: ['an edit by SQL until the page shows it, feed, median of 20', 'ms'],
  editByFeedMax: ['the slowest of them', 'ms'],
  plan: ['plan of a changed frame on all sites', 's'],
  planMemory: ['memory of that command', 'MB'],
  apply: ['apply of it', 's'],
  published: ['from the start of apply until all pages are true', 's'],
  publishingMemory: ['memory of the service meanwhile', 'MB'],
  drift: ['drift of all sites', 's'],
  tables: ['tables of the service', 'MB'],
  copies: ['static copies of all pages', 'MB'],
  doctor: ['doctor of the network and all sites', 's'],
  doctorMemory: ['memory of that command', 'MB'],
} as const satisfies Record<string, readonly [title: string, unit: Unit]>

/** The figures of one site with many pages. */
export const PAGES_FIGURES = {
  frame: ['PUT of a frame of all pages, until all are true', 's'],
  frameAnswer: ['until its answer', 's'],
  frameMemory: ['memory of the service meanwhile', 'MB'],
  frameClaims: ['claims', ''],
  menu: ['title of a menu item on all pages by SQL, until all are true', 's'],
  menuMemory: ['memory of the service meanwhile', 'MB'],
  menuClaims: ['claims', ''],
  title: ['title of a page that no other page shows, by SQL, until it is true', 's'],
} as const satisfies Record<string, readonly [title: string, unit: Unit | '']>

export type Figures = Readonly<Record<string, number>>

/** The figures of a network or site of one size, of all runs. */
export type SizeFigures = {
  /** Number of sites, or of pages. */
  readonly size: number
  readonly date: string
  readonly commit: string
  /** Load average of the machine when the last part began. */
  readonly load: number
  readonly figures: Figures
}
