import { ByteReader } from './byte-reader.ts'
import { isInt64, utf8Bytes } from './php-value.ts'

/** PHP's letters: array, object, custom-serialized object, enum case, reference, object handle. */
export type TokenKind = 'N' | 'b' | 'i' | 'd' | 's' | 'a' | 'O' | 'C' | 'E' | 'R' | 'r'

/** One value and where it stands. All positions are byte offsets. */
export interface Token {
  readonly kind: TokenKind
  /** As `keyText` spells it; empty for the root. */
  readonly key: string
  /** The first byte of the entry, which opens with the key. */
  readonly entry: number
  readonly start: number
  /** The content alone: digits, the bytes of a string, the entries of an array. */
  readonly body: number
  readonly close: number
  readonly end: number
  /** The index of the first token behind this value and all in it. */
  readonly next: number
  /** How many values before this one took a slot: what `R:` and `r:` count. */
  readonly slotsBefore: number
  /** The slot that `R:` or `r:` names; 0 for other kinds. */
  readonly target: number
}

export interface Scan {
  readonly bytes: Buffer
  /** Every value in the order of the text: a container, then what is in it. */
  readonly tokens: readonly Token[]
  /** The token that took each slot; slot 1 is at index 0. */
  readonly slots: readonly number[]
  /** The first custom-serialized object's slot, or Infinity. What it holds takes unknown slots. */
  readonly opaqueSlot: number
}

interface OpenToken extends Token {
  body: number
  close: number
  end: number
  next: number
}

const VALUE =
  /N;|b:[01];|i:([+-]?\d{1,19});|d:(?:NAN|-?INF|[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?);|[Rr]:(\d{1,15});|a:(\d+):\{|[sOCE]:(\d+):"/y
const KEY = /i:([+-]?\d{1,19});|s:(\d+):"/y
const SIZE = /(\d+):\{/y
const CLASS_NAME = /^(?!\\)[\w\\\x80-\xff]+$/
const ENUM_CASE = /^(?!\\)[\w\\\x80-\xff]+:./s

/**
 * One pass over a serialized value, without recursion: what stands where. Knows all that PHP writes
 * and refuses what PHP would refuse (ext/standard/var_unserializer.re), bytes behind the value, and
 * the `S:` strings that no released PHP writes. Throws SerializedError, never guesses.
 */
export function scanPhp(text: string): Scan {
  const reader = new ByteReader(utf8Bytes(text))
  const tokens: Token[] = []
  const slots: number[] = []
  const scan = { bytes: reader.bytes, tokens, slots, opaqueSlot: Number.POSITIVE_INFINITY }
  const open: { token: OpenToken; left: number }[] = []
  let entry = 0
  let key = ''

  for (;;) {
    const { token, size } = readToken(reader, { entry, key, scan })
    if (token.kind === 'C') scan.opaqueSlot = Math.min(scan.opaqueSlot, slots.length + 1)
    if (token.kind !== 'R') slots.push(tokens.length)
    tokens.push(token)
    if (size !== undefined) open.push({ token, left: size })

    let parent = open.at(-1)
    while (parent?.left === 0) {
      parent.token.close = reader.at
      reader.skipContent(0, '}')
      parent.token.end = reader.at
      parent.token.next = tokens.length
      open.pop()
      parent = open.at(-1)
    }
    if (parent === undefined) break
    parent.left -= 1
    entry = reader.at
    key = readKey(reader)
  }

  if (reader.at < reader.raw.length) reader.fail('the end')
  return scan
}

/** A scalar whole; of a container the head, and how many entries are to follow. */
function readToken(
  reader: ByteReader,
  { entry, key, scan }: { entry: number; key: string; scan: Scan },
): { token: OpenToken; size: number | undefined } {
  const start = reader.at
  const [head, integer, target, size, length] = reader.match(VALUE, 'a value')
  const token: OpenToken = {
    kind: head[0] as TokenKind,
    key,
    entry,
    start,
    body: size === undefined && length === undefined ? start + 2 : reader.at,
    close: reader.at - 1,
    end: reader.at,
    next: scan.tokens.length + 1,
    slotsBefore: scan.slots.length,
    target: Number(target ?? 0),
  }
  if (integer !== undefined) integerText(reader, integer, start)
  if (target !== undefined && !isKnownTarget(scan, token))
    reader.fail('a reference to an earlier value', start)
  const entries = length === undefined ? size : readNamed(reader, token, Number(length))
  return { token, size: entries === undefined ? undefined : Number(entries) }
}

/** PHP looks the slot up in what it has read so far, and `r:` shares an object or fails. */
function isKnownTarget({ tokens, slots, opaqueSlot }: Scan, { kind, target }: Token): boolean {
  if (target > opaqueSlot) return true
  const found = tokens[slots[target - 1] ?? -1]
  return found !== undefined && (kind === 'R' || /[OCEr]/.test(found.kind))
}

/** What a length opens: a string or enum case, whole; an object up to its entries, their count. */
function readNamed(reader: ByteReader, token: OpenToken, length: number): string | undefined {
  const { body, kind } = token
  reader.skipContent(length, kind === 's' || kind === 'E' ? '";' : '":')
  token.close = body + length
  token.end = reader.at
  if (kind === 's') return undefined
  const name = reader.raw.slice(body, body + length)
  if (!(kind === 'E' ? ENUM_CASE : CLASS_NAME).test(name)) reader.fail('a class name', body)
  if (kind === 'E') return undefined

  const [, size] = reader.match(SIZE, 'a size')
  token.body = reader.at
  if (kind === 'O') return size
  reader.skipContent(Number(size), '}')
  token.close = reader.at - 1
  token.end = reader.at
  return undefined
}

function readKey(reader: ByteReader): string {
  const start = reader.at
  const [, integer, length] = reader.match(KEY, 'a key')
  if (integer !== undefined) return integerText(reader, integer, start)
  const body = reader.at
  reader.skipContent(Number(length), '";')
  return reader.bytes.toString('utf8', body, body + Number(length))
}

/** PHP clamps what 64 bits cannot hold; no PHP wrote that, so it is damage. */
function integerText(reader: ByteReader, digits: string, start: number): string {
  if (digits.length < 16) return String(Number(digits))
  const integer = BigInt(digits)
  return isInt64(integer) ? String(integer) : reader.fail('a 64-bit integer', start)
}
