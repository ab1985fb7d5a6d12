import { phpTrim } from '../formatting/plain-text.ts'
import { decodePhp } from './decode-php.ts'
import { encodePhp, phpFloat } from './encode-php.ts'
import { type PhpInput, type PhpKey, type PhpValue, SerializedError } from './php-value.ts'

/**
 * `is_serialized` (wp-includes/functions.php): a look at the outside only. `strict` wants the end to
 * look right as well. A custom-serialized object (`C:`) does not count, `i:+5;` does.
 */
export function isSerialized(text: string, strict = true): boolean {
  const data = phpTrim(text)
  if (data === 'N;') return true
  if (Buffer.byteLength(data) < 4) return false
  // Where WordPress also wants no mark too early, its patterns below fail anyway.
  if (!/[;}]/.test(strict ? data.slice(-1) : data)) return false
  switch (data[0]) {
    case 's':
      return /^s:\d+:/.test(data) && (strict ? data.at(-2) === '"' : data.includes('"'))
    case 'a':
    case 'O':
    case 'E':
      return /^.:\d+:/.test(data)
    case 'b':
    case 'i':
    case 'd':
      return (strict ? /^.:[\d.E+-]+;$/ : /^.:[\d.E+-]+;/).test(data)
    default:
      return false
  }
}

/**
 * The text that WordPress stores for a value: `maybe_serialize` (wp-includes/functions.php), then
 * PHP's cast to string, which wpdb makes of scalars: true is `1`, false and null are empty. Floats
 * keep all digits, where PHP's setting `precision` may cut them. A string that looks serialized is
 * serialized again, so that one reading gives it back. Throws as `encodePhp` does.
 */
export function maybeSerialize(value: PhpInput): string {
  if (value === null || value === false) return ''
  if (value === true) return '1'
  const encoded = encodePhp(value)
  switch (typeof value) {
    case 'object':
      return encoded
    case 'string':
      return isSerialized(value, false) ? encoded : value
    default:
      return encoded.startsWith('i') ? String(value) : phpFloat(Number(value))
  }
}

/**
 * What WordPress reads from a stored text: `maybe_unserialize` (wp-includes/functions.php). Where
 * WordPress takes a damaged text for false, this throws SerializedError: false would be saved back.
 */
export function maybeUnserialize(text: string): PhpValue {
  return isSerialized(text) ? decodePhp(phpTrim(text)) : text
}

export type StoredArray = ReadonlyMap<PhpKey, PhpValue>

const EMPTY: StoredArray = new Map()

/**
 * The array that an option or a description holds. What is missing, damaged or no array is an empty one, as WordPress
 * takes `false` for: right for reading only, never for a value that is written back.
 */
export function storedArray(text: string | null | undefined): StoredArray {
  return arrayIn(storedValue(text ?? ''))
}

/** The value that a text holds; undefined where it is damaged. */
export function storedValue(text: string): PhpValue | undefined {
  try {
    return maybeUnserialize(text)
  } catch (error) {
    if (error instanceof SerializedError) return undefined
    throw error
  }
}

/** The value itself where it is an array, else an empty one. */
export function arrayIn(value: PhpValue | undefined): StoredArray {
  return value instanceof Map ? value : EMPTY
}

/** The id that a value spells, as PHP casts it: a positive integer, or 0. */
export function idIn(value: PhpValue | undefined): number {
  const id = typeof value === 'string' || typeof value === 'number' ? Math.trunc(Number(value)) : 0
  return Number.isSafeInteger(id) && id > 0 ? id : 0
}

/**
 * The text of an option that holds one, as `get_option` gives it (option.php): one that looks serialized was serialized once more
 * when it was stored. '' for anything else than a text.
 */
export function optionText(stored: string): string {
  try {
    const value = maybeUnserialize(stored)
    return typeof value === 'string' ? value : ''
  } catch (error) {
    if (error instanceof SerializedError) return ''
    throw error
  }
}
