import { isMap, isScalar, isSeq, type ParsedNode, type Scalar } from 'yaml'
import { ALIASES_UNSUPPORTED, isNull, parseYaml } from '../../content/menus/parse-yaml.ts'

/** A YAML file as plain values. */
export type YamlData = {
  readonly value: unknown
  /** Duplicate fields and unsupported syntax. */
  readonly problems: readonly { readonly line: number; readonly message: string }[]
  /** The line of the value at a path, or of what contains it if there is none. */
  lineAt(path: readonly PropertyKey[]): number
}

/**
 * Reads YAML as plain values: mappings, lists, texts, nulls, and numbers for integers in decimal notation. `01234`, `no` and `2024-01-01` are
 * texts.
 * @throws AppError `bad_description` with the line number
 */
export function readYamlData(text: string, maxDepth: number): YamlData {
  const { root, lineOf } = parseYaml(text, { maxDepth, subject: 'description' })
  const lines = new Map<string, number>()
  const problems: { line: number; message: string }[] = []
  /** Recursive: `maxDepth` limits the nesting. */
  const dataOf = (node: ParsedNode | null, path: readonly PropertyKey[]): unknown => {
    if (node) lines.set(keyOf(path), lineOf(node))
    if (isScalar(node)) return scalarValue(node)
    if (isSeq<ParsedNode | null>(node))
      return node.items.map((item, index) => dataOf(item, [...path, index]))
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const fields = new Map<string, unknown>()
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : ''
        if (fields.has(name))
          problems.push({ line: lineOf(key), message: `Duplicate field "${name}".` })
        fields.set(name, dataOf(value, [...path, name]))
        // A mapping begins on the line after its name.
        lines.set(keyOf([...path, name]), lineOf(key))
      }
      return Object.fromEntries(fields)
    }
    if (node) problems.push({ line: lineOf(node), message: ALIASES_UNSUPPORTED })
    return null
  }
  const value = dataOf(root, [])
  return {
    value,
    problems,
    lineAt: (path) => {
      for (let length = path.length; length > 0; length -= 1) {
        const line = lines.get(keyOf(path.slice(0, length)))
        if (line !== undefined) return line
      }
      return root ? lineOf(root) : 1
    },
  }
}

const keyOf = (path: readonly PropertyKey[]): string => JSON.stringify(path.map(String))

function scalarValue(node: Scalar.Parsed): string | number | null {
  if (isNull(node)) return null
  const text = String(node.value)
  return node.type === 'PLAIN' && /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}
