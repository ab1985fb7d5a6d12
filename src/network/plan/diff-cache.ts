import { cutText, MAX_KEPT_DIFF_LENGTH } from '../../content/diff/diff-limits.ts'
import { StateDiffs } from '../../content/diff/state-diffs.ts'
import { TIMINGS } from '../../host/timings.ts'

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
