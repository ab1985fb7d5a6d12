import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const FOLDER = resolve(import.meta.dirname, '../../sql/migrations')
const FILES = readdirSync(FOLDER).sort()

/** Statements after which a program that does not know them works as before. Each can be repeated. */
const COMPATIBLE = [
  /^CREATE TABLE IF NOT EXISTS `\{prefix\}svc_\w+` \(/,
  /^INSERT IGNORE INTO `\{prefix\}svc_\w+` /,
  // One column, with a value for rows of programs that do not know it.
  /^ALTER TABLE `\{prefix\}svc_\w+` ADD COLUMN `\w+` [^,]*\bDEFAULT [^,]*$/,
]

/** Statements of other forms, by their files, with the reason why programs that do not know them go on. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  '0007-collations.sql': 'the texts in the tables are ASCII or compared as bytes',
  '0014-history-without-chain.sql': 'a column becomes optional; older programs fill it',
  '0021-changes.sql': 'a column with a default value, and keys',
  '0023-table-collations.sql': 'every column names its collation',
}

const statementsOf = (text: string): string[] =>
  text
    .replace(/^--.*\n/gm, '')
    .split(/;\s*$/m)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')

/** Statements that are no addition. */
const findChanges = (text: string): string[] =>
  statementsOf(text).filter((statement) => !COMPATIBLE.some((form) => form.test(statement)))

describe('the migrations', () => {
  it('have consecutive numbers', () => {
    const numbers = FILES.map((name) => /^(\d{4})-[a-z-]+\.sql$/.exec(name)?.[1])
    expect(numbers).toEqual(FILES.map((_, at) => String(at + 1).padStart(4, '0')))
  })

  it.each(FILES.filter((name) => !name.endsWith('-incompatible.sql') && !(name in EXCEPTIONS)))(
    'of which one is %s only add what older versions can ignore',
    (name) => {
      expect(findChanges(readFileSync(join(FOLDER, name), 'utf8'))).toEqual([])
    },
  )

  it.each([
    'ALTER TABLE `{prefix}svc_work` DROP COLUMN `tries`;',
    'ALTER TABLE `{prefix}svc_work` ADD COLUMN `size` int NOT NULL;',
    'ALTER TABLE `{prefix}svc_work` ADD COLUMN `size` int DEFAULT NULL, ADD COLUMN `name` int;',
    'ALTER TABLE `{prefix}svc_work` MODIFY `kind` varchar(20) NOT NULL;',
    'DROP TABLE `{prefix}svc_work`;',
    'UPDATE `{prefix}svc_work` SET kind = 1;',
  ])('are incompatible with %s', (statement) => {
    expect(findChanges(statement)).toHaveLength(1)
  })
})
