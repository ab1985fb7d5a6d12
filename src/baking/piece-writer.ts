import type { Budget } from './budget.ts'
import type { LivePiece, Piece } from './pieces.ts'

/** Collects pieces; finished HTML that meets is joined, within the budget of the evaluation. */
export class PieceWriter {
  readonly #pieces: Piece[] = []
  readonly #budget: Budget
  #text: string[] = []

  constructor(budget: Budget) {
    this.#budget = budget
  }

  html(text: string): void {
    if (this.#budget.takeOutput(text)) this.#text.push(text)
  }

  live(piece: LivePiece): void {
    this.#flush()
    this.#pieces.push(piece)
  }

  /** Takes over pieces that another writer of the same evaluation has paid for. */
  append(pieces: readonly Piece[]): void {
    for (const piece of pieces) {
      if (typeof piece === 'string') this.#text.push(piece)
      else this.live(piece)
    }
  }

  /** The pieces so far. */
  pieces(): Piece[] {
    this.#flush()
    return this.#pieces
  }

  #flush(): void {
    if (this.#text.length > 0) this.#pieces.push(this.#text.join(''))
    this.#text = []
  }
}
