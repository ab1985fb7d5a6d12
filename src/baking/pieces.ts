import type { DeferredNode, Value } from './program.ts'

/**
 * What a bake leaves: finished HTML, and what needs the page to be known. Pieces are stored as data and never
 * read as markup again, so a title that looks like an insert stays a title.
 */
export type Piece = string | DeferredPiece

export type DeferredPiece = {
  readonly node: DeferredNode
  readonly scope: Scope
  /**
   * What it has inside, done as far as it goes: of a condition the element under it, of bound content what stands there
   * where there is no value.
   */
  readonly pieces: readonly Piece[]
}

/** Where something stands: in which frame's markup, with which properties, in which row. */
export type Scope = {
  /** Slugs of the frames around it, outermost first: the last one's markup it is. */
  readonly frames: readonly string[]
  readonly props: Readonly<Record<string, Value>>
  /** The row of the innermost repeat. */
  readonly item?: Value
}

/** The slug of the frame in whose markup something stands. */
export function currentFrame({ frames }: Scope): string {
  return frames.at(-1) ?? ''
}
