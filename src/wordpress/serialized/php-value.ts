import { serialize } from 'php-serialize'

/**
 * What a PHP value is here. Arrays are Maps: a Map keeps the order of integer keys, keeps `1` apart
 * from `'01'`, and has no prototype for a key called `__proto__` to reach. A reference is given as
 * the value it points to, so two references to one array are one Map. Integers beyond JavaScript's
 * exact range are bigint. Floats and integers are both numbers: only an edit in place keeps `d:1;`.
 */
export type PhpValue = null | boolean | number | bigint | string | Map<PhpKey, PhpValue> | PhpObject

/** An object, enum case or custom-serialized object: carried as PHP's text, never rebuilt. */
export class PhpObject {
  readonly serialized: string

  constructor(serialized: string) {
    this.serialized = serialized
  }
}

/** What may be encoded: values of our own. An array or a plain object is a PHP array too. */
export type PhpInput =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly PhpInput[]
  | ReadonlyMap<PhpKey, PhpInput>
  | { readonly [key: string]: PhpInput }

/**
 * A key of a PHP array. PHP turns a string that spells an integer into that integer, so `12` and
 * `'12'` are one key; integers beyond JavaScript's exact range are given as strings.
 */
export type PhpKey = string | number

/** No string key of PHP can spell an integer, so the spelling alone tells the two kinds apart. */
export function keyText(key: PhpKey): string {
  if (typeof key === 'number' && !Number.isSafeInteger(key))
    throw new SerializedError(`found the key ${key}, expected a safe integer or a string`, 0)
  return String(key)
}

/** Shape: an integer where JavaScript can hold it exactly, else the text. */
export function parseKey(text: string): PhpKey {
  const integer = isIntegerKey(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(integer) ? integer : text
}

/** `i:12;` or `s:2:"ab";`. Throws SerializedError for a key that is no whole text. */
export function encodeKey(key: PhpKey): string {
  const text = keyText(key)
  assertWellFormed(text)
  return isIntegerKey(text) ? `i:${text};` : serialize(text)
}

/** ZEND_HANDLE_NUMERIC_STR (Zend/zend_hash.h): `012` and `-0` stay strings, 64 bits are the limit. */
function isIntegerKey(text: string): boolean {
  return /^(?:0|-?[1-9]\d{0,18})$/.test(text) && isInt64(BigInt(text))
}

export function isInt64(integer: bigint): boolean {
  return BigInt.asIntN(64, integer) === integer
}

/**
 * A serialized value that is damaged, or an edit that its bytes do not allow. Nothing was written.
 * `offset` is the byte of the UTF-8 text, or of the new value, where the trouble stands.
 */
export class SerializedError extends Error {
  override readonly name = 'SerializedError'
  readonly offset: number

  constructor(message: string, offset: number) {
    super(`${message} at byte ${offset}`)
    this.offset = offset
  }
}

/** The bytes that PHP would count. Throws SerializedError as `assertWellFormed` does. */
export function utf8Bytes(text: string): Buffer {
  assertWellFormed(text)
  return Buffer.from(text, 'utf8')
}

/**
 * Throws SerializedError for half a surrogate pair: UTF-8 has no bytes for it, and the replacement
 * character that Node writes instead would be lost data.
 */
export function assertWellFormed(text: string): void {
  if (text.isWellFormed()) return
  const wellFormed = text.slice(0, text.search(/\p{Surrogate}/u))
  throw new SerializedError(
    'found half a surrogate pair, expected a whole character',
    Buffer.byteLength(wellFormed),
  )
}
