import { LRUCache } from 'lru-cache'
import { escapeId, escape as escapeValue, type SqlValue } from 'mysql2'
import type { Statement } from './sender.ts'

/** Values by name; a list becomes `a, b`, a list of rows `(a, b), (c, d)`. */
export type NamedValues = Readonly<
  Record<string, SqlValue | readonly SqlValue[] | readonly (readonly SqlValue[])[]>
>

/**
 * `:posts:` is an identifier, `:id` a value. In a quoted text, a quoted name or a comment there are no names: a value would get out of the quotes.
 * What is in `/*! *\/` runs.
 */
const NAME =
  /'(?:[^'\\]|\\.|'')*'|"(?:[^"\\]|\\.|"")*"|`[^`]*`|--(?=\s)[^\n]*|#[^\n]*|\/\*(?!M?!).*?\*\/|:(\w+)(:?)/gs

/** Texts between the names, and the names. */
type Template = readonly (
  | string
  | { readonly name: string; readonly isIdentifier: boolean; readonly text: string }
)[]

/** Nearly all texts are constants of this program; a few contain thousands of ids. In characters. */
const templates = new LRUCache<string, Template>({
  maxSize: 1024 * 1024,
  maxEntrySize: 16 * 1024,
  sizeCalculation: (_, statement) => statement.length,
})

/** In characters. The driver blocks the event loop for 20 ms to escape a megabyte, and copies the text once more. */
const LONG_TEXTS_LENGTH = 128 * 1024
/** Servers prepare statements of at most 65,535 values. */
const MAX_PREPARED_VALUES = 5000

/** Whether a statement with these values is sent prepared: then they travel as raw bytes. */
export function hasLongTexts(values: Iterable<unknown>): boolean {
  const found = { count: 0, length: 0 }
  measure(values, found)
  return found.count <= MAX_PREPARED_VALUES && found.length >= LONG_TEXTS_LENGTH
}

/** Adds the number of the values, and the characters of their texts. */
function measure(values: Iterable<unknown>, found: { count: number; length: number }): void {
  for (const value of values) {
    if (Array.isArray(value)) measure(value, found)
    else {
      found.count += 1
      if (typeof value === 'string') found.length += value.length
    }
  }
}

/**
 * The statement of an SQL text with named values, which the driver escapes. A name without a value stays, so that the server rejects it. `sql`, without
 * the values, is for messages.
 */
export function statementOf(statement: string, values: NamedValues): Statement {
  if (!hasLongTexts(Object.values(values)))
    return { sql: statement, text: sqlTextOf(statement, values) }
  const bindings: unknown[] = []
  const sql = fill(statement, values, (value) => placeholders(value, bindings))
  return { sql, bindings }
}

/** The text of a statement with its values. */
export const sqlTextOf = (statement: string, values: NamedValues): string =>
  fill(statement, values, (value) => escapeValue(value as SqlValue, true))

function fill(
  statement: string,
  values: NamedValues,
  onValue: (value: NamedValues[string]) => string,
): string {
  const template = templates.get(statement) ?? parseTemplate(statement)
  return template
    .map((part) => {
      if (typeof part === 'string') return part
      // Every object inherits properties, such as `constructor`.
      const value = Object.hasOwn(values, part.name) ? values[part.name] : undefined
      if (value === undefined) return part.text
      return part.isIdentifier ? escapeId(value as string) : onValue(value)
    })
    .join('')
}

type RawSql = { toSqlString(): string }

/** A part of the statement, for example `NOW()`. */
const isRaw = (value: unknown): value is RawSql =>
  typeof value === 'object' && value !== null && typeof (value as RawSql).toSqlString === 'function'

/** As the driver writes lists: `?, ?`, and lists of rows: `(?, ?), (?, ?)`. */
function placeholders(value: unknown, bindings: unknown[]): string {
  if (isRaw(value)) return value.toSqlString()
  if (!Array.isArray(value)) {
    bindings.push(value)
    return '?'
  }
  return value
    .map((one) =>
      Array.isArray(one) ? `(${placeholders(one, bindings)})` : placeholders(one, bindings),
    )
    .join(', ')
}

function parseTemplate(statement: string): Template {
  const parts: Template[number][] = []
  let end = 0
  for (const { 0: text, 1: name, 2: mark, index } of statement.matchAll(NAME)) {
    if (name === undefined) continue
    parts.push(statement.slice(end, index), { name, isIdentifier: mark === ':', text })
    end = index + text.length
  }
  const template = [...parts, statement.slice(end)]
  templates.set(statement, template)
  return template
}
