/** The oldest ones are enough to tell how far the feed is behind. */
const MAX_UNSEEN = 100

/**
 * How far the feed is behind: the renewals of the lease are writes like any other, and come back through it. They also show that it carries
 * the writes of this database at all.
 */
export class FeedLag {
  /** Renewals that have not come back, the oldest first. */
  #unseen: { readonly beat: number; readonly sentAt: number }[] = []
  #wasSeen = false

  /** Milliseconds for which the oldest renewal has been on its way; undefined before the first one has come back. */
  get ms(): number | undefined {
    return this.#wasSeen ? this.oldestMs : undefined
  }

  /** Milliseconds for which the oldest renewal has been on its way; 0 if all have come back. */
  get oldestMs(): number {
    const [oldest] = this.#unseen
    return oldest ? performance.now() - oldest.sentAt : 0
  }

  /** A renewal is sent. Its number is higher than those before. */
  send(beat: number): void {
    if (this.#unseen.length < MAX_UNSEEN) this.#unseen.push({ beat, sentAt: performance.now() })
  }

  /** A renewal failed, so it may never come back. */
  cancel(beat: number): void {
    this.#unseen = this.#unseen.filter((renewal) => renewal.beat !== beat)
  }

  /** A renewal came back. */
  see(seen: number): void {
    this.#wasSeen = true
    this.#unseen = this.#unseen.filter(({ beat }) => beat > seen)
  }
}
