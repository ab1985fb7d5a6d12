/** How deep frames may stand in one another (decisions, section 6). */
export const MAX_DEPTH = 32
/** Rows of one repeat. */
export const MAX_ROWS = 1000
/** How deep elements and repeats may stand in one another across all frames: what the stack of a thread bears. */
export const MAX_LEVELS = 400

export type Limits = {
  /** Inserts, bound elements and menu items: what a frame bomb without any text runs into. */
  readonly steps: number
  /** Finished HTML, what waits for the page, and values that were looked at in vain. */
  readonly bytes: number
  /** The last resort: steps and bytes are met before, on any machine at the same place. */
  readonly milliseconds: number
}

/** What one bake of a language, or one page, may use. */
export const FULL_LIMITS: Limits = {
  steps: 100_000,
  bytes: 8 * 1024 * 1024,
  milliseconds: 5000,
}

/**
 * What each of some evaluations may use that are tried on the thread that answers requests. Whoever needs more has to begin
 * again on another.
 */
export function smallLimits(evaluations: number): Limits {
  return { ...FULL_LIMITS, steps: 10_000 / evaluations, milliseconds: 25 / evaluations }
}

/** The clock is looked at once in so many calls. */
const CALLS_A_LOOK = 32

/** What one evaluation may still use. Whatever finds it used up stops; what was printed before stays. */
export class Budget {
  readonly #limits: Limits
  readonly #end: number
  readonly #paid = new Set<object>()
  #bytes = 0
  #steps = 0
  #calls = 0
  #exhausted: keyof Limits | undefined

  constructor(limits: Limits) {
    this.#limits = limits
    this.#end = performance.now() + limits.milliseconds
  }

  /** The limit that was met, if one was. */
  get exhausted(): keyof Limits | undefined {
    return this.#exhausted
  }

  /** May one more insert or element be worked on, or a menu of so many items? */
  takeStep(steps = 1): boolean {
    this.#steps += steps
    this.#calls += 1
    if (this.#steps > this.#limits.steps) this.#exhausted ??= 'steps'
    if (this.#calls % CALLS_A_LOOK === 0 && performance.now() > this.#end) {
      this.#exhausted ??= 'milliseconds'
    }
    return this.#exhausted === undefined
  }

  /** May this text be printed as well? */
  takeOutput(text: string): boolean {
    return this.#takeBytes(Buffer.byteLength(text))
  }

  /** Pays for what is kept for when the page is known: once, for it is stored once however often it is referred to. */
  takeKept(value: object): void {
    if (this.#paid.has(value)) return
    this.#paid.add(value)
    this.#takeBytes(JSON.stringify(value).length)
  }

  #takeBytes(bytes: number): boolean {
    this.#bytes += bytes
    if (this.#bytes > this.#limits.bytes) this.#exhausted ??= 'bytes'
    return this.#exhausted === undefined
  }
}
