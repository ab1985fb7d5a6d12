import type { HistoryKind } from '../../record/history/history-row.ts'
import type { DiffLimits } from './diff-limits.ts'
import { diffStates, type StateDiff, type StateText } from './entry-diff.ts'

// The job of a worker thread, called by its name (`StateDiffs`).

export type DiffJob = {
  readonly kind: HistoryKind
  readonly before: StateText | undefined
  readonly after: StateText | undefined
  readonly limits: DiffLimits
}

export const diffOnThread = ({ kind, before, after, limits }: DiffJob): StateDiff =>
  diffStates(kind, before, after, limits)
