import type { Database } from '../db/database.ts'
import { isOutage } from '../db/is-outage.ts'
import { forEachBounded } from '../host/concurrency/for-each.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import { ALL_ROWS, type ChangedRows } from './changed-rows.ts'
import type { PolledState } from './checksums.ts'
import { findEditedSites } from './find-edited-sites.ts'
import { recordEdits } from './record-edits.ts'

export type RecordAllOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  /** Starts the recorded work of a site. */
  readonly wake: (blogId: number) => void
}

export type RoundOptions = {
  /** Blog ids of sites that are not compared [none]. */
  readonly except?: ReadonlySet<number>
  /** Called for each site whose checksum cannot be read, with the reason. */
  readonly onUnreadable?: (blogId: number, reason: unknown) => void
  /** Ends the round early. */
  readonly signal?: AbortSignal
}

/** Sites compared at the same time, so that a large one does not delay the others. */
const SITES_AT_ONCE = 2

/**
 * Compares all sites whose state has changed, and records the work that follows.
 * @returns why sites could not be compared, by blog id
 * @throws if the database is unavailable
 */
export async function recordAllEdits(
  options: RecordAllOptions,
  { except, onUnreadable, signal }: RoundOptions = {},
): Promise<Map<number, unknown>> {
  const reasons = new Map<number, unknown>()
  let recording = Promise.resolve()
  for await (const found of findEditedSites(options.db, options.globals, except)) {
    for (const [blogId, reason] of found.unreadable) {
      reasons.set(blogId, reason)
      onUnreadable?.(blogId, reason)
    }
    // The next part of the sites is read meanwhile.
    recording = recording.then(() =>
      forEachBounded(found.edited, SITES_AT_ONCE, async ({ blogId, state }) => {
        if (signal?.aborted) return
        const reason = await recordEditsOfSite(options, blogId, ALL_ROWS, state)
        if (reason !== undefined) reasons.set(blogId, reason)
      }),
    )
    recording.catch(() => {})
  }
  await recording
  return reasons
}

/**
 * Records the edits of a site.
 * @returns why it failed; undefined if it did not
 * @throws if the database is unavailable
 */
export async function recordEditsOfSite(
  { db, globals, wake }: RecordAllOptions,
  blogId: number,
  rows: ChangedRows,
  state?: PolledState,
): Promise<unknown> {
  try {
    if (await recordEdits({ db, globals }, blogId, rows, state)) wake(blogId)
    return undefined
  } catch (error) {
    if (await isOutage(db, error)) throw error
    return error
  }
}
