import { AppError } from '../errors.ts'

/** Seconds after which a caller may try again. */
const RETRY_AFTER_S = 5

/** Bytes that one task holds of a `ByteBudget`. */
export type Reservation = {
  /**
   * Takes more bytes.
   * @throws AppError `service_busy` where the budget has not so many left; what was taken before stays taken
   */
  grow(bytes: number): void
  /** Gives all bytes back. A second call does nothing. */
  release(): void
}

/** A limit on bytes that all tasks of the process together hold of one kind, such as request bodies, and on those of one key, such as a user. */
export class ByteBudget {
  readonly #resource: string
  readonly #limit: number
  readonly #limitPerKey: number
  readonly #usedByKey = new Map<string, number>()
  #used = 0

  /**
   * @param resource what the bytes are, for the message of a refusal: `request bodies`
   * @param limit in bytes
   * @param limitPerKey of one key, in bytes
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
    let held = 0
    let released = false
    return {
      grow: (bytes) => {
        if (released) return
        this.#take(key, bytes)
        held += bytes
      },
      release: () => {
        released = true
        this.#giveBack(key, held)
        held = 0
      },
    }
  }

  #take(key: string, bytes: number): void {
    const ofKey = (this.#usedByKey.get(key) ?? 0) + bytes
    if (this.#used + bytes > this.#limit || ofKey > this.#limitPerKey) throw this.#busy()
    this.#used += bytes
    this.#usedByKey.set(key, ofKey)
  }

  #giveBack(key: string, bytes: number): void {
    const ofKey = (this.#usedByKey.get(key) ?? 0) - bytes
    this.#used -= bytes
    if (ofKey > 0) this.#usedByKey.set(key, ofKey)
    else this.#usedByKey.delete(key)
  }

  #busy(): AppError {
    return new AppError(
      'service_busy',
      `The service is busy: ${this.#resource} take all the memory that they may. Try again in a few seconds.`,
      { retry_after: RETRY_AFTER_S },
    )
  }
}
