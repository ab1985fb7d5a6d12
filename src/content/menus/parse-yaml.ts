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
import { AppError } from '../../host/errors.ts'
import { didYouMean } from '../../host/similar.ts'

/** A parsed file, with the source lines of its values. */
export type ParsedYaml = {
  readonly root: ParsedNode | null
  /** The line on which a value begins, counted from 1. */
  lineOf(node: ParsedNode): number
}

/**
 * Parses YAML, which includes JSON. Scalars stay strings: a slug may be `2024` and a title `no`. Nesting deeper than `maxDepth` is rejected
 * while parsing, so that no file can exhaust the stack.
 * @param options.subject what the file describes, for messages: `menu`
 * @param options.file its name, for messages
 * @throws AppError `bad_description` with the line number
 */
export function parseYaml(
  text: string,
  {
    maxDepth,
    subject,
    file,
  }: { readonly maxDepth: number; readonly subject: string; readonly file?: string | undefined },
): ParsedYaml {
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

/** Reports a problem with a value of a file. */
export type ReportField = (node: ParsedNode | null, message: string) => void

/** Reads the values of a mapping. Unknown and duplicate keys are reported. */
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
      report(
        key,
        `Unknown field "${name}".${didYouMean(name, known)} Allowed: ${known.join(', ')}.`,
      )
    else if (fields.has(field)) report(key, `Duplicate field "${name}".`)
    else if (value && !isNull(value)) fields.set(field, value)
  }
  return fields
}

/** Reads a scalar as text; reports any other value and returns undefined. */
export function readScalar(
  node: ParsedNode | undefined,
  name: string,
  report: ReportField,
): string | undefined {
  if (node === undefined) return undefined
  if (isScalar(node)) return String(node.value)
  report(node, isAlias(node) ? ALIASES_UNSUPPORTED : `${name} must be a string.`)
  return undefined
}

/** Reads the values of a list; reports any other value and returns an empty list. */
export function readList(
  node: ParsedNode | undefined,
  name: string,
  report: ReportField,
): readonly (ParsedNode | null)[] {
  if (node === undefined) return []
  if (isSeq<ParsedNode | null>(node)) return node.items
  report(node, isAlias(node) ? ALIASES_UNSUPPORTED : `${name} must be a list.`)
  return []
}

/** Aliases are rejected because nested aliases could expand a small file to a huge menu. */
export const ALIASES_UNSUPPORTED = 'YAML aliases are not supported. Repeat the value instead.'

/** Whether the value is null in YAML or JSON. */
export function isNull(node: ParsedNode): boolean {
  return isScalar(node) && node.type === 'PLAIN' && /^(?:|~|null)$/i.test(node.source)
}
