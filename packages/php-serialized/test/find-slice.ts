import type { PhpKey } from '../src/php-value.ts'
import { findToken, scanPhp, tokenAt } from '../src/scan-php.ts'

/** The source text of the value at a path; undefined if it is missing. */
export function findSlice(text: string, path: readonly PhpKey[]): string | undefined {
  const scan = scanPhp(text)
  const index = findToken(scan, path)
  if (index === undefined) return undefined
  const { start, end } = tokenAt(scan, index)
  return scan.bytes.toString('utf8', start, end)
}
