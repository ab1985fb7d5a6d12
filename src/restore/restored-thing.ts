import type { StateText } from '../diff/state-text.ts'
import type { HistoryAction, HistoryKind, Thing } from '../history/history-row.ts'

/** A thing that a restore has written. */
export type RestoredThing = Thing & {
  readonly name: string
  readonly action: HistoryAction
  /** Undefined if the thing did not exist. */
  readonly before: StateText | undefined
  readonly after: StateText | undefined
}

/** Why a thing was not restored. */
type ObstacleReason =
  | 'history_pruned'
  | 'record_damaged'
  | 'slug_taken'
  | 'name_taken'
  | 'term_shared'
  | 'id_taken'
  | 'menu_missing'
  | 'frame_missing'
  | 'reference_missing'
  | 'page_missing'
  | 'item_target_missing'

/** Something that could not be restored, or not completely. Everything else was. */
export type Obstacle = {
  readonly kind: HistoryKind
  readonly ref: string
  readonly name: string
  readonly reason: ObstacleReason
  readonly message: string
}

/** The result of restoring some things. */
export type RestoredPart = {
  readonly restored: readonly RestoredThing[]
  readonly obstacles: readonly Obstacle[]
}
