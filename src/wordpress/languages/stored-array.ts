import { maybeUnserialize } from '../serialized/maybe-serialize.ts'
import { type PhpKey, type PhpValue, SerializedError } from '../serialized/php-value.ts'

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
