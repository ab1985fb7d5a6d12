import { CsvError, parse } from 'csv-parse/sync'
import { CommandError } from '#wp-frames/cli/cli-context'
import { didYouMean } from '#wp-frames/host/similar'

/** The fields of a token in a file. */
const TOKEN_FIELDS = ['token', 'sha256', 'user', 'label', 'expires_at', 'scope', 'sites'] as const

type TokenField = (typeof TOKEN_FIELDS)[number]

/** A token of a file as it was read. */
export type TokenFileRow = {
  /** The line in a CSV file, the position in a JSON list; from 1. */
  readonly row: number
  readonly fields: { readonly [Field in TokenField]?: unknown }
  /** What is wrong with its form. */
  readonly problems: readonly string[]
}

/** The tokens of a file, and what its rows are called in messages. */
export type TokenFile = { readonly unit: 'Line' | 'Token'; readonly rows: readonly TokenFileRow[] }

/**
 * The rows of a file: a JSON list of objects if it begins with a bracket, else CSV with a header (RFC 4180).
 * @throws CommandError if it is neither, or the header is wrong. No message contains a text of the file that may be a secret.
 */
export function parseTokenFile(text: string): TokenFile {
  const isJson = /^\s*[[{]/.test(text)
  return isJson
    ? { unit: 'Token', rows: parseJson(text) }
    : { unit: 'Line', rows: parseCsvRows(text) }
}

/** A text of the file in quotes if it cannot be a secret, otherwise its length. */
export function shownText(value: unknown): string {
  if (typeof value !== 'string') return Array.isArray(value) ? 'a list' : `a ${typeof value}`
  const isHarmless = value.length <= 40 && !/op_|[A-Za-z0-9]{24}/.test(value)
  return isHarmless ? `"${value}"` : `a text of ${value.length} characters`
}

/** The messages of JSON.parse quote the text, so only the position is taken from them. */
function parseJson(text: string): TokenFileRow[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const [position] = /line \d+ column \d+|position \d+/.exec(String(error)) ?? [
      'an unknown position',
    ]
    throw new CommandError(`The file is not valid JSON: there is an error at ${position}.`)
  }
  if (!Array.isArray(value))
    throw new CommandError(
      'The JSON of the file is one object. Write a list of objects: [{"token": "...", "user": "alice"}].',
    )
  return value.map((one: unknown, at) => {
    const row = at + 1
    if (typeof one !== 'object' || one === null || Array.isArray(one))
      return { row, fields: {}, problems: [`is not an object with the fields ${fieldList()}`] }
    return { row, fields: one, problems: Object.keys(one).flatMap(findFieldProblem) }
  })
}

/** A record of the parser, and the line on which it ends. */
type CsvRecord = { readonly record: readonly string[]; readonly info: { readonly lines: number } }

function parseCsvRows(text: string): TokenFileRow[] {
  const [header, ...records] = readRecords(text)
  if (!header) throw new CommandError('The file is empty.')
  const names = header.record.map((name) => name.trim().toLowerCase())
  assertHeader(names)
  return records.map(({ record, info }) => {
    const cells = record.map((cell) => cell.trim())
    const fields = Object.fromEntries(
      names.map((name, at) => [name, cells[at] === '' ? undefined : cells[at]]),
    )
    const isComplete = cells.length === names.length
    return {
      row: info.lines,
      fields: isComplete ? fields : {},
      problems: isComplete
        ? []
        : [
            `has ${cells.length} values, and the header has ${names.length}; write a value with a comma in double quotes`,
          ],
    }
  })
}

function readRecords(text: string): CsvRecord[] {
  try {
    return parse(text, {
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
    }) as unknown as CsvRecord[]
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const { lines } = error as unknown as { readonly lines: number }
    throw new CommandError(
      `The file is not valid CSV: there is an error in the quotes in or before line ${lines}. A value with quotes is written in double quotes, and each quote in it twice.`,
    )
  }
}

/** @throws CommandError */
function assertHeader(names: readonly string[]): void {
  const problems = names.flatMap(findFieldProblem)
  const has = (name: TokenField): boolean => names.includes(name)
  if (!has('user')) problems.push('there is no column user')
  if (!has('token') && !has('sha256'))
    problems.push('there is no column token and no column sha256')
  if (new Set(names).size < names.length) problems.push('a name occurs twice')
  if (problems.length === 0) return
  throw new CommandError(
    `The first line is not a header with the names of the columns: ${problems.join('; ')}. The columns are ${fieldList()}.`,
  )
}

function findFieldProblem(name: string): string[] {
  if ((TOKEN_FIELDS as readonly string[]).includes(name)) return []
  return [
    `there is no field ${shownText(name)}.${didYouMean(name, TOKEN_FIELDS)}`.replace(/\.$/, ''),
  ]
}

const fieldList = (): string => TOKEN_FIELDS.join(', ')
