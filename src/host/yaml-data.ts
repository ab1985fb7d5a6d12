import {
  Composer,
  type CST,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type ParsedNode,
  Parser,
  type Scalar,
} from 'yaml'
import { AppError } from './errors.ts'

/** A YAML file as plain values. */
export type YamlData = {
  readonly value: unknown
  /** Duplicate fields and unsupported syntax. */
  readonly problems: readonly { readonly line: number; readonly message: string }[]
  /** The line of the value at a path, or of what contains it if there is none. */
  lineAt(path: readonly PropertyKey[]): number
}

type YamlOptions = {
  /** Deeper nesting is rejected while parsing, so that no file can exhaust the stack. */
  readonly maxDepth: number
  /** What the file describes, for messages: `menu`. */
  readonly subject: string
  /** Its name, for messages. */
  readonly file?: string | undefined
}

/** The lines on which a value and its parts begin, counted from 1. */
type Lines = { readonly line: number; readonly parts: Map<string, Lines> }

/**
 * Reads YAML, which includes JSON, as plain values: mappings, lists, texts, nulls, and numbers for integers in decimal notation. `01234`, `no` and
 * `2024-01-01` are texts.
 * @throws AppError `bad_description` with the line number
 */
export function readYamlData(text: string, options: YamlOptions): YamlData {
  const { root, lineOf } = parseYaml(text, options)
  const problems: { line: number; message: string }[] = []
  /** Recursive: `maxDepth` limits the nesting. */
  const dataOf = (node: ParsedNode | null, { parts }: Lines): unknown => {
    const partOf = (key: PropertyKey, value: ParsedNode | null, begin = value): unknown => {
      const lines = { line: begin ? lineOf(begin) : 1, parts: new Map() }
      if (begin) parts.set(String(key), lines)
      return dataOf(value, lines)
    }
    if (isScalar(node)) return scalarValue(node)
    if (isSeq<ParsedNode | null>(node)) return node.items.map((item, index) => partOf(index, item))
    if (isMap<ParsedNode, ParsedNode | null>(node)) {
      const fields = new Map<string, unknown>()
      for (const { key, value } of node.items) {
        const name = isScalar(key) ? String(key.value) : ''
        if (fields.has(name))
          problems.push({ line: lineOf(key), message: `Duplicate field "${name}".` })
        // A mapping begins on the line after its name.
        fields.set(name, partOf(name, value, key))
      }
      return Object.fromEntries(fields)
    }
    if (node) problems.push({ line: lineOf(node), message: ALIASES_UNSUPPORTED })
    return null
  }
  const lines: Lines = { line: root ? lineOf(root) : 1, parts: new Map() }
  const value = dataOf(root, lines)
  const lineAt = (path: readonly PropertyKey[]): number => {
    let at = lines
    for (const part of path) {
      const next = at.parts.get(String(part))
      if (!next) break
      at = next
    }
    return at.line
  }
  return { value, problems, lineAt }
}

type ParsedYaml = {
  readonly root: ParsedNode | null
  lineOf(node: ParsedNode): number
}

/** Scalars stay as they are written. */
function parseYaml(text: string, { maxDepth, subject, file }: YamlOptions): ParsedYaml {
  const lines = new LineCounter()
  const fail = (offset: number, message: string): never => {
    const { line, col } = lines.linePos(offset)
    const position = `${file === undefined ? 'Line' : `${file}, line`} ${line}, column ${col}`
    throw new AppError('bad_description', `${position}: ${message}`)
  }
  const parser = new Parser(lines.addNewLine)
  // The parser reports only lines that follow a line break.
  lines.addNewLine(0)
  const tokens: CST.Token[] = []
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > maxDepth) fail(parser.offset, `nested too deeply for a ${subject}.`)
  }
  for (const token of parser.end()) tokens.push(token)
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false })
  const [document, second] = composer.compose(tokens, true, text.length)
  if (second) fail(second.range[0], `a second document begins. Use one file for each ${subject}.`)
  const [error] = document?.errors ?? []
  if (error) {
    const inJson = problemOfJson(text)
    fail(inJson?.offset ?? error.pos[0], `${(inJson ?? error).message}.`)
  }
  return {
    root: document?.contents ?? null,
    lineOf: (node) => lines.linePos(node.range[0]).line,
  }
}

/** What is wrong with JSON, which the parser of YAML describes in the terms of YAML; undefined for a text that is not meant as JSON. */
function problemOfJson(
  text: string,
): { readonly offset?: number; readonly message: string } | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    JSON.parse(text)
    return undefined
  } catch (error) {
    const { message } = error as Error
    const [, reason = '', at] =
      /^(.*?)(?: in JSON at position (\d+).*|, (?:\.{3})?".*)?$/s.exec(message) ?? []
    return {
      ...(at === undefined ? {} : { offset: Number(at) }),
      message: `This is not valid JSON: ${reason}`,
    }
  }
}

/** Aliases are rejected because nested aliases could expand a small file to a huge menu. */
const ALIASES_UNSUPPORTED = 'YAML aliases are not supported. Repeat the value instead.'

function scalarValue(node: Scalar.Parsed): string | number | null {
  const text = String(node.value)
  if (node.type !== 'PLAIN') return text
  if (/^(?:|~|null)$/i.test(node.source)) return null
  return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : text
}
