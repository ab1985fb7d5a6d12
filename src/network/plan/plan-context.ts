import { LRUCache } from 'lru-cache'
import { cutText, MAX_KEPT_DIFF_LENGTH } from '../../content/diff/diff-limits.ts'
import { StateDiffs } from '../../content/diff/state-diffs.ts'
import { INLINE_ANALYZER, type MarkupAnalyzer } from '../../content/frames/frame-markup.ts'
import { markupDigest } from '../../content/frames/markup-digests.ts'
import type { MarkupReport } from '../../content/markup/markup-report.ts'
import { TIMINGS } from '../../host/timings.ts'

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

/** Markups whose reports and digests are kept. A description has the same ones for all of its sites. */
const MAX_MARKUPS = 1000

/** Analyzes and digests each markup once. */
export class MarkupCache implements MarkupAnalyzer {
  readonly #analyzer: MarkupAnalyzer
  readonly #reports: LRUCache<string, Promise<MarkupReport>>
  readonly #digests = new LRUCache<string, string>({ max: MAX_MARKUPS, memoMethod: markupDigest })

  constructor(analyzer: MarkupAnalyzer) {
    this.#analyzer = analyzer
    const memoMethod = (html: string) => analyzer.analyze(html)
    this.#reports = new LRUCache({ max: MAX_MARKUPS, memoMethod })
  }

  analyze(html: string): Promise<MarkupReport> {
    return this.#reports.memo(html)
  }

  rewrite(...sent: Parameters<MarkupAnalyzer['rewrite']>): ReturnType<MarkupAnalyzer['rewrite']> {
    return this.#analyzer.rewrite(...sent)
  }

  digest(html: string): string {
    return this.#digests.memo(html)
  }
}

/** Bytes of all diffs that are kept. */
const MAX_DIFF_BYTES = 32 * 1024 * 1024

const CUT = '\n(The rest of this diff is left out.)'
const FULL = '(This diff is left out, because the plan has too many different ones.)'

/**
 * Diffs by the digests before and after. A thousand sites mostly have the same content before and after, so that each diff is computed and
 * kept once.
 */
export class DiffCache {
  readonly #states = new StateDiffs(
    { blogId: 0 },
    { things: Number.POSITIVE_INFINITY, characters: MAX_DIFF_BYTES, ms: TIMINGS.plan.diffsMs },
  )
  readonly #diffs = new Map<string, string>()
  #bytes = 0

  /** The diff of these contents, if it is known or there is no room for another one. */
  find(before: string | null, after: string | null): string | undefined {
    const known = this.#diffs.get(keyOf(before, after))
    return known ?? (this.#bytes >= MAX_DIFF_BYTES ? FULL : undefined)
  }

  /** Compares two texts of markup or of a data set, and keeps the diff. */
  async compare(
    kind: 'frame' | 'dataset',
    digests: { readonly before: string | null; readonly after: string | null },
    before: string | undefined,
    after: string,
  ): Promise<string> {
    const stateOf = (content: string) => ({ fields: {}, content })
    const was = before === undefined ? undefined : stateOf(before)
    const { text } = await this.#states.diff(kind, was, stateOf(after))
    return this.add(digests.before, digests.after, text)
  }

  add(before: string | null, after: string | null, diff: string): string {
    const text = cutText(diff, MAX_KEPT_DIFF_LENGTH, CUT)
    this.#diffs.set(keyOf(before, after), text)
    this.#bytes += 2 * text.length
    return text
  }
}

const keyOf = (before: string | null, after: string | null): string => `${before} ${after}`
