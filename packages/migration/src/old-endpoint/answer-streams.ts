import { Transform } from 'node:stream'

/** An answer to a write is kept back up to this size, in bytes, until the pages show what was written. Of a longer one, the end is. */
export const MAX_KEPT_BACK_BYTES = 1024 * 1024

/** Passes the bytes of an answer through, and keeps them if they are not too many. */
export class KeptCopy extends Transform {
  readonly #limit: number
  #chunks: Buffer[] | undefined = []
  #size = 0

  /** @param limit in bytes */
  constructor(limit: number) {
    super()
    this.#limit = limit
  }

  /** Undefined if there were too many. */
  get bytes(): Buffer | undefined {
    return this.#chunks && Buffer.concat(this.#chunks)
  }

  override _transform(
    chunk: Buffer,
    _encoding: string,
    done: (error: null, chunk: Buffer) => void,
  ) {
    this.#size += chunk.length
    if (this.#size > this.#limit) this.#chunks = undefined
    this.#chunks?.push(chunk)
    done(null, chunk)
  }
}

/** Keeps an answer back until `work` has ended. */
export class KeptBack extends Transform {
  readonly #work: (bytes: Buffer | undefined) => Promise<void>
  #kept: Buffer[] = []
  #size = 0

  /** @param work gets the whole answer; undefined if it is too long. Never fails */
  constructor(work: (bytes: Buffer | undefined) => Promise<void>) {
    super()
    this.#work = work
  }

  override _transform(chunk: Buffer, _encoding: string, done: () => void) {
    this.#kept.push(chunk)
    this.#size += chunk.length
    // The last chunk stays here, so that the end of the answer waits.
    if (this.#size > MAX_KEPT_BACK_BYTES)
      for (const earlier of this.#kept.splice(0, this.#kept.length - 1)) this.push(earlier)
    done()
  }

  override _flush(done: () => void) {
    const isWhole = this.#size <= MAX_KEPT_BACK_BYTES
    void this.#work(isWhole ? Buffer.concat(this.#kept) : undefined).then(() => {
      for (const chunk of this.#kept) this.push(chunk)
      done()
    })
  }
}
