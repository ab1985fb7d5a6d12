import { SerializedError } from './serialized-error.ts'

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
