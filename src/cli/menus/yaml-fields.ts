import { isAlias, isMap, isScalar, isSeq, type ParsedNode } from 'yaml'

/** Tells what is wrong with a value of a file. */
export type ReportField = (node: ParsedNode | null, message: string) => void

/** The values of a mapping by their keys, each once; other keys than the known ones are reported. */
export function readFields<Key extends string>(
  node: ParsedNode | null,
  known: readonly Key[],
  report: ReportField,
): ReadonlyMap<Key, ParsedNode> {
  const fields = new Map<Key, ParsedNode>()
  if (!isMap<ParsedNode, ParsedNode | null>(node)) return fields
  for (const { key, value } of node.items) {
    const name = isScalar(key) ? String(key.value) : ''
    const field = known.find((one) => one === name)
    if (field === undefined)
      report(key, `"${name}" says nothing here: there are ${known.join(', ')}.`)
    else if (fields.has(field)) report(key, `"${name}" stands here twice.`)
    else if (value && !isNull(value)) fields.set(field, value)
  }
  return fields
}

/** The text of a scalar; undefined for what is none, which is reported. */
export function readScalar(
  node: ParsedNode | undefined,
  what: string,
  report: ReportField,
): string | undefined {
  if (node === undefined) return undefined
  if (isScalar(node)) return String(node.value)
  report(node, isAlias(node) ? ALIASES_UNSUPPORTED : `${what} is a text.`)
  return undefined
}

/** The values of a list; none for what is no list, which is reported. */
export function readList(
  node: ParsedNode | undefined,
  what: string,
  report: ReportField,
): readonly (ParsedNode | null)[] {
  if (node === undefined) return []
  if (isSeq<ParsedNode | null>(node)) return node.items
  report(node, isAlias(node) ? ALIASES_UNSUPPORTED : `${what} is a list.`)
  return []
}

/** A short name for something that can be written shorter multiplies it, so that a small file could become an endless menu. */
export const ALIASES_UNSUPPORTED = 'Aliases are not read: write the value itself.'

/** What YAML and JSON write where there is nothing. */
function isNull(node: ParsedNode): boolean {
  return isScalar(node) && node.type === 'PLAIN' && /^(?:|~|null)$/i.test(node.source)
}
