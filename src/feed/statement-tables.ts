/** The identifiers of a statement that may be names of tables. */
export type StatementNames = {
  /** The first identifiers, in lower case: the kind of statement. */
  readonly head: readonly string[]
  readonly names: readonly QualifiedName[]
  /** False if the code was not read to its end. */
  readonly isComplete: boolean
}

/** `qualifier`: the identifier before a dot, a database (`database.table`) or a table (`table.column`). */
export type QualifiedName = { readonly qualifier: string | undefined; readonly name: string }

/** Statements that name their only target first; a long list of values may follow. */
export const SINGLE_TARGET_VERBS: ReadonlySet<string> = new Set(['insert', 'replace', 'load'])

/** In characters of code, without texts and comments. */
const MAX_CODE_LENGTH = 64 * 1024
const MAX_TARGET_LENGTH = 300
/** What a text or a comment of any length counts. */
const LITERAL_LENGTH = 2
const MAX_NAME_LENGTH = 64
const HEAD_LENGTH = 2

/**
 * Reads the names in an SQL text: the binlog contains the text instead of rows for DDL, and for most writes with `binlog_format=MIXED`. This
 * is a scanner, not a parser: it skips texts and comments, which may be megabytes, and returns all identifiers. A name too many is harmless,
 * because rows are compared before anything is built.
 */
export function readNames(sql: string): StatementNames {
  const head: string[] = []
  const names: QualifiedName[] = []
  let limit = MAX_CODE_LENGTH
  let length = 0
  let previous: string | undefined
  let isQualified = false
  for (const { kind, begin, end } of tokensOf(sql)) {
    const isLiteral = kind === 'text' || kind === 'comment'
    length += isLiteral ? LITERAL_LENGTH : end - begin
    if (kind === 'unterminated' || length > limit) return { head, names, isComplete: false }
    if (kind === 'name' || kind === 'quoted name') {
      const name = kind === 'name' ? sql.slice(begin, end) : sql.slice(begin + 1, end - 1)
      if (head.length < HEAD_LENGTH) head.push(name.toLowerCase())
      if (SINGLE_TARGET_VERBS.has(head[0] ?? '')) limit = MAX_TARGET_LENGTH
      names.push({ qualifier: isQualified ? previous : undefined, name })
      previous = name
      isQualified = false
    } else if (kind === 'dot') {
      isQualified = previous !== undefined
    } else if (kind !== 'space' && kind !== 'comment') {
      previous = undefined
    }
  }
  return { head, names, isComplete: true }
}

type SqlToken = {
  readonly kind:
    | ('name' | 'quoted name' | 'dot' | 'text' | 'comment')
    | ('space' | 'other' | 'unterminated')
  readonly begin: number
  readonly end: number
}

const NAME = /[\w$\u0080-\uffff]+/y
const SPACE = /\s+/y
const OTHER = /[^\w$\u0080-\uffff\s'"`#/.-]+/y
/** The opening of a comment that the server executes: its content is code. */
const EXECUTABLE_COMMENT = /\/\*M?!\d*/y

function* tokensOf(sql: string): Generator<SqlToken> {
  let begin = 0
  while (begin < sql.length) {
    const token = tokenAt(sql, begin)
    yield { ...token, begin }
    begin = token.end
  }
}

function tokenAt(sql: string, begin: number): Omit<SqlToken, 'begin'> {
  const character = sql[begin] ?? ''
  if (character === '.') return { kind: 'dot', end: begin + 1 }
  if (character === "'" || character === '"' || character === '`')
    return quotedAt(sql, begin, character)
  const name = matchEnd(NAME, sql, begin)
  if (name > begin) return { kind: 'name', end: name }
  const space = matchEnd(SPACE, sql, begin)
  if (space > begin) return { kind: 'space', end: space }
  const comment = endOfComment(sql, begin)
  if (comment > begin) return { kind: 'comment', end: comment }
  return { kind: 'other', end: Math.max(matchEnd(OTHER, sql, begin), begin + 1) }
}

/** With ANSI_QUOTES, a text in double quotes is an identifier. */
function quotedAt(sql: string, begin: number, quote: string): Omit<SqlToken, 'begin'> {
  const end = endOfQuoted(sql, begin, quote)
  if (end < 0) return { kind: 'unterminated', end: sql.length }
  const isName = quote !== "'" && end - begin <= MAX_NAME_LENGTH + 2
  return { kind: isName ? 'quoted name' : 'text', end }
}

/** The index after the match at `begin`; `begin` if there is none. */
function matchEnd(pattern: RegExp, sql: string, begin: number): number {
  pattern.lastIndex = begin
  return pattern.test(sql) ? pattern.lastIndex : begin
}

/** The index after the comment at `begin`; `begin` if there is none. */
function endOfComment(sql: string, begin: number): number {
  const opening = sql.slice(begin, begin + 3)
  if (opening.startsWith('#') || /^--\s/.test(opening)) return indexAfter(sql, '\n', begin)
  if (!opening.startsWith('/*')) return begin
  const executable = matchEnd(EXECUTABLE_COMMENT, sql, begin)
  return executable > begin ? executable : indexAfter(sql, '*/', begin + 2)
}

function indexAfter(sql: string, text: string, from: number): number {
  const index = sql.indexOf(text, from)
  return index < 0 ? sql.length : index + text.length
}

/** The index after the closing quote; -1 if there is none. A quote is escaped by a backslash or by another quote. */
function endOfQuoted(sql: string, begin: number, quote: string): number {
  let index = sql.indexOf(quote, begin + 1)
  while (index >= 0) {
    if (quote === '`' || !isEscaped(sql, index, begin)) {
      if (sql[index + 1] !== quote) return index + 1
      index += 1
    }
    index = sql.indexOf(quote, index + 1)
  }
  return -1
}

/** Whether an odd number of backslashes precedes the character. */
function isEscaped(sql: string, index: number, begin: number): boolean {
  let backslashes = 0
  while (index - 1 - backslashes > begin && sql[index - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}
