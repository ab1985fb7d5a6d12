import type { UnresolvedBind } from '../change.ts'
import type { Budget } from './budget.ts'
import type { Piece, PieceWriter, Scope } from './pieces.ts'
import type { Program, Value } from './program.ts'
import type { Values } from './values.ts'

/** A frame, ready to be printed; its program is null where its markup was too much to be read. */
export type CompiledFrame = { readonly slug: string; readonly program: Program | null }

/** What is evaluated, and with what. */
export type RunInput = {
  readonly values: Values
  /** The page being rendered; undefined while baking, when what needs it is put off. */
  readonly page: Readonly<Record<string, Value>> | undefined
  /** The frame of an id or slug; undefined where there is none. */
  findFrame(ref: string): CompiledFrame | undefined
}

/** One evaluation: its input, what it may still use, and what it notes. */
export type Run = RunInput & {
  readonly budget: Budget
  /** Ids of the lists of menus that are in the page already: no two elements may bear one id. */
  readonly listIds: Set<string>
  /** Prints a program: what can be said now as HTML, what needs the page to be known as live pieces. */
  evaluate(program: Program, here: Scope, out: PieceWriter): void
  /** Prints pieces, now that the page is known. */
  finish(pieces: readonly Piece[], out: PieceWriter): void
  /** What is made of a value, made once. */
  memoize<T>(value: object, make: () => T): T
  noteUnresolved(entry: UnresolvedBind): void
  warn(message: string): void
}
