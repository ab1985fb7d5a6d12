import { createInterface, type Interface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { CommandError, INTERRUPTED } from './cli-context.ts'

/** Control characters except tabs and line feeds; bidirectional controls; line separators; spaces without width, byte order marks. */
const UNSAFE_CHARACTERS =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\u2060\u2066-\u2069\ufeff]/g

/**
 * Makes a text safe for a terminal: control characters, which could move the cursor, are written as `cat -v` does (`^[`), and characters
 * that change the displayed order of a line as code points (`<U+202E>`). Line breaks and tabs stay.
 */
export function sanitizeForTerminal(text: string): string {
  return text.replace(UNSAFE_CHARACTERS, (character) => {
    const code = character.charCodeAt(0)
    if (code < 0x80) return `^${String.fromCharCode(code ^ 0x40)}`
    return code < 0xa0 ? `M-^${String.fromCharCode(code ^ 0xc0)}` : `<U+${hex(code)}>`
  })
}

/** A value as a line of JSON with the unsafe characters escaped, so that it parses to the same value and is safe for a terminal. */
export function jsonLine(value: unknown): string {
  const text = JSON.stringify(value).replace(
    UNSAFE_CHARACTERS,
    (character) => `\\u${hex(character.charCodeAt(0))}`,
  )
  return `${text}\n`
}

/** A text for standard output: unchanged for a file or a pipe, sanitized for a terminal. */
export function textForOutput(text: string, { isTTY = false } = process.stdout): string {
  return isTTY ? sanitizeForTerminal(text) : text
}

const hex = (code: number): string => code.toString(16).toUpperCase().padStart(4, '0')

/** Aligns rows in columns. Cells are sanitized, because they contain user data. */
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

const RED = 31
const GREEN = 32
const YELLOW = 33

/** The colours of lines by how they begin, after white space. */
const LINE_COLOURS: readonly (readonly [RegExp, number])[] = [
  [/^\s*(?:-|!)/, RED],
  [/^\s*\+/, GREEN],
  [/^\s*(?:~|warning:)/, YELLOW],
]

/** Colours the lines of plans and diffs on a terminal that has colours, without NO_COLOR. */
export function coloured(
  text: string,
  { isTTY = false, hasColors }: Pick<NodeJS.WriteStream, 'isTTY' | 'hasColors'> = process.stdout,
): string {
  if (!isTTY || !hasColors()) return text
  return text
    .split('\n')
    .map((line) => {
      const [, colour] = LINE_COLOURS.find(([pattern]) => pattern.test(line)) ?? []
      return colour === undefined ? line : `\x1b[${colour}m${line}\x1b[0m`
    })
    .join('\n')
}

/** Prints a line for each message to standard error. */
export function warn(messages: readonly string[]): void {
  process.stderr.write(sanitizeForTerminal(messages.map((line) => `${line}\n`).join('')))
}

/** `1 frame`, `2 frames`. */
export function pluralize(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`
}

/** Reads the details of what is to be confirmed, for readers. */
export type ReadDetails = () => Promise<string>

/**
 * Asks for confirmation on the terminal; every answer but yes means no.
 * @param details what the answer `v` shows [there is nothing more to see]
 * @throws CommandError without a terminal (exit code 1) or on Ctrl-C (130)
 */
export async function confirm(question: string, details?: ReadDetails): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new CommandError(
      'Confirmation needs a terminal. Nothing was changed; add --yes to confirm.',
    )
  }
  const hint = details ? ' (v: view the differences)' : ''
  for (;;) {
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    const answer = (await ask(terminal, `${question}${hint} [y/N] `)).trim()
    if (!details || !/^v(iew)?$/i.test(answer)) return /^y(es)?$/i.test(answer)
    process.stderr.write(coloured(await details(), process.stderr))
  }
}

/**
 * Asks before something that is hard to survey, on a terminal only: scripts are not asked.
 * @param yes the answer that the caller has given with `--yes`
 * @throws CommandError if the answer is no
 */
export async function confirmOnTerminal(
  question: string,
  yes = false,
  details?: ReadDetails,
): Promise<void> {
  if (yes || !process.stdin.isTTY || (await confirm(question, details))) return
  throw new CommandError('Stopped. Nothing was changed.')
}

/**
 * Asks for a secret on the terminal, without showing what is typed.
 * @throws CommandError on Ctrl-C
 */
export async function askSecret(question: string): Promise<string> {
  // The terminal shows nothing that the line editor does not write, from when the editor exists: before the question.
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const terminal = createInterface({ input: process.stdin, output, terminal: true })
  process.stderr.write(question)
  try {
    return await ask(terminal, '')
  } finally {
    process.stderr.write('\n')
  }
}

/** @throws CommandError on Ctrl-C */
async function ask(terminal: Interface, question: string): Promise<string> {
  const closed = new AbortController()
  for (const event of ['SIGINT', 'close']) terminal.once(event, () => closed.abort())
  try {
    return await terminal.question(question, { signal: closed.signal })
  } catch (error) {
    if (!closed.signal.aborted) throw error
    process.stderr.write('\n')
    throw new CommandError('Stopped. Nothing was changed.', INTERRUPTED)
  } finally {
    terminal.close()
  }
}
