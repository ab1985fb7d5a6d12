import type { Budget } from './budget.ts'
import { escapeHtml } from './escape.ts'
import type { DeferredNode, Value } from './program.ts'

/**
 * The result of a bake: finished HTML, and nodes that are deferred until the page is known. Pieces are stored as data and never parsed as
 * markup again, so a title that looks like an insert stays a title.
 */
export type Piece = string | DeferredPiece

export type DeferredPiece = {
  readonly node: DeferredNode
  readonly scope: Scope
  /** The contents, evaluated as far as possible: the element under a condition, or the fallback of bound content. */
  readonly pieces: readonly Piece[]
}

/** The scope in which a node is evaluated: enclosing frames, properties, row. */
export type Scope = {
  /** Slugs of the enclosing frames, outermost first; the last one contains the node. */
  readonly frames: readonly string[]
  readonly props: Readonly<Record<string, Value>>
  /** The row of the innermost repeat. */
  readonly item?: Value
}

/** The slug of the frame whose markup contains the node. */
export function currentFrame({ frames }: Scope): string {
  return frames.at(-1) ?? ''
}

/** Texts of at least this length become separate pieces, which the languages of a copy can share. */
const MIN_LONG_TEXT = 200

/** Collects pieces within the budget of an evaluation. Adjacent short texts are joined. */
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

  /** Prints a value as escaped text. */
  text(value: string): void {
    if (this.#budget.mayPrint(value)) this.html(escapeHtml(value))
  }

  defer(piece: DeferredPiece): void {
    const { node, scope } = piece
    for (const value of [node, scope.frames, scope.props, scope.item]) {
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

/** Shorter texts are repeated: that is cheaper than a reference. */
const MIN_SHARED_LENGTH = 200

/** A piece in JSON: a text, the index of a shared text, or a deferred piece: indexes of node, frames, props and item, then its contents. */
type EncodedPiece = string | number | [number, number, number, number, EncodedPiece[]]

/** The index of the item outside any repeat. */
const NO_ITEM = -1

/**
 * Encodes the pieces of several languages as lines of JSON: the shared values first, then one line per language. A value that several
 * pieces reference is written once: a row of 1 MB may be referenced by a thousand pieces.
 */
export function encodePieces(languages: readonly (readonly Piece[])[]): string {
  const indexes = new Map<unknown, number>()
  const shared: unknown[] = []
  const share = (value: unknown): number => {
    const known = indexes.get(value)
    if (known !== undefined) return known
    indexes.set(value, shared.length)
    return shared.push(value) - 1
  }
  const encode = (piece: Piece): EncodedPiece => {
    if (typeof piece === 'string') return piece.length < MIN_SHARED_LENGTH ? piece : share(piece)
    const { node, scope, pieces } = piece
    const item = scope.item === undefined ? NO_ITEM : share(scope.item)
    return [share(node), share(scope.frames), share(scope.props), item, pieces.map(encode)]
  }
  const lines = languages.map((pieces) => JSON.stringify(pieces.map(encode)))
  return escapeAstralCharacters([JSON.stringify(shared), ...lines].join('\n'))
}

/**
 * Decodes the pieces of one language.
 * @param language index of the language
 * @throws SyntaxError, TypeError or RangeError if the text is damaged
 */
export function decodePieces(body: string, language: number): Piece[] {
  const lines = body.split('\n')
  const shared: unknown[] = JSON.parse(lines[0] ?? '')
  const at = <T>(index: number): T => {
    if (!Object.hasOwn(shared, index)) throw new RangeError(`no shared value ${index}`)
    return shared[index] as T
  }
  const decode = (encoded: EncodedPiece): Piece => {
    if (typeof encoded === 'string') return encoded
    if (typeof encoded === 'number') return at<string>(encoded)
    const [node, frames, props, item, pieces] = encoded
    return {
      node: at<DeferredNode>(node),
      scope: {
        frames: at<string[]>(frames),
        props: at<Scope['props']>(props),
        ...(item === NO_ITEM ? {} : { item: at<Value>(item) }),
      },
      pieces: pieces.map(decode),
    }
  }
  const pieces: EncodedPiece[] = JSON.parse(lines[language + 1] ?? '')
  return pieces.map(decode)
}

/**
 * Escapes the characters of JSON that take four bytes in UTF-8. Tables in utf8mb3 cannot store them, and decoding a name stored with
 * entities may produce one.
 */
export function escapeAstralCharacters(json: string): string {
  return json.replace(/[\ud800-\udfff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`)
}
