import { decodePhp } from './decode-php.ts'
import { encodePhp, phpFloat } from './encode-php.ts'
import type { PhpInput, PhpValue } from './php-value.ts'

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

/** PHP's `trim` knows these six only; JavaScript's takes Unicode spaces too. */
function phpTrim(text: string): string {
  const blank = (at: number): boolean => ' \t\n\r\0\v'.includes(text[at] ?? '-')
  let [start, end] = [0, text.length]
  while (blank(start)) start += 1
  while (end > start && blank(end - 1)) end -= 1
  return text.slice(start, end)
}
