import { type CST, Composer, Lexer, LineCounter, type ParsedNode, Parser } from 'yaml'
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
