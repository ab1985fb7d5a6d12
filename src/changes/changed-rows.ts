/** The rows of a site that may have changed since they were compared last: sets, which cannot grow without bound. `all`: any row. */
export type ChangedRows = {
  /** Ids of posts whose row, meta values or terms changed. */
  readonly posts: ReadonlySet<number> | 'all'
  /** Names of options. */
  readonly options: ReadonlySet<string> | 'all'
  /** Whether terms, their taxonomies or descriptions changed. */
  readonly terms: boolean
  /** Whether the row in `blogs`, or an option of the network, changed. */
  readonly network: boolean
}

/** Any row of the site may have changed. */
export const ALL_ROWS: ChangedRows = { posts: 'all', options: 'all', terms: true, network: true }

/** Where edits may be. `everything`: any row of any site, and `sites` is empty. */
export type ReportedEdits = {
  readonly everything: boolean
  /** By blog id. */
  readonly sites: ReadonlyMap<number, ChangedRows>
}

/**
 * Compares the named rows with what was compared last, and records the work that follows. The rows are visible to reads that start now. It is
 * called for one set of changes at a time, again after an error, and perhaps for the same changes twice. A feed only says where to look: it may
 * report changes twice, and too many of them, but never too few.
 */
export type OnChanges = (changes: ReportedEdits) => Promise<void>
