import type { ColumnState } from './read-tables.ts'
import type { TableDifference } from './table-differences.ts'

/** What a difference is, what follows from it, and what an operator does, each in sentences. */
type DifferenceSentences = {
  readonly message: string
  readonly impact: string
  readonly fixHint: string
}

/** The collation of WordPress's tables (wpdb::determine_charset). */
const UNICODE = 'CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci'

const REFUSED = 'Writes of the site are refused, and its pages are not built. Reads go on.'

/** Describes a difference of a table. */
export function describeDifference(difference: TableDifference): DifferenceSentences {
  const { table, description } = difference
  switch (difference.kind) {
    case 'engine_not_transactional':
      return {
        message: `The table "${table}" uses the engine ${difference.engine} instead of InnoDB.`,
        impact:
          'Failed writes are not rolled back, and concurrent writes can overwrite each other.',
        fixHint: `ALTER TABLE ${table} ENGINE=InnoDB;`,
      }
    case 'column_missing': {
      const { column } = difference
      return {
        message: `The table "${table}" has no column "${column}", or the database user has no right on it.`,
        impact: `${difference.refusesWrites ? `${REFUSED} Those` : 'Statements'} that need the column fail.`,
        fixHint: `ALTER TABLE ${table} ADD ${column} ${description.columns[column]}; or restore the table from a backup.`,
      }
    }
    case 'auto_increment_missing': {
      const { column, refusesWrites } = difference
      return {
        message: `The column "${column}" of "${table}" has no AUTO_INCREMENT, so new rows get no id of their own.`,
        impact: refusesWrites
          ? `${REFUSED} WordPress stores new rows with the id 0, or over another row.`
          : 'New rows get the id 0, from WordPress too. They are found by other columns.',
        fixHint: `Give each row with the id 0 an id that is free, then: ALTER TABLE ${table} MODIFY ${column} ${description.columns[column]}, ADD PRIMARY KEY (${column}); without "ADD PRIMARY KEY" if the table has one.`,
      }
    }
    case 'unique_key_missing': {
      const { key, columns, refusesWrites } = difference
      const list = columns.join(', ')
      return {
        message: `The table "${table}" has no unique key on ${list}.`,
        impact: refusesWrites
          ? `${REFUSED} A write would add a second row with the name of an option, and WordPress reads one of them.`
          : 'Two rows may have the same value, and each program may use another one.',
        fixHint: `Delete the rows that are there twice (SELECT ${list}, COUNT(*) FROM ${table} GROUP BY ${list} HAVING COUNT(*) > 1), then: ALTER TABLE ${table} ADD ${key === 'PRIMARY' ? 'PRIMARY KEY' : `UNIQUE KEY ${key}`} (${list});`,
      }
    }
    case 'key_missing': {
      const { key, columns } = difference
      const list = columns.join(', ')
      return {
        message: `The table "${table}" has no key on ${list}.`,
        impact: 'Reads of WordPress and of this service go through the whole table.',
        fixHint: `ALTER TABLE ${table} ADD KEY ${key} (${columns.map((column) => `${column}${prefixOf(description.columns[column])}`).join(', ')});`,
      }
    }
    case 'column_required': {
      const { column, isFilled } = difference
      return {
        message: `The column "${column}" of "${table}", which is not one of WordPress, takes no NULL and has no default.`,
        impact: isFilled
          ? 'New rows get the value that WordPress stores: 0, an empty text or an empty date.'
          : `${REFUSED} There is no value that WordPress would store for its type.`,
        fixHint: `Give it a default: ALTER TABLE ${table} ALTER ${column} SET DEFAULT <value>; or make it take NULL. Its plugin can say what is right.`,
      }
    }
    case 'column_short': {
      const { column, length, usual } = difference
      return {
        message: `The column "${column}" of "${table}" takes ${length} characters instead of ${usual}.`,
        impact: 'Writes with a longer text are refused.',
        fixHint: `ALTER TABLE ${table} MODIFY ${column} ${description.columns[column]};`,
      }
    }
    case 'charset_narrow':
      return describeNarrow(table, difference.columns)
    case 'charset_misread': {
      const { columns } = difference
      return {
        message: `The table "${table}" contains UTF-8 in columns of the character set ${charsetsOf(columns)} (${listOf(columns)}).`,
        impact: `${difference.refusesWrites ? `${REFUSED} ` : ''}A WordPress with the same character set in DB_CHARSET reads the texts rightly; every other program reads "Ã¼" in place of "ü".`,
        fixHint: `Make a backup. Do not use CONVERT TO, which would store the wrong characters for good. Let the bytes stay as they are: ALTER TABLE ${table} ${modify(columns, binaryOf)}; ALTER TABLE ${table} ${modify(columns, (column) => unicodeOf(column, description.columns))}; then set DB_CHARSET to utf8mb4 in wp-config.php. Do so with all tables of the network at once, while WordPress is in maintenance. An error of the second statement names a row that is not UTF-8: correct it first.`,
      }
    }
  }
}

function describeNarrow(table: string, columns: readonly ColumnState[]): DifferenceSentences {
  const isUtf8 = columns.every(({ charset }) => /^utf8(mb3)?$/.test(charset ?? ''))
  return {
    message: `The character set of "${table}" is ${charsetsOf(columns)} (${listOf(columns)}).`,
    impact: isUtf8
      ? 'It cannot store 4-byte characters such as emoji: markup with one is rejected, and menu titles contain an entity instead.'
      : 'It cannot store most Unicode characters: writes with one are rejected.',
    fixHint: `ALTER TABLE ${table} CONVERT TO CHARACTER SET utf8mb4; make a backup first.${isUtf8 ? ' WordPress converts such tables in the same way.' : ' No text in it looks like UTF-8, so its characters stay the same.'}`,
  }
}

const charsetsOf = (columns: readonly ColumnState[]): string =>
  [...new Set(columns.map(({ charset }) => charset))].join(', ')

function listOf(columns: readonly ColumnState[]): string {
  const shown = columns.slice(0, 10).map(({ name }) => name)
  return `${shown.join(', ')}${columns.length > 10 ? ` and ${columns.length - 10} more` : ''}`
}

const modify = (
  columns: readonly ColumnState[],
  definition: (column: ColumnState) => string,
): string => columns.map((column) => `MODIFY ${column.name} ${definition(column)}`).join(', ')

/** The type for the same bytes. */
const binaryOf = ({ definition, isNullable }: ColumnState): string =>
  `${definition
    .replace(/text$/, 'blob')
    .replace(/char/, 'binary')
    .replace(/^binary/, 'varbinary')}${isNullable ? '' : ' NOT NULL'}`

/** The column with utf8mb4, and with WordPress's default. */
function unicodeOf(
  { name, definition, isNullable }: ColumnState,
  usual: Readonly<Record<string, string>>,
): string {
  const [, ...rest] = usual[name]?.split(' ') ?? ['', isNullable ? 'NULL' : 'NOT NULL']
  return `${definition} ${UNICODE} ${rest.join(' ')}`
}

/** WordPress's keys contain the first 191 characters of longer texts (wp_get_db_schema). */
const prefixOf = (definition = ''): string =>
  /^varchar\((?:2\d\d|19[2-9])\)/.test(definition) ? '(191)' : ''
