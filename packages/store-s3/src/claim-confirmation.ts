import type { SeenObjects } from './seen-objects.ts'

/**
 * When the database has confirmed last that a claim is open. A condition protects the objects of a successor only if it was seen before the
 * claim was fenced: so the confirmation must be later than the look.
 */
export class ClaimConfirmation {
  readonly #seen: SeenObjects
  readonly #confirmedMs: number
  readonly #ask: () => Promise<void>
  /** Milliseconds since 1970: unlike other clocks, this one also runs while a machine is suspended. */
  #askedAt = 0
  /** The last look before the question. */
  #look = 0
  #asking: Promise<void> | undefined

  /**
   * @param confirmedMs no request is signed later than this after the database was asked
   * @param ask throws an error if the claim is not open
   */
  constructor(seen: SeenObjects, confirmedMs: number, ask: () => Promise<void>) {
    this.#confirmedMs = confirmedMs
    this.#seen = seen
    this.#ask = ask
  }

  /** Resolves if the claim was open after the given look, and a moment ago. Otherwise the database is asked. */
  async after(look: number): Promise<void> {
    while (this.#look < look || Math.abs(Date.now() - this.#askedAt) >= this.#confirmedMs) {
      this.#asking ??= this.by(this.#ask).finally(() => {
        this.#asking = undefined
      })
      await this.#asking
    }
  }

  /** Confirms the claim by a transaction or statement that fails if it is not open. */
  async by(question: () => Promise<void>): Promise<void> {
    const askedAt = Date.now()
    const look = this.#seen.lastLook
    await question()
    this.#askedAt = askedAt
    this.#look = look
  }
}
