type Ending = { readonly name: string; readonly end: () => unknown }

/** Ends long-lived objects in the reverse order of their begin: a later object may use the earlier ones. */
export class Lifetime {
  readonly #endings: Ending[] = []
  #ending: string | undefined
  readonly #onFailure: (name: string, error: unknown) => void

  /** @param onFailure is called if an object cannot be ended; the others are ended nevertheless */
  constructor(onFailure: (name: string, error: unknown) => void) {
    this.#onFailure = onFailure
  }

  /** Adds an object that has begun to live, and returns it. */
  add<T>(name: string, object: T, end: (object: T) => unknown): T {
    this.#endings.push({ name, end: () => end(object) })
    return object
  }

  /** Adds an object with a method `stop`. */
  addLoop<T extends { stop(): Promise<void> }>(name: string, loop: T): T {
    return this.add(name, loop, () => loop.stop())
  }

  /** The object that is being ended, or was ended last; undefined before the end. */
  get ending(): string | undefined {
    return this.#ending
  }

  /** Ends all objects, one after the other. A second call does nothing. */
  async end(): Promise<void> {
    for (const { name, end } of this.#endings.splice(0).reverse()) {
      this.#ending = name
      try {
        await end()
      } catch (error) {
        this.#onFailure(name, error)
      }
    }
  }
}
