import type { BoundAttribute, BoundPath, Insert, Value } from './program.ts'

/**
 * What a bake leaves: finished HTML, and what needs the page to be known. Pieces are stored as data and never
 * read as markup again, so a title that looks like an insert stays a title.
 */
export type Piece = string | LivePiece

export type LivePiece =
  | { readonly live: 'insert'; readonly insert: Insert; readonly surroundings: Surroundings }
  | {
      readonly live: 'attribute'
      readonly attribute: BoundAttribute
      readonly surroundings: Surroundings
    }
  | {
      readonly live: 'content'
      readonly content: BoundPath & { readonly html: boolean }
      readonly otherwise: readonly Piece[]
      readonly surroundings: Surroundings
    }
  | {
      readonly live: 'if'
      readonly condition: BoundPath
      readonly pieces: readonly Piece[]
      readonly surroundings: Surroundings
    }

/** Where something stands: in which frame's markup, with which properties, in which row. */
export type Surroundings = {
  /** Slug of the frame. */
  readonly frame: string
  readonly props: Readonly<Record<string, Value>>
  /** The row of the innermost repeat. */
  readonly item?: Value
}
