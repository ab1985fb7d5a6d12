import { phpTrim } from './php-trim.ts'
import { type PhpKey, PhpObject, type PhpValue, parseKey } from './php-value.ts'
import { entriesOf, findToken, followReference, type Scan, scanPhp, tokenAt } from './scan-php.ts'

/**
 * Decodes a serialized text; bytes after the value are ignored. The order of integer keys stays, a key `__proto__` is a key, and references and classes are read.
 * Throws SerializedError for a damaged text.
 */
export function decodePhp(text: string): PhpValue {
  return decodeToken(scanPhp(text), 0)
}

/** The byte after the value, where what `decodePhp` ignores begins. Throws SerializedError for a damaged text. */
export function endOfValue(text: string): number {
  return tokenAt(scanPhp(text), 0).end
}

/** Decodes one token, with references resolved in the complete scan. A cyclic array becomes a cyclic Map. */
function decodeToken(scan: Scan, index: number): PhpValue {
  const decoded = new Map<number, PhpValue>()
  const unfilled: [container: number, map: Map<PhpKey, PhpValue>][] = []

  const decode = (reference: number): PhpValue => {
    const at = followReference(scan, reference)
    const known = decoded.get(at)
    if (known !== undefined) return known
    const value = decodeAlone(scan, at)
    decoded.set(at, value)
    if (value instanceof Map) unfilled.push([at, value])
    return value
  }

  const root = decode(index)
  for (let filling = unfilled.pop(); filling !== undefined; filling = unfilled.pop()) {
    const [container, map] = filling
    for (const entry of entriesOf(scan, container))
      map.set(parseKey(tokenAt(scan, entry).key), decode(entry))
  }
  return root
}

/** A scalar, or an array that is still empty. */
function decodeAlone(scan: Scan, index: number): PhpValue {
  const { kind, start, body, close, end } = tokenAt(scan, index)
  const between = (from: number, to: number): string => scan.bytes.toString('utf8', from, to)
  switch (kind) {
    case 'N':
      return null
    case 'b':
      return between(body, close) === '1'
    case 'i':
      return decodeInteger(between(body, close))
    case 'd':
      return Number(between(body, close).replace('INF', 'Infinity'))
    case 's':
      return between(body, close)
    case 'a':
      return new Map()
    default:
      return new PhpObject(between(start, end))
  }
}

function decodeInteger(digits: string): number | bigint {
  const integer = Number(digits) + 0
  return Number.isSafeInteger(integer) ? integer : BigInt(digits)
}

/**
 * The value at a path of a stored text, through arrays, public members and references; undefined if it is missing. Throws SerializedError
 * for a damaged text.
 */
export function findValue(text: string, path: readonly PhpKey[]): PhpValue | undefined {
  const scan = scanPhp(phpTrim(text))
  const index = findToken(scan, path)
  return index === undefined ? undefined : decodeToken(scan, index)
}
