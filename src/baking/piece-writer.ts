import type { Budget } from './budget.ts'
import { escapeHtml } from './escape.ts'
import type { DeferredPiece, Piece } from './pieces.ts'

/** Text from this length on stands as a piece of its own, which the languages of a copy can share. */
const MIN_LONG_TEXT = 200

/** Collects pieces within the budget of an evaluation; short texts that meet are joined. */
export class PieceWriter {
  readonly #pieces: Piece[] = []
  readonly #budget: Budget
  #text = ''

  constructor(budget: Budget) {
    this.#budget = budget
  }

  html(text: string): void {
    if (text === '' || !this.#budget.takeOutput(text)) return
    if (text.length < MIN_LONG_TEXT) {
      this.#text += text
      return
    }
    this.#flush()
    this.#pieces.push(text)
  }

  /** Prints a value as text. */
  text(value: string): void {
    if (this.#budget.mayPrint(value)) this.html(escapeHtml(value))
  }

  defer(piece: DeferredPiece): void {
    const { node: live, scope: here } = piece
    for (const value of [live, here.frames, here.props, here.item]) {
      if (typeof value === 'object' && value !== null) this.#budget.takeStored(value)
    }
    if (this.#budget.exhausted) return
    this.#flush()
    this.#pieces.push(piece)
  }

  /** The pieces so far. */
  pieces(): Piece[] {
    this.#flush()
    return this.#pieces
  }

  #flush(): void {
    if (this.#text !== '') this.#pieces.push(this.#text)
    this.#text = ''
  }
}
