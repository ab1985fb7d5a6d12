import { createInterface } from 'node:readline/promises'
import { CommandError, INTERRUPTED } from './cli-context.ts'

/** Control characters but for tabs and line feeds; what turns the direction of text around (bidi controls); line separators. */
const UNSAFE_CHARACTERS = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/g

/**
 * A text as a terminal may show it: control characters, which could move the cursor or do worse, as `cat -v` writes them (`^[`), and
 * characters that make a line read other than it is as their code points (`<U+202E>`). Line breaks and tabs stay.
 */
export function sanitizeForTerminal(text: string): string {
  return text.replace(UNSAFE_CHARACTERS, (character) => {
    const code = character.charCodeAt(0)
    if (code < 0x80) return `^${String.fromCharCode(code ^ 0x40)}`
    return code < 0xa0 ? `M-^${String.fromCharCode(code ^ 0xc0)}` : `<U+${hex(code)}>`
  })
}

/** A value as a line of JSON that a terminal may show: the same value, with these characters escaped. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value).replace(
    UNSAFE_CHARACTERS,
    (character) => `\\u${hex(character.charCodeAt(0))}`,
  )
  return `${text}\n`
}

/** A text for standard output: byte for byte into a file or another program, printable on a terminal. */
export function textForOutput(text: string, { isTTY = false } = process.stdout): string {
  return isTTY ? sanitizeForTerminal(text) : text
}

const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0')

/** Rows as lines, each column as wide as its widest cell; what cells hold may come from anybody. */
export function formatTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map((cell) => sanitizeForTerminal(cell.replace(/\s/g, ' '))))
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  )
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}

/** `1 frame`, `2 frames`. */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/**
 * Asks on the terminal whether to go on; anything but yes is no.
 * @throws CommandError where there is no terminal to ask on (exit code 1), or Ctrl-C is the answer (130)
 */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new CommandError('Nothing was done: there is no terminal to ask on. Add --yes.')
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  const left = new AbortController()
  for (const event of ['SIGINT', 'close']) terminal.once(event, () => left.abort())
  try {
    const answer = await terminal.question(`${question} [y/N] `, { signal: left.signal })
    return /^y(es)?$/i.test(answer.trim())
  } catch (error) {
    if (!left.signal.aborted) throw error
    process.stderr.write('\n')
    throw new CommandError('Nothing was done.', INTERRUPTED)
  } finally {
    terminal.close()
  }
}
