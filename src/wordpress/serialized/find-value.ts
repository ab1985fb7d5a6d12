import { decodeToken } from './decode-php.ts'
import { findToken, scanPhp } from './scan-php.ts'
import type { PhpKey, PhpValue } from './php-value.ts'

/**
 * The value under a path of a serialized text, through arrays, public members and references;
 * undefined when it is missing. Throws SerializedError for a damaged text.
 */
export function findValue(text: string, path: readonly PhpKey[]): PhpValue | undefined {
  const scan = scanPhp(text)
  const index = findToken(scan, path)
  return index === undefined ? undefined : decodeToken(scan, index)
}
