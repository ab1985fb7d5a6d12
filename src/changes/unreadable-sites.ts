import type { Log } from '../host/log.ts'

/** How many sites one line of the log names. */
const MAX_NAMED = 20

/** The sites whose edits could not be looked for in the last round. The log names a site once, and once more when it can be read again. */
export class UnreadableSites {
  readonly #log: Log
  #ids: ReadonlySet<number> = new Set()

  constructor(log: Log) {
    this.#log = log
  }

  get count(): number {
    return this.#ids.size
  }

  /** Another process looks for edits now, and reports the sites. */
  forget(): void {
    this.#ids = new Set()
  }

  /** @param reasons the sites that could not be read in a round, with the error of each */
  update(reasons: ReadonlyMap<number, unknown>): void {
    const failed = [...reasons.keys()].filter((id) => !this.#ids.has(id))
    const recovered = [...this.#ids].filter((id) => !reasons.has(id))
    this.#ids = new Set(reasons.keys())
    if (failed.length > 0)
      this.#log.warn(
        { ...named(failed), err: reasons.get(failed[0] ?? 0) },
        'sites cannot be read, so edits of them are not noticed; they are tried again in each round. "wp-frames doctor --site <id>" says what to repair',
      )
    if (recovered.length > 0) this.#log.info(named(recovered), 'sites can be read again')
  }
}

/** The first sites of a list, and its length if these are not all. */
function named(ids: readonly number[]): object {
  if (ids.length <= MAX_NAMED) return { sites: ids }
  return { sites: ids.slice(0, MAX_NAMED), count: ids.length }
}
