/**
 * The JavaScript form of a PHP value. Arrays are Maps: a Map preserves the order of integer keys, distinguishes `1` from `'01'`, and has no
 * prototype that a key `__proto__` could reach. A reference is decoded as the value it points to, so two references to one array are one
 * Map. Integers beyond JavaScript's exact range are bigint. Floats and integers are both numbers: only an edit in place preserves `d:1;`.
 */
export type PhpValue = null | boolean | number | bigint | string | Map<PhpKey, PhpValue> | PhpObject

/** An object, enum case or custom-serialized object, stored as PHP's text and never reconstructed. */
export class PhpObject {
  readonly serialized: string

  constructor(serialized: string) {
    this.serialized = serialized
  }
}

/** Values that can be encoded. An array or a plain object is a PHP array too. */
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
 * A key of a PHP array. PHP converts a string that spells an integer into that integer, so `12` and `'12'` are one key. Integers beyond
 * JavaScript's exact range are strings.
 */
export type PhpKey = string | number

/** The text of a key. No string key of PHP spells an integer, so the text alone distinguishes the two kinds. */
export function keyText(key: PhpKey): string {
  if (typeof key === 'number' && !Number.isSafeInteger(key))
    throw new SerializedError(`found the key ${key}, expected a safe integer or a string`, 0)
  return String(key)
}

/** An integer if JavaScript can represent it exactly, else the text. */
export function parseKey(text: string): PhpKey {
  const integer = isIntegerKey(text) ? Number(text) : Number.NaN
  return Number.isSafeInteger(integer) ? integer : text
}

/** `i:12;` or `s:2:"ab";`. Throws SerializedError for a key that is not well-formed text. */
export function encodeKey(key: PhpKey): string {
  const text = keyText(key)
  return isIntegerKey(text) ? `i:${text};` : encodeText(text)
}

/** `s:2:"ab";`: PHP counts bytes. Throws SerializedError for a text that is not well-formed. */
export function encodeText(text: string): string {
  assertWellFormed(text)
  return `s:${Buffer.byteLength(text)}:"${text}";`
}

/** ZEND_HANDLE_NUMERIC_STR (Zend/zend_hash.h): `012` and `-0` stay strings, and integers have 64 bits. */
function isIntegerKey(text: string): boolean {
  return /^(?:0|-?[1-9]\d{0,18})$/.test(text) && isInt64(BigInt(text))
}

export function isInt64(integer: bigint): boolean {
  return BigInt.asIntN(64, integer) === integer
}

/**
 * A value as PHP casts it to an integer, `(int)`: of a text the number at its start, an array that is not empty is 1. 0 for a number beyond
 * JavaScript's exact range, which is no id.
 */
export function phpInt(value: PhpValue | undefined): number {
  if (value instanceof Map) return value.size > 0 ? 1 : 0
  if (value instanceof PhpObject) return 1
  const integer = Math.trunc(
    Number(typeof value === 'string' ? numberAtStart(value) : (value ?? 0)),
  )
  return Number.isSafeInteger(integer) ? integer + 0 : 0
}

const numberAtStart = (text: string): string =>
  /^[ \t\n\r\v\f]*([+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?)/i.exec(text)?.[1] ?? '0'

/**
 * A serialized value that is damaged, or an edit that its bytes do not allow. Nothing was written. `offset` is the byte position of the
 * problem in the UTF-8 text, or in the new value.
 */
export class SerializedError extends Error {
  override readonly name = 'SerializedError'
  readonly offset: number

  constructor(message: string, offset: number) {
    super(`${message} at byte ${offset}`)
    this.offset = offset
  }
}

/**
 * Throws SerializedError for an unpaired surrogate: UTF-8 cannot encode it, and Node would write the replacement character instead, which
 * loses data.
 */
export function assertWellFormed(text: string): void {
  if (text.isWellFormed()) return
  const wellFormed = text.slice(0, text.search(/\p{Surrogate}/u))
  throw new SerializedError(
    'found an unpaired surrogate, expected valid Unicode',
    Buffer.byteLength(wellFormed),
  )
}
