/** How deep frames may stand in one another (decisions, section 6). */
export const MAX_FRAME_DEPTH = 32
/** Rows of one repeat. */
export const MAX_ROWS = 1000
/** How deep elements and repeats may stand in one another across all frames: what the stack of a thread bears. */
export const MAX_EVALUATION_DEPTH = 400

export type EvaluationLimits = {
  /** Inserts, elements, binds, rows and menu items: what a frame bomb without any text runs into. */
  readonly steps: number
  /** Finished HTML, what waits for the page, and values that were looked at in vain. */
  readonly bytes: number
  /** The last resort: steps and bytes are met before, on any machine at the same place. */
  readonly milliseconds: number
}

/** What one bake of a language, or one page, may use. */
export const FULL_LIMITS: EvaluationLimits = {
  steps: 200_000,
  bytes: 8 * 1024 * 1024,
  milliseconds: 5000,
}

/** What some evaluations may use together that are tried on the thread that answers requests. One that needs more begins again on another. */
const TOTAL_INLINE_LIMITS: EvaluationLimits = {
  steps: 20_000,
  bytes: 1024 * 1024,
  milliseconds: 25,
}

/** The share of each of some evaluations in what they may use together. */
export function inlineLimits(evaluations: number): EvaluationLimits {
  const { steps, bytes, milliseconds } = TOTAL_INLINE_LIMITS
  return {
    steps: steps / evaluations,
    bytes: bytes / evaluations,
    milliseconds: milliseconds / evaluations,
  }
}

/** The clock is looked at once in so many steps. */
const STEPS_PER_CLOCK_CHECK = 32
/** Text of this length takes as long as a step. */
const BYTES_PER_STEP = 4096

/** What one evaluation may still use. Whatever finds it used up stops; what was printed before stays. */
export class Budget {
  readonly #limits: EvaluationLimits
  readonly #end: number
  readonly #paid = new Set<object>()
  #bytes = 0
  #steps = 0
  /** Steps since the clock was looked at, those that text took among them. */
  #unseen = 0
  #exhausted: keyof EvaluationLimits | undefined

  constructor(limits: EvaluationLimits) {
    this.#limits = limits
    this.#end = performance.now() + limits.milliseconds
  }

  /** The limit that was met, if one was. */
  get exhausted(): keyof EvaluationLimits | undefined {
    return this.#exhausted
  }

  /** May one more insert, element, bind or row be worked on, or a menu of so many items? */
  takeStep(steps = 1): boolean {
    this.#steps += steps
    if (this.#steps > this.#limits.steps) this.#exhausted ??= 'steps'
    this.#look(steps)
    return this.#exhausted === undefined
  }

  /** May this text be printed as well? Asked before it is made ready, for that takes time too. */
  mayPrint({ length }: string): boolean {
    if (this.#bytes + length > this.#limits.bytes) this.#exhausted ??= 'bytes'
    return this.#exhausted === undefined
  }

  /** May this text be printed as well? */
  takeOutput(text: string): boolean {
    return this.mayPrint(text) && this.#takeBytes(Buffer.byteLength(text))
  }

  /** Pays for what is kept for when the page is known: once, for it is stored once however often it is referred to. */
  takeStored(value: object): void {
    if (this.#paid.has(value)) return
    this.#paid.add(value)
    this.#takeBytes(sizeWithin(value, this.#limits.bytes - this.#bytes))
  }

  #takeBytes(bytes: number): boolean {
    this.#bytes += bytes
    if (this.#bytes > this.#limits.bytes) this.#exhausted ??= 'bytes'
    this.#look(bytes / BYTES_PER_STEP)
    return this.#exhausted === undefined
  }

  #look(steps: number): void {
    this.#unseen += steps
    if (this.#unseen < STEPS_PER_CLOCK_CHECK) return
    this.#unseen = 0
    if (performance.now() > this.#end) this.#exhausted ??= 'milliseconds'
  }
}

/** Roughly the length of a value in JSON, as far as that is within `limit`: more is not looked at. */
function sizeWithin(value: unknown, limit: number): number {
  let size = 0
  const open: unknown[] = [value]
  while (open.length > 0 && size <= limit) {
    const next = open.pop()
    size += typeof next === 'string' ? next.length + 3 : 5
    if (typeof next !== 'object' || next === null) continue
    const names = Array.isArray(next) ? [] : Object.keys(next)
    for (const name of names) size += name.length + 3
    const entries: readonly unknown[] = Array.isArray(next) ? next : Object.values(next)
    if (size + entries.length > limit) return size + entries.length
    for (const entry of entries) open.push(entry)
  }
  return size
}
