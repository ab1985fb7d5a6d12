/** How deep frames may stand in one another (decisions, section 6). */
export const MAX_DEPTH = 32
export const MAX_OUTPUT_BYTES = 8 * 1024 * 1024
/** Rows of one repeat. */
export const MAX_ROWS = 1000
/** Inserts and bound elements of one bake: what a frame bomb without any text runs into. */
const MAX_STEPS = 500_000

export type BudgetLimit = 'output' | 'steps'

/** What one evaluation may still use. A branch that finds it used up stops; what stands before it stays. */
export class Budget {
  #bytes = 0
  #steps = 0
  #exhausted: BudgetLimit | undefined

  /** The limit that was met, if one was. */
  get exhausted(): BudgetLimit | undefined {
    return this.#exhausted
  }

  /** May one more insert or element be worked on? */
  takeStep(): boolean {
    this.#steps += 1
    if (this.#steps > MAX_STEPS) this.#exhausted ??= 'steps'
    return this.#exhausted === undefined
  }

  /** May this text be printed as well? */
  takeOutput(text: string): boolean {
    this.#bytes += Buffer.byteLength(text)
    if (this.#bytes > MAX_OUTPUT_BYTES) this.#exhausted ??= 'output'
    return this.#exhausted === undefined
  }
}
