import type { Database } from '../../src/db/database.ts'
import { TIMINGS, type Timings } from '../../src/host/timings.ts'

/** Values that replace others. */
export type TimingChanges = { readonly [Group in keyof Timings]?: Partial<Timings[Group]> }

/** These timings with some values replaced. */
export function withTimings(changes: TimingChanges, base = TIMINGS): Timings {
  const groups = Object.entries(base).map(([name, group]) => [
    name,
    Object.assign({}, group, changes[name as keyof Timings]),
  ])
  return Object.fromEntries(groups)
}

/**
 * The timings of tests: polls, looks, pauses and back-offs take a fraction of their time. Leases and time limits of statements, requests and
 * threads are those of production, because a busy machine must not let them expire; a test that waits for one overrides it.
 */
export const FAST = withTimings({
  // Tests that count statements see one look at the tables of a site.
  db: { tablesKnownMs: 3_600_000 },
  tasks: { lookMs: 25, againMs: 5, pauseMs: 25, maxPauseMs: 1500 },
  work: { backoffMs: 100, temporaryPauseMs: 100, returnedPauseMs: 50 },
  executor: { pollMs: 25, followMs: 10, folderLookMs: 100, movePauseMs: 50 },
  scrub: { awayMs: 50, batchPauseMs: 600 },
  poller: { feedCheckMs: 100 },
  store: { pauseMs: 10, maxPauseMs: 250, rewriteMs: 0, markerKeptMs: 100 },
  events: { lookMs: 20, failurePauseMs: 100 },
  publishing: { busyMs: 250 },
  webhooks: { idleMs: 50, errorPauseMs: 250 },
  idempotency: { pollMs: 10 },
  api: { buildPollMs: 5 },
  http: { graceMs: 25, sweepMs: 10 },
  compare: { pauseMs: 10, resendMs: 25 },
  cli: { workPollMs: 12, runPollMs: 48, idleWorkMs: 2000 },
})

/** A request looks at its change after each slice of its process and not in between, so that the number of statements is known. */
export const LOOKS_AFTER_SLICES: TimingChanges = { executor: { followMs: 10_000 } }

/** The same database with other timings, for what reads them of it. Its transactions keep their own. */
export function timed(db: Database, changes: TimingChanges): Database {
  return { ...db, timings: withTimings(changes, db.timings) }
}
