import { escapeAstralCharacters } from './in-basic-plane.ts'
import type { DeferredPiece, Piece } from './pieces.ts'
import type { DeferredNode, Value } from './program.ts'

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
