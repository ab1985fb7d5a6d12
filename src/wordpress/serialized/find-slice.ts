import type { PhpKey } from './php-value.ts'
import { findToken, scanPhp, tokenAt } from './scan-php.ts'

/**
 * The very text of the value under a path, to compare or to put back with `setValue`; undefined when
 * it is missing. References in it count the slots of the whole text: to read them use `findValue`.
 * Throws SerializedError for a damaged text.
 */
export function findSlice(text: string, path: readonly PhpKey[]): string | undefined {
  const scan = scanPhp(text)
  const index = findToken(scan, path)
  if (index === undefined) return undefined
  const { start, end } = tokenAt(scan, index)
  return scan.bytes.toString('utf8', start, end)
}
