import { applyEdit } from './apply-edit.ts'
import { findArrayEntry } from './find-array-entry.ts'
import { type Scan, scanPhp, tokenAt } from './scan-php.ts'
import { type PhpKey, SerializedError, encodeKey } from './php-value.ts'

/**
 * The text with one value set, as `$array['x']['y'] = …` does it: in its place when the key is there,
 * else at the end of its array; arrays that are missing or null on the way are made. `encoded` is
 * serialized text without references, mostly `encodePhp(value)`. Every other byte stays, but for the
 * numbers of later references. Throws SerializedError for damage in either text, for a way that does
 * not lead through arrays, and where a reference from elsewhere points into the value that goes.
 */
export function setValue(text: string, path: readonly PhpKey[], encoded: string): string {
  const scan = scanPhp(text)
  const value = newValue(encoded)
  let index = 0
  for (const [depth, key] of path.entries()) {
    const entry = findArrayEntry(scan, index, key)
    if (entry === undefined) return append(scan, index, key, nest(path.slice(depth + 1), value))
    // PHP makes an array of a null on the way; at the end of the way there is nothing to nest.
    if (tokenAt(scan, entry).kind === 'N')
      return replace(scan, entry, nest(path.slice(depth + 1), value))
    index = entry
  }
  return replace(scan, index, value)
}

interface NewValue {
  readonly insert: string
  readonly slots: number
}

function newValue(encoded: string): NewValue {
  const { tokens, slots } = scanPhp(encoded)
  const foreign = tokens.find(({ kind }) => kind === 'R' || kind === 'r' || kind === 'C')
  if (foreign !== undefined)
    throw new SerializedError(
      `found ${foreign.kind}: in the new value, whose slots only its own text could count`,
      foreign.start,
    )
  return { insert: encoded, slots: slots.length }
}

/** The value in an array of one entry for each key. */
function nest(path: readonly PhpKey[], { insert, slots }: NewValue): NewValue {
  const heads = path.map((key) => `a:1:{${encodeKey(key)}`)
  return {
    insert: heads.join('') + insert + '}'.repeat(path.length),
    slots: slots + path.length,
  }
}

function replace(scan: Scan, index: number, value: NewValue): string {
  const { start, end, next } = tokenAt(scan, index)
  return applyEdit(scan, { start, end, first: index, next, ...value })
}

function append(scan: Scan, array: number, key: PhpKey, { insert, slots }: NewValue): string {
  const { close, next } = tokenAt(scan, array)
  return applyEdit(scan, {
    start: close,
    end: close,
    first: next,
    next,
    insert: encodeKey(key) + insert,
    slots,
    resize: { array, by: 1 },
  })
}
