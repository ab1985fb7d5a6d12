import { isInt64, keyText, type PhpKey, SerializedError, utf8Bytes } from './php-value.ts'

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

/**
 * A cursor over bytes. The bytes are seen as a string with one character a byte, so that sticky
 * patterns read them and every index is a byte offset.
 */
export class ByteReader {
  readonly bytes: Buffer
  readonly raw: string
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.raw = bytes.toString('latin1')
  }

  /** Reads what the sticky pattern matches here and moves behind it. */
  match(pattern: RegExp, expected: string): RegExpExecArray {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.raw) ?? this.fail(expected)
    this.at = pattern.lastIndex
    return match
  }

  /** Moves over `length` bytes of content and the mark that must close them. */
  skipContent(length: number, mark: string): void {
    this.at = Math.min(this.at + length, this.raw.length)
    if (!this.raw.startsWith(mark, this.at)) this.fail(`${mark} after ${length} bytes`)
    this.at += mark.length
  }

  fail(expected: string, at = this.at): never {
    const found = this.bytes.toString('utf8', at, at + 12)
    const name = found === '' ? 'the end' : JSON.stringify(found)
    throw new SerializedError(`found ${name}, expected ${expected}`, at)
  }
}

/** The token at an index that the scan itself gave out. */
export function tokenAt({ tokens }: Scan, index: number): Token {
  const token = tokens[index]
  if (token === undefined) throw new RangeError(`no token ${index}`)
  return token
}

/**
 * The index of the value under a path, references followed as PHP follows them when it reads;
 * undefined when a key is missing. A key that stands twice in damaged data means its last value, as
 * PHP overwrites the earlier. Throws SerializedError where only the class could tell what is inside.
 */
export function findToken(scan: Scan, path: readonly PhpKey[]): number | undefined {
  let index = followReference(scan, 0)
  for (const key of path) {
    const token = tokenAt(scan, index)
    if (token.kind === 'C') throw new SerializedError('cannot read inside C:', token.start)
    const entry = entriesWithKey(scan, index, key).at(-1)
    if (entry === undefined) return undefined
    index = followReference(scan, entry)
  }
  return index
}

/** The indexes of the values that a container holds; none for a scalar. */
export function* entriesOf(scan: Scan, container: number): Generator<number> {
  const { next } = tokenAt(scan, container)
  for (let index = container + 1; index < next; index = tokenAt(scan, index).next) yield index
}

/** More than one only in damaged data. */
export function entriesWithKey(scan: Scan, container: number, key: PhpKey): number[] {
  const text = keyText(key)
  return [...entriesOf(scan, container)].filter((index) => tokenAt(scan, index).key === text)
}

/** The value that stands for a reference: itself when it is none. */
export function followReference(scan: Scan, index: number): number {
  let found = index
  for (let token = tokenAt(scan, found); token.target > 0; token = tokenAt(scan, found)) {
    if (token.target > scan.opaqueSlot)
      throw new SerializedError('cannot follow a reference past C:', token.start)
    found = scan.slots[token.target - 1] ?? found
  }
  return found
}
