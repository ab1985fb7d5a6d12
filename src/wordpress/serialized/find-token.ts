import { type PhpKey, SerializedError, keyText } from './php-value.ts'
import type { Scan, Token } from './scan-php.ts'

/** The token at an index that the scan itself gave out. */
export function tokenAt({ tokens }: Scan, index: number): Token {
  const token = tokens[index]
  if (token === undefined) throw new RangeError(`no token ${index}`)
  return token
}

/**
 * The index of the value under a path, references followed as PHP follows them when it reads;
 * undefined when a key is missing. A key that stands twice in damaged data means its last value, as
 * PHP overwrites the earlier. Throws SerializedError where only the class could tell what is inside.
 */
export function findToken(scan: Scan, path: readonly PhpKey[]): number | undefined {
  let index = followReference(scan, 0)
  for (const key of path) {
    const token = tokenAt(scan, index)
    if (token.kind === 'C') throw new SerializedError('cannot read inside C:', token.start)
    const entry = entriesWithKey(scan, index, key).at(-1)
    if (entry === undefined) return undefined
    index = followReference(scan, entry)
  }
  return index
}

/** The indexes of the values that a container holds; none for a scalar. */
export function* entriesOf(scan: Scan, container: number): Generator<number> {
  const { next } = tokenAt(scan, container)
  for (let index = container + 1; index < next; index = tokenAt(scan, index).next) yield index
}

/** More than one only in damaged data. */
export function entriesWithKey(scan: Scan, container: number, key: PhpKey): number[] {
  const text = keyText(key)
  return [...entriesOf(scan, container)].filter((index) => tokenAt(scan, index).key === text)
}

/** The value that stands for a reference: itself when it is none. */
export function followReference(scan: Scan, index: number): number {
  let found = index
  for (let token = tokenAt(scan, found); token.target > 0; token = tokenAt(scan, found)) {
    if (token.target > scan.opaqueSlot)
      throw new SerializedError('cannot follow a reference past C:', token.start)
    found = scan.slots[token.target - 1] ?? found
  }
  return found
}
