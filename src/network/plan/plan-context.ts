import { INLINE_ANALYZER, type MarkupAnalyzer } from '../../content/frames/frame-markup.ts'
import { DiffCache } from './diff-cache.ts'
import { MarkupCache } from './markup-cache.ts'

/** Which problems of frames block a site; the others are reported as warnings. */
export const REFUSED_PROBLEMS = ['nothing', 'errors', 'warnings'] as const
export type RefusedProblems = (typeof REFUSED_PROBLEMS)[number]

/** Who applies plans, and what planning shares between sites. */
export type PlanContext = {
  /** The author of frames and items; 0 for none. */
  readonly userId: number
  /** Stores texts of menus as they are. */
  readonly unfilteredHtml: boolean
  readonly now: () => Date
  readonly markup: MarkupCache
  /** Which problems of frames block a site [they are not searched]. */
  readonly refuses?: RefusedProblems | undefined
  /** Adds diffs to the steps [no diffs]. */
  readonly diffs?: DiffCache | undefined
}

/**
 * The context of a super administrator, or an operator with access to the database: both may store any HTML, as with WP-CLI.
 * @param userId the author of frames and items; 0 for none
 */
export function createPlanContext(
  userId: number,
  {
    withDiffs = false,
    refuses,
    analyzer = INLINE_ANALYZER,
  }: {
    readonly withDiffs?: boolean
    readonly refuses?: RefusedProblems
    /** In a process that serves requests, one that does not block it [`INLINE_ANALYZER`]. */
    readonly analyzer?: MarkupAnalyzer
  } = {},
): PlanContext {
  return {
    userId,
    unfilteredHtml: true,
    now: () => new Date(),
    markup: new MarkupCache(analyzer),
    refuses,
    diffs: withDiffs ? new DiffCache() : undefined,
  }
}
