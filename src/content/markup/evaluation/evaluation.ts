import type { UnresolvedBind } from '../../../host/effects.ts'
import type { Budget } from './budget.ts'
import type { Piece, PieceWriter, Scope } from './pieces.ts'
import type { Program, Value } from './program.ts'
import type { Values } from './values.ts'

/** A compiled frame. `program` is null if the markup was not read because the closure exceeds `MAX_CLOSURE_BYTES`. */
export type CompiledFrame = { readonly slug: string; readonly program: Program | null }

/** The input of an evaluation. */
export type EvaluationInput = {
  readonly values: Values
  /** Values of the page to render; undefined while baking: instructions that need the page are then deferred. */
  readonly page: Readonly<Record<string, Value>> | undefined
  /** The frame with this id or slug. */
  findFrame(ref: string): CompiledFrame | undefined
}

/** One evaluation: its input, its remaining budget, and its messages. */
export type Evaluation = EvaluationInput & {
  readonly budget: Budget
  /** `id` attributes of the menu lists printed so far: ids are unique in a page. */
  readonly listIds: Set<string>
  /** Evaluates a program: prints HTML, and defers what needs the page. */
  evaluate(program: Program, scope: Scope, out: PieceWriter): void
  /** Prints pieces once the page is known. */
  finish(pieces: readonly Piece[], out: PieceWriter): void
  /** Computes something from an object once per evaluation. `name` says what. */
  memoize<T>(name: string, from: object, compute: () => T): T
  noteUnresolved(entry: UnresolvedBind): void
  warn(message: string): void
}
