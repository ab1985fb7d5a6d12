/** Nesting of embedded frames. */
export const MAX_FRAME_DEPTH = 32
/** Bytes of markup of a frame and all frames that it embeds: a build reads no more. */
export const MAX_CLOSURE_BYTES = 16 * 1024 * 1024
/** `MAX_CLOSURE_BYTES` in messages. */
export const MAX_CLOSURE_TEXT = `${MAX_CLOSURE_BYTES / 1024 / 1024} MB`
/** Rows of one repeat at most. */
export const MAX_ROWS = 1000
/** Nesting of elements and repeats across all frames; bounded by the stack of a thread. */
export const MAX_EVALUATION_DEPTH = 400

export type EvaluationLimits = {
  /** Inserts, elements, binds, rows and menu items. Stops frame bombs that print no text. */
  readonly steps: number
  /** Finished HTML, deferred nodes, and values that were examined and rejected. */
  readonly bytes: number
  /** The last resort. Steps and bytes usually run out first, at the same position on every machine. */
  readonly milliseconds: number
}

/** Limits of baking one language or rendering one page. */
export const FULL_LIMITS: EvaluationLimits = {
  steps: 200_000,
  bytes: 8 * 1024 * 1024,
  milliseconds: 5000,
}

/** Total limits of the evaluations of one job on the main thread. A job that exceeds them is restarted on a worker thread. */
const TOTAL_INLINE_LIMITS: EvaluationLimits = {
  steps: 20_000,
  bytes: 1024 * 1024,
  milliseconds: 25,
}

/** Limits of each evaluation of a job that runs on the main thread. */
export function inlineLimits(evaluations: number): EvaluationLimits {
  const { steps, bytes, milliseconds } = TOTAL_INLINE_LIMITS
  return {
    steps: steps / evaluations,
    bytes: bytes / evaluations,
    milliseconds: milliseconds / evaluations,
  }
}

/** Steps between two readings of the clock. */
const STEPS_PER_CLOCK_CHECK = 32
/** Bytes of text that take as long as one step. */
const BYTES_PER_STEP = 4096

/** The remaining budget of one evaluation. When it is exhausted, the evaluation stops; what it has printed remains. */
export class Budget {
  readonly #limits: EvaluationLimits
  readonly #end: number
  readonly #stored = new Set<object>()
  #bytes = 0
  #steps = 0
  /** Steps since the last reading of the clock, text included. */
  #stepsSinceCheck = 0
  #exhausted: keyof EvaluationLimits | undefined

  constructor(limits: EvaluationLimits) {
    this.#limits = limits
    this.#end = performance.now() + limits.milliseconds
  }

  /** The limit that was reached, if any. */
  get exhausted(): keyof EvaluationLimits | undefined {
    return this.#exhausted
  }

  /** Takes steps for inserts, elements, binds, rows or menu items. Returns false if the budget is exhausted. */
  takeStep(steps = 1): boolean {
    this.#steps += steps
    if (this.#steps > this.#limits.steps) this.#exhausted ??= 'steps'
    this.#checkClock(steps)
    return this.#exhausted === undefined
  }

  /** Whether the budget has room for a text of this length. Callers check before they decode or escape it, because that takes time too. */
  mayPrint({ length }: { readonly length: number }): boolean {
    if (this.#bytes + length > this.#limits.bytes) this.#exhausted ??= 'bytes'
    return this.#exhausted === undefined
  }

  /** Takes the bytes of this text. Returns false if the budget is exhausted. */
  takeOutput(text: string): boolean {
    return this.mayPrint(text) && this.#takeBytes(Buffer.byteLength(text))
  }

  /** Takes the bytes of a value that is stored with a deferred piece; once, because the value is stored once. */
  takeStored(value: object): void {
    if (this.#stored.has(value)) return
    this.#stored.add(value)
    this.#takeBytes(sizeWithin(value, this.#limits.bytes - this.#bytes))
  }

  #takeBytes(bytes: number): boolean {
    this.#bytes += bytes
    if (this.#bytes > this.#limits.bytes) this.#exhausted ??= 'bytes'
    this.#checkClock(bytes / BYTES_PER_STEP)
    return this.#exhausted === undefined
  }

  #checkClock(steps: number): void {
    this.#stepsSinceCheck += steps
    if (this.#stepsSinceCheck < STEPS_PER_CLOCK_CHECK) return
    this.#stepsSinceCheck = 0
    if (performance.now() > this.#end) this.#exhausted ??= 'milliseconds'
  }
}

/** Approximate length of a value as JSON. Stops counting at `limit`. */
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
