/** A part of the feed of changes, from a cursor on. */
export type Feed = {
  /** Undefined for all sites and the tokens. */
  readonly blogId: number | undefined
  /** See `readEvents`. */
  readonly since: string | undefined
  /** How long an answer without events waits for the first one; 0 to answer at once. In milliseconds. */
  readonly waitMs: number
}
