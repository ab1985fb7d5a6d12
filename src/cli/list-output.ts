import { type Command, InvalidArgumentError, Option } from 'commander'
import { didYouMean } from '../host/similar.ts'
import { CommandError, EXIT_WRONG_USAGE } from './cli-context.ts'
import { formatTable, jsonLine, textForOutput } from './terminal.ts'

const LIST_FORMATS = ['table', 'json', 'csv', 'ids'] as const

/** The options that `addListOptions` adds to a command. */
export type ListOptions = {
  readonly format?: (typeof LIST_FORMATS)[number]
  readonly fields?: readonly string[]
  readonly json?: true
}

/** The fields of the rows of a list. Rows are objects of the API. */
export type List<Row extends object> = {
  /** The field that `--format ids` prints. */
  readonly id: string
  /** The fields that are shown by default. */
  readonly shown: readonly string[]
  /** The fields that `--fields` may name, too. */
  readonly others?: readonly string[]
  /** Values for readers, and of fields that the rows do not have [the fields of the rows]. */
  readonly cells?: { readonly [field: string]: (row: Row) => unknown }
  /** Shorter values for the table [the cells]. */
  readonly inTable?: { readonly [field: string]: (row: Row) => unknown }
}

/**
 * Adds `--format`, `--fields` and `--json` to a command that prints a list.
 * @param json what `--json` prints
 */
export function addListOptions<Row extends object>(
  command: Command,
  list: List<Row>,
  json: string,
): Command {
  return command
    .addOption(
      new Option('--format <format>', 'how the list is printed; ids are one a line').choices(
        LIST_FORMATS,
      ),
    )
    .addOption(fieldsOption(list))
    .addOption(new Option('--json', `the same as --format json: print ${json}`).conflicts('format'))
}

/** The option `--fields`. */
export function fieldsOption<Row extends object>(list: List<Row>): Option {
  const known = fieldsOf(list)
  return new Option(
    '--fields <names>',
    `only these fields, separated by commas: ${known.join(', ')}`,
  ).argParser((text) => parseFields(text, known))
}

/**
 * For a command that prints one of several lists, and takes the fields of all.
 * @throws CommandError for a field of another one
 */
export function assertFields<Row extends object>(
  list: List<Row>,
  { fields = [] }: ListOptions,
): void {
  const known = fieldsOf(list)
  const foreign = fields.find((name) => !known.includes(name))
  if (foreign === undefined) return
  throw new CommandError(
    `This list has no field "${foreign}". Its fields are ${known.join(', ')}.`,
    EXIT_WRONG_USAGE,
  )
}

const fieldsOf = <Row extends object>({ shown, others = [] }: List<Row>): string[] => [
  ...shown,
  ...others,
]

/** @throws InvalidArgumentError for an unknown field */
function parseFields(text: string, known: readonly string[]): string[] {
  const names = text.split(',').map((name) => name.trim())
  for (const name of names) {
    if (known.includes(name)) continue
    throw new InvalidArgumentError(
      `There is no field "${name}".${didYouMean(name, known)} The fields are ${known.join(', ')}.`,
    )
  }
  return names
}

/** Whether the answer of an endpoint is to be printed as it is. */
export const isWholeAnswer = ({ format, fields, json }: ListOptions): boolean =>
  (json === true || format === 'json') && fields === undefined

/**
 * The list as the options ask for it: a table by default.
 * @param answer what is printed as JSON without `--fields`
 */
export function formatRows<Row extends object>(
  list: List<Row>,
  rows: readonly Row[],
  answer: unknown,
  options: ListOptions,
): string {
  if (isWholeAnswer(options)) return jsonLine(answer)
  const { format = options.json ? 'json' : 'table', fields = list.shown } = options
  const cellsOf = (row: Row): string[] => fields.map((field) => textOf(list, row, field))
  switch (format) {
    case 'json':
      return jsonLine(rows.map((row) => pickFields(list, row, fields)))
    case 'csv':
      return textForOutput([fields, ...rows.map(cellsOf)].map(csvLine).join(''))
    case 'ids':
      return textForOutput(rows.map((row) => `${textOf(list, row, list.id)}\n`).join(''))
    case 'table':
      return formatTable([
        fields,
        ...rows.map((row) => fields.map((field) => shortTextOf(list, row, field))),
      ])
  }
}

/** A row with these fields only. */
export const pickFields = <Row extends object>(
  list: List<Row>,
  row: Row,
  fields: readonly string[],
): object => Object.fromEntries(fields.map((name) => [name, readField(list, row, name)]))

function readField<Row extends object>({ cells }: List<Row>, row: Row, field: string): unknown {
  return field in row ? Reflect.get(row, field) : (cells?.[field]?.(row) ?? null)
}

function textOf<Row extends object>(list: List<Row>, row: Row, field: string): string {
  const cell = list.cells?.[field]
  const value = cell ? cell(row) : readField(list, row, field)
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.every((part) => typeof part !== 'object')) return value.join()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

const shortTextOf = <Row extends object>(list: List<Row>, row: Row, field: string): string =>
  String(list.inTable?.[field]?.(row) ?? textOf(list, row, field))

/** A line of CSV as RFC 4180 has it, but with a line feed at its end, as other programs of a shell expect. */
const csvLine = (cells: readonly string[]): string =>
  `${cells.map((cell) => quoted(withoutFormula(cell))).join()}\n`

const quoted = (cell: string): string =>
  /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell

/** Spreadsheets run a text that begins like a formula, and titles are texts of others (OWASP, CSV Injection). Numbers stay. */
const withoutFormula = (cell: string): string =>
  /^[=+\-@\t\r]/.test(cell) && !/^-?\d+(?:\.\d+)?$/.test(cell) ? `'${cell}` : cell
