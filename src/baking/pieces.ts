import type { Budget } from './budget.ts'
import { escapeHtml } from './escape.ts'
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

/** Shorter texts are cheaper to repeat than to refer to. */
const MIN_SHARED_LENGTH = 200

/** A piece in JSON: a text, the number of a shared text, or a live piece: node, frames, props and item by number, what it has inside. */
type EncodedPiece = string | number | [number, number, number, number, EncodedPiece[]]

/** No item: outside of any repeat. */
const NO_ITEM = -1

/**
 * The pieces of several languages as lines of JSON: what they share on the first one, then a line for each. What is one value in
 * memory is written once, however many pieces refer to it: a row of a megabyte may have a thousand of them.
 */
export function encodePieces(languages: readonly (readonly Piece[])[]): string {
  const numbers = new Map<unknown, number>()
  const shared: unknown[] = []
  const share = (value: unknown): number => {
    const held = numbers.get(value)
    if (held !== undefined) return held
    numbers.set(value, shared.length)
    return shared.push(value) - 1
  }
  const encode = (piece: Piece): EncodedPiece => {
    if (typeof piece === 'string') return piece.length < MIN_SHARED_LENGTH ? piece : share(piece)
    const { node: live, scope: here, pieces } = piece
    const item = here.item === undefined ? NO_ITEM : share(here.item)
    return [share(live), share(here.frames), share(here.props), item, pieces.map(encode)]
  }
  const lines = languages.map((pieces) => JSON.stringify(pieces.map(encode)))
  return escapeAstralCharacters([JSON.stringify(shared), ...lines].join('\n'))
}

/**
 * The pieces on one of the lines.
 * @throws SyntaxError, TypeError or RangeError where the text is damaged
 */
export function decodePieces(body: string, language: number): Piece[] {
  const lines = body.split('\n')
  const shared: unknown[] = JSON.parse(lines[0] ?? '')
  const at = <T>(number: number): T => {
    if (!Object.hasOwn(shared, number)) throw new RangeError(`no shared value ${number}`)
    return shared[number] as T
  }
  const decode = (encoded: EncodedPiece): Piece => {
    if (typeof encoded === 'string') return encoded
    if (typeof encoded === 'number') return at<string>(encoded)
    const [live, frames, props, item, pieces] = encoded
    return {
      node: at<DeferredNode>(live),
      scope: {
        frames: at<string[]>(frames),
        props: at<DeferredPiece['scope']['props']>(props),
        ...(item === NO_ITEM ? {} : { item: at<Value>(item) }),
      },
      pieces: pieces.map(decode),
    }
  }
  const pieces: EncodedPiece[] = JSON.parse(lines[language + 1] ?? '')
  return pieces.map(decode)
}

/**
 * JSON with the characters escaped that take four bytes, which old tables can't hold: a name that is stored with an entity
 * may have one once it is read.
 */
export function escapeAstralCharacters(json: string): string {
  return json.replace(/[\ud800-\udfff]/g, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
}
