import { PhpObject, type PhpValue } from '../src/php-value.ts'

/**
 * PHP values as a tree whose references contain their target, and a writer that numbers them only while writing: the reference
 * implementation for edits, which shares no code with the code under test.
 */
export type PhpNode =
  | { kind: 'leaf'; text: string; slots: number; value: PhpValue }
  | { kind: 'array'; entries: PhpEntry[] }
  | { kind: 'object'; name: string; entries: PhpEntry[] }
  | { kind: 'reference'; pick: number; target?: PhpNode | undefined }

interface PhpEntry {
  key: string
  node: PhpNode
}

export type Tree = PhpNode & { kind: 'array' }

const bytes = (text: string): number => Buffer.byteLength(text)

/** Independent of the code under test: PHP's integers among the keys, by BigInt's own notation. */
export const isIntegerLike = (key: string): boolean =>
  /^-?\d+$/.test(key) &&
  String(BigInt(key)) === key &&
  BigInt(key) <= 9223372036854775807n &&
  BigInt(key) >= -9223372036854775808n

export const stringText = (text: string): string => `s:${bytes(text)}:"${text}";`

/** Members of an object always have text keys. */
const keyText = (key: string, owner: PhpNode): string =>
  owner.kind === 'array' && isIntegerLike(key) ? `i:${key};` : stringText(key)

/**
 * A separate, editable tree, whose references point at values written before them: an object is shared as a handle (`r:`) or by reference,
 * everything else by reference (`R:`). Without a value to point at they are null.
 */
export function ownTree(tree: Tree): Tree {
  const targets: PhpNode[] = []
  const copy = (node: PhpNode): PhpNode => {
    if (node.kind === 'reference')
      return { ...node, target: targets[node.pick % Math.max(targets.length, 1)] }
    const own = { ...node }
    targets.push(own)
    if (own.kind !== 'leaf')
      own.entries = own.entries.map(({ key, node: value }) => ({ key, node: copy(value) }))
    return own
  }
  // The root itself is not a target: PHP writes it a second time instead.
  return { ...tree, entries: tree.entries.map(({ key, node }) => ({ key, node: copy(node) })) }
}

/** The text that PHP writes for the tree, or undefined if a reference has lost its target. */
export function writeTree(root: PhpNode): string | undefined {
  const numbers = new Map<PhpNode, number>()
  let slots = 0
  let lost = false
  const write = (node: PhpNode): string => {
    if (node.kind === 'reference') {
      const letter = node.target?.kind === 'object' && node.pick % 2 === 0 ? 'r' : 'R'
      if (node.target === undefined || letter === 'r') slots += 1
      if (node.target === undefined) return 'N;'
      const number = numbers.get(node.target)
      if (number === undefined) lost = true
      return `${letter}:${number};`
    }
    slots += 1
    numbers.set(node, slots)
    if (node.kind === 'leaf') {
      slots += node.slots - 1
      return node.text
    }
    const { length } = node.entries
    const head = node.kind === 'array' ? 'a:' : `O:${bytes(node.name)}:"${node.name}":`
    const body = node.entries.map((entry) => keyText(entry.key, node) + write(entry.node))
    return `${head}${length}:{${body.join('')}}`
  }
  const text = write(root)
  return lost ? undefined : text
}

/** The decoded form of a tree without references. */
export function treeValue(node: PhpNode): PhpValue {
  if (node.kind === 'leaf') return node.value
  if (node.kind === 'array')
    return new Map(
      node.entries.map(({ key, node: value }) => {
        const number = isIntegerLike(key) ? Number(key) : Number.NaN
        return [Number.isSafeInteger(number) ? number : key, treeValue(value)]
      }),
    )
  return new PhpObject(writeTree(node) ?? '')
}

/** Every array that can be reached from the root through arrays, with its path. */
export function arraysOf(root: Tree): { path: string[]; array: Tree }[] {
  const found: { path: string[]; array: Tree }[] = [{ path: [], array: root }]
  for (const { path, array } of found)
    for (const { key, node } of array.entries)
      if (node.kind === 'array') found.push({ path: [...path, key], array: node })
  return found
}

/** Maps as lists of pairs, so that comparisons include their order. */
export function inOrder(value: unknown): unknown {
  return value instanceof Map
    ? ['map', [...value].map(([key, entry]) => [key, inOrder(entry)])]
    : value
}
