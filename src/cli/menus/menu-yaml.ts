import {
  Composer,
  type CST,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type ParsedNode,
  Parser,
} from 'yaml'
import { CommandError } from '../cli-context.ts'

/** A value in a file, and how to tell where one stands. */
export type ParsedYaml = {
  readonly root: ParsedNode | null
  /** Number of the line on which a value begins, from 1. */
  lineOf(node: ParsedNode): number
}

/**
 * Reads a file of YAML, of which JSON is a part. Scalars stay texts: a page may be called `2024` and a title `no`. What is nested further
 * than `maxDepth` is refused before anything is made of it, so that no file exhausts the stack.
 * @throws CommandError naming the line
 */
export function parseYaml(text: string, maxDepth: number): ParsedYaml {
  const lines = new LineCounter()
  const fail = (offset: number, message: string): never => {
    const { line, col } = lines.linePos(offset)
    throw new CommandError(`Line ${line}, column ${col}: ${message}`)
  }
  const parser = new Parser(lines.addNewLine)
  // The parser tells of the lines that follow a break only.
  lines.addNewLine(0)
  const tokens: CST.Token[] = []
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (parser.stack.length > maxDepth) fail(parser.offset, 'nested further than a menu may be.')
  }
  for (const token of parser.end()) tokens.push(token)
  const composer = new Composer({ schema: 'failsafe', uniqueKeys: false, prettyErrors: false })
  const [document, second] = composer.compose(tokens, true, text.length)
  if (second) fail(second.range[0], 'a second document begins. Give each menu a file of its own.')
  const [error] = document?.errors ?? []
  if (error) fail(error.pos[0], `${error.message}.`)
  return {
    root: document?.contents ?? null,
    lineOf: (node) => lines.linePos(node.range[0]).line,
  }
}

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
