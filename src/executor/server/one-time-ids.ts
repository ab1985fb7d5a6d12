/** Ids that may be used once. Those of expired tokens are forgotten: an expired token is refused anyway. */
export class OneTimeIds {
  /** Id to when it may be forgotten, in seconds since 1970; roughly in that order. */
  readonly #used = new Map<string, number>()

  /** Is this the id's first use? */
  use(id: string, forgetAt: number, now = Date.now() / 1000): boolean {
    for (const [old, at] of this.#used) {
      if (at > now) break
      this.#used.delete(old)
    }
    if (this.#used.has(id)) return false
    this.#used.set(id, forgetAt)
    return true
  }
}
