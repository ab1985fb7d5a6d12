import type { HistoryKind } from '../../record/history/history-row.ts'

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
