import {
  decodePhp,
  endOfValue,
  type PhpKey,
  type PhpValue,
  phpInt,
  phpTrim,
  SerializedError,
} from '#php-serialized'

/**
 * `is_serialized` (wp-includes/functions.php) in its strict form. It checks the outer form only: a custom-serialized object (`C:`) does
 * not count, `i:+5;` does.
 */
export function isSerialized(text: string): boolean {
  const data = phpTrim(text)
  if (data === 'N;') return true
  if (Buffer.byteLength(data) < 4) return false
  // WordPress also rejects an early mark here; its patterns below fail in that case anyway.
  if (!/[;}]$/.test(data)) return false
  switch (data[0]) {
    case 's':
      return /^s:\d+:/.test(data) && data.at(-2) === '"'
    case 'a':
    case 'O':
    case 'E':
      return /^.:\d+:/.test(data)
    case 'b':
    case 'i':
    case 'd':
      return /^.:[\d.E+-]+;$/.test(data)
    default:
      return false
  }
}

/**
 * The value that WordPress reads from a stored text: `maybe_unserialize` (wp-includes/functions.php). WordPress reads a damaged text as
 * false; this throws SerializedError instead, because false could be written back.
 */
export function maybeUnserialize(text: string): PhpValue {
  return isSerialized(text) ? decodePhp(phpTrim(text)) : text
}

/**
 * The value of a stored text that can only be a serialized one. Throws SerializedError if WordPress reads another value: false from a
 * damaged text, or the text itself if its last byte is not the end of a value (`is_serialized`).
 */
export function unserialize(text: string): PhpValue {
  const data = phpTrim(text)
  if (isSerialized(data)) return decodePhp(data)
  throw new SerializedError(
    `found ${JSON.stringify(data.slice(-1))} as the last character, expected ; or }, after a value that ends`,
    endOfValue(data),
  )
}

/** Why WordPress does not read the array of an option that holds one; undefined if it reads it, or if the text holds no array. */
export function findDamage(text: string): SerializedError | undefined {
  if (!isSerialized(text) && !/^[aO]:\d+:\{/.test(phpTrim(text))) return undefined
  try {
    unserialize(text)
    return undefined
  } catch (error) {
    if (error instanceof SerializedError) return error
    throw error
  }
}

export type StoredArray = ReadonlyMap<PhpKey, PhpValue>

const EMPTY: StoredArray = new Map()

/**
 * The array in an option or a description. A missing or damaged value, or one that is not an array, gives an empty array, as WordPress
 * treats `false`. Only for reading, never for a value that is written back.
 */
export function storedArray(text: string | null | undefined): StoredArray {
  return arrayIn(storedValue(text ?? ''))
}

/** The value of a text; undefined if it is damaged. */
export function storedValue(text: string): PhpValue | undefined {
  try {
    return maybeUnserialize(text)
  } catch (error) {
    if (error instanceof SerializedError) return undefined
    throw error
  }
}

/** The value itself if it is an array, else an empty array. */
export function arrayIn(value: PhpValue | undefined): StoredArray {
  return value instanceof Map ? value : EMPTY
}

/** The id in a value, as PHP casts it (`phpInt`): a positive integer, or 0. */
export const idIn = (value: unknown): number => Math.max(phpInt(value as PhpValue | undefined), 0)

/**
 * The text of an option as `get_option` returns it (option.php): WordPress serializes a text that looks serialized once more when it stores
 * it. '' for a value that is not a text.
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
