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

/** A limit on bytes that all tasks of the process together hold of one kind, such as request bodies. */
export class ByteBudget {
  readonly #resource: string
  readonly #limit: number
  #used = 0

  /**
   * @param resource what the bytes are, for the message of a refusal: `request bodies`
   * @param limit in bytes
   */
  constructor(resource: string, limit: number) {
    this.#resource = resource
    this.#limit = limit
  }

  get used(): number {
    return this.#used
  }

  reserve(): Reservation {
    let held = 0
    let released = false
    return {
      grow: (bytes) => {
        if (released) return
        if (this.#used + bytes > this.#limit) throw this.#busy()
        held += bytes
        this.#used += bytes
      },
      release: () => {
        released = true
        this.#used -= held
        held = 0
      },
    }
  }

  #busy(): AppError {
    return new AppError(
      'service_busy',
      `The service is busy: ${this.#resource} take all the memory that they may. Try again in a few seconds.`,
      { retry_after: RETRY_AFTER_S },
    )
  }
}
