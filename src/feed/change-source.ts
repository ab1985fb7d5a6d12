import type { FeedChanges } from './changed-sites.ts'

/**
 * Tells which rows other programs may have changed. It only says where to look: it may report changes twice, and too many of them, but
 * never too few.
 */
export type ChangeSource = {
  /** Begins to report, in the background. */
  start(): void
  /** Resolves when the changes being recorded are recorded. */
  stop(): Promise<void>
}

/**
 * Compares the named rows with what was compared last, and records the work that follows. The rows are visible to reads that start now. It is
 * called for one set of changes at a time, again after an error, and perhaps for the same changes twice.
 */
export type OnChanges = (changes: FeedChanges) => Promise<void>
