import { serialize } from 'php-serialize'
import { SerializedError } from './serialized-error.ts'
import { assertWellFormed } from './utf8-bytes.ts'

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
