import type { DiffCache } from './diff-cache.ts'
import type { MarkupCache } from './markup-cache.ts'

/** Who applies plans, and what planning shares between sites. */
export type PlanContext = {
  /** The author of frames and items; 0 for none. */
  readonly userId: number
  /** Stores texts of menus as they are. */
  readonly unfilteredHtml: boolean
  readonly now: () => Date
  readonly markup: MarkupCache
  /** Adds diffs to the steps [no diffs]. */
  readonly diffs?: DiffCache | undefined
}
