import { applyEdit } from './apply-edit.ts'
import { findArrayEntry } from './find-array-entry.ts'
import { scanPhp, tokenAt } from './scan-php.ts'
import { type PhpKey, SerializedError } from './php-value.ts'

/**
 * The text without one entry, as `unset($array['x']['y'])` leaves it: other keys keep their numbers.
 * The same text when the entry is missing. Every other byte stays, but for the count of its array and
 * the numbers of later references. Throws SerializedError for damage, for an empty path, for a way
 * that does not lead through arrays, and where a reference from elsewhere points into what goes.
 */
export function removeValue(text: string, path: readonly PhpKey[]): string {
  const scan = scanPhp(text)
  if (path.length === 0) throw new SerializedError('cannot remove the whole value', 0)
  let array = 0
  let index = 0
  for (const key of path) {
    array = index
    const entry = findArrayEntry(scan, array, key)
    if (entry === undefined) return text
    index = entry
  }
  const { entry, end, next } = tokenAt(scan, index)
  return applyEdit(scan, {
    start: entry,
    end,
    first: index,
    next,
    insert: '',
    slots: 0,
    resize: { array, by: -1 },
  })
}
