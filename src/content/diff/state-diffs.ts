import { threadModule, WorkerPool } from '../../host/concurrency/worker-pool.ts'
import { TIMINGS } from '../../host/timings.ts'
import type { HistoryKind } from '../../record/history/history-row.ts'
import { type DiffLimits, LEFT_OUT, MAX_DIFF_CHARACTERS, MAX_DIFFS } from './diff-limits.ts'
import type { DiffJob } from './diff-thread.ts'
import { diffStates, type StateDiff, type StateText } from './entry-diff.ts'

const THREAD = threadModule('diff-thread', import.meta.url)

/** States up to this length, in characters, and up to so many lines are compared in a few milliseconds, less than a thread takes to start. */
const SHORT = { characters: 50_000, lines: 1000 }

/** The thread of this process for long differences. It starts with the first one, and ends when it is idle. */
const thread = new WorkerPool(TIMINGS.threads, 1)

/** The differences of one answer, which share one budget. Long ones are made on a worker thread, so that they delay no request. */
export class StateDiffs {
  readonly #blogId: number
  #things: number
  #characters: number
  #ms: number

  /** @param site of the things; the thread serves sites in rotation. 0 for the network */
  constructor(
    { blogId }: { readonly blogId: number },
    {
      things = MAX_DIFFS,
      characters = MAX_DIFF_CHARACTERS,
      ms = TIMINGS.diff.answerMs,
    }: Partial<DiffLimits & { readonly things: number }> = {},
  ) {
    this.#blogId = blogId
    this.#things = things
    this.#characters = characters
    this.#ms = ms
  }

  /**
   * Compares two states of a thing; undefined for a state in which it does not exist.
   * @throws AppError `service_busy` if too many differences wait for the thread
   */
  async diff(
    kind: HistoryKind,
    before: StateText | undefined,
    after: StateText | undefined,
  ): Promise<StateDiff> {
    this.#things -= 1
    if (this.#things < 0 || this.#characters <= 0 || this.#ms <= 0)
      return { text: LEFT_OUT, isShortened: true }
    const limits = { characters: this.#characters, ms: this.#ms }
    const begin = performance.now()
    const diff = isShort(before, after)
      ? diffStates(kind, before, after, limits)
      : await this.#onThread({ kind, before, after, limits })
    this.#ms -= performance.now() - begin
    this.#characters -= diff.text.length
    return diff
  }

  #onThread(job: DiffJob): Promise<StateDiff> {
    const call = { module: THREAD, name: 'diffOnThread', data: job }
    return thread.run<StateDiff>(String(this.#blogId), call)
  }
}

function isShort(...states: readonly (StateText | undefined)[]): boolean {
  const texts = states.map((state) => state?.content ?? '')
  const fields = states.reduce((sum, state) => sum + JSON.stringify(state?.fields ?? {}).length, 0)
  const characters = texts.reduce((sum, text) => sum + text.length, fields)
  if (characters > SHORT.characters) return false
  return texts.every((text) => countLines(text) <= SHORT.lines)
}

function countLines(text: string): number {
  let lines = 1
  for (let index = text.indexOf('\n'); index >= 0; index = text.indexOf('\n', index + 1)) lines += 1
  return lines
}
