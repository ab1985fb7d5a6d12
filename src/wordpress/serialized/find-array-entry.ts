import { type Scan, entriesWithKey, tokenAt } from './scan-php.ts'
import { type PhpKey, SerializedError } from './php-value.ts'

/**
 * The index of the value of one key of an array that is to be edited; undefined when it is missing.
 * Throws SerializedError for all that is no array: a reference stands for a value elsewhere, an
 * object is its class's business, `C:` is opaque; and for a key that stands twice, where PHP would
 * bring the other one to light.
 */
export function findArrayEntry(scan: Scan, array: number, key: PhpKey): number | undefined {
  const { kind, start } = tokenAt(scan, array)
  if (kind !== 'a')
    throw new SerializedError(`found ${kind}:, expected an array to edit ${key} in`, start)
  const [entry, again] = entriesWithKey(scan, array, key)
  if (again !== undefined)
    throw new SerializedError(`found the key ${key} twice`, tokenAt(scan, again).entry)
  return entry
}
