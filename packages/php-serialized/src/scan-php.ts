import { assertWellFormed, isInt64, keyText, type PhpKey, SerializedError } from './php-value.ts'

/** PHP's type letters: array, object, custom-serialized object, enum case, reference, object handle. */
type TokenKind = 'N' | 'b' | 'i' | 'd' | 's' | 'a' | 'O' | 'C' | 'E' | 'R' | 'r'

/** One value with its position. All positions are byte offsets. */
export interface PhpToken {
  readonly kind: TokenKind
  /** The key as returned by `keyText`; empty for the root. */
  readonly key: string
  /** The first byte of the entry, which begins with the key. */
  readonly entry: number
  readonly start: number
  /** The content only: digits, the bytes of a string, the entries of an array. */
  readonly body: number
  readonly close: number
  readonly end: number
  /** The index of the first token after this value and its contents. */
  readonly next: number
  /** The number of slots taken by earlier values; `R:` and `r:` refer to slots. */
  readonly slotsBefore: number
  /** The slot that `R:` or `r:` refers to; 0 for other kinds. */
  readonly target: number
}

export interface Scan {
  readonly bytes: Buffer
  /** Every value in text order: a container, then its contents. */
  readonly tokens: readonly PhpToken[]
  /** The token of each slot; slot 1 is at index 0. */
  readonly slots: readonly number[]
  /** The slot of the first custom-serialized object, or Infinity. Its contents take an unknown number of slots. */
  readonly opaqueSlot: number
}

interface OpenToken extends PhpToken {
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
 * Scans a serialized value in one pass, without recursion, and records the position of every value. It accepts everything that PHP writes,
 * and ignores bytes after the value as PHP does. It rejects what PHP rejects (ext/standard/var_unserializer.re), and `S:` strings, which no
 * released PHP writes. Throws SerializedError and never guesses.
 */
export function scanPhp(text: string): Scan {
  assertWellFormed(text)
  const reader = new ByteReader(Buffer.from(text, 'utf8'))
  const tokens: PhpToken[] = []
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

  return scan
}

/** Reads a scalar completely; of a container the head, and the number of entries that follow. */
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

/** PHP looks up the slot in the values read so far; `r:` must refer to an object. */
function isKnownTarget({ tokens, slots, opaqueSlot }: Scan, { kind, target }: PhpToken): boolean {
  if (target > opaqueSlot) return true
  const found = tokens[slots[target - 1] ?? -1]
  return found !== undefined && (kind === 'R' || /[OCEr]/.test(found.kind))
}

/** Reads the part after a length: a string or enum case completely; an object up to its entries, returning their number. */
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

/** PHP clamps integers beyond 64 bits. No PHP version writes them, so they count as damage. */
function integerText(reader: ByteReader, digits: string, start: number): string {
  if (digits.length < 16) return String(Number(digits))
  const integer = BigInt(digits)
  return isInt64(integer) ? String(integer) : reader.fail('a 64-bit integer', start)
}

/**
 * A cursor over bytes. The bytes are represented as a string with one character per byte, so that sticky regular expressions can read them
 * and every index is a byte offset.
 */
class ByteReader {
  readonly bytes: Buffer
  readonly raw: string
  at = 0

  constructor(bytes: Buffer) {
    this.bytes = bytes
    this.raw = bytes.toString('latin1')
  }

  /** Reads a match of the sticky pattern at the cursor and moves the cursor behind it. */
  match(pattern: RegExp, expected: string): RegExpExecArray {
    pattern.lastIndex = this.at
    const match = pattern.exec(this.raw) ?? this.fail(expected)
    this.at = pattern.lastIndex
    return match
  }

  /** Skips `length` bytes of content and the mark that must follow them. */
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

/** The token at an index from the same scan. */
export function tokenAt({ tokens }: Scan, index: number): PhpToken {
  const token = tokens[index]
  if (token === undefined) throw new RangeError(`no token ${index}`)
  return token
}

/**
 * The index of the value at a path, with references followed as PHP does when it reads; undefined if a key is missing. Of a duplicate key
 * in damaged data the last value applies, as PHP overwrites the earlier one. Throws SerializedError where only the class knows the
 * contents.
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

/** The indexes of the values in a container; none for a scalar. */
export function* entriesOf(scan: Scan, container: number): Generator<number> {
  const { next } = tokenAt(scan, container)
  for (let index = container + 1; index < next; index = tokenAt(scan, index).next) yield index
}

/** More than one only in damaged data. */
export function entriesWithKey(scan: Scan, container: number, key: PhpKey): number[] {
  const text = keyText(key)
  return [...entriesOf(scan, container)].filter((index) => tokenAt(scan, index).key === text)
}

/** The value that a reference points to; the value itself if it is not a reference. */
export function followReference(scan: Scan, index: number): number {
  let found = index
  for (let token = tokenAt(scan, found); token.target > 0; token = tokenAt(scan, found)) {
    if (token.target > scan.opaqueSlot)
      throw new SerializedError('cannot follow a reference past C:', token.start)
    found = scan.slots[token.target - 1] ?? found
  }
  return found
}
