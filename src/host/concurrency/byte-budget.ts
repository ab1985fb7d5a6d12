import { AppError } from '../errors.ts'

/** Value of `retry_after` in refusals, in seconds. */
const RETRY_AFTER_S = 5

/** The bytes of a `ByteBudget` that one task has reserved. */
export type Reservation = {
  /**
   * Reserves more bytes.
   * @throws AppError `service_busy` if the budget is exhausted; bytes that were reserved before stay reserved
   */
  grow(bytes: number): void
  /** Releases all bytes. A second call does nothing. */
  release(): void
}

/** Limits the memory of one kind (such as request bodies) for all tasks of the process together, and for each key (such as a user). */
export class ByteBudget {
  readonly #resource: string
  readonly #limit: number
  readonly #limitPerKey: number
  readonly #usedByKey = new Map<string, number>()
  #used = 0

  /**
   * @param resource names the kind of memory in error messages, such as `request bodies`
   * @param limit in bytes
   * @param limitPerKey limit of one key, in bytes
   */
  constructor(resource: string, limit: number, limitPerKey = limit) {
    this.#resource = resource
    this.#limit = limit
    this.#limitPerKey = limitPerKey
  }

  get used(): number {
    return this.#used
  }

  reserve(key = ''): Reservation {
    let reserved = 0
    let released = false
    return {
      grow: (bytes) => {
        if (released) return
        this.#reserve(key, bytes)
        reserved += bytes
      },
      release: () => {
        released = true
        this.#release(key, reserved)
        reserved = 0
      },
    }
  }

  #reserve(key: string, bytes: number): void {
    const ofKey = (this.#usedByKey.get(key) ?? 0) + bytes
    if (this.#used + bytes > this.#limit || ofKey > this.#limitPerKey) throw this.#busy()
    this.#used += bytes
    this.#usedByKey.set(key, ofKey)
  }

  #release(key: string, bytes: number): void {
    const ofKey = (this.#usedByKey.get(key) ?? 0) - bytes
    this.#used -= bytes
    if (ofKey > 0) this.#usedByKey.set(key, ofKey)
    else this.#usedByKey.delete(key)
  }

  #busy(): AppError {
    return new AppError(
      'service_busy',
      `The service is busy: the memory limit for ${this.#resource} is reached. Retry in a few seconds.`,
      { retry_after: RETRY_AFTER_S },
    )
  }
}
