import type { Db } from '../../db/database.ts'
import { escapeLike, inBatches, readRow, readRows, runStatement } from '../../db/sql.ts'
import type { LaterOptions, Tx } from '../../db/transaction.ts'
import type { InsertedRow } from '../../db/written-tables.ts'
import { completeRow } from '../../db/written-tables.ts'
import { optionKeys } from '../cache-keys.ts'
import type { Site } from '../network/site.ts'
import { noteDeletedOptions, noteOption } from '../written-rows.ts'

/**
 * Reads the stored texts of these options and locks their rows until the transaction ends. Rows are always locked in the order of their
 * names, so that two writers cannot deadlock.
 */
export async function lockOptions(
  tx: Tx,
  site: Site,
  names: readonly string[],
): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  const { options } = site.tables
  const reads = [...names]
    .sort()
    .map((name) =>
      readRows<{ option_name: string; option_value: string }>(
        tx,
        'SELECT option_name, option_value FROM :options: WHERE option_name = :name LIMIT 1 FOR UPDATE',
        { options, name },
      ),
    )
  for (const [row] of await Promise.all(reads)) {
    if (row && names.includes(row.option_name)) found.set(row.option_name, row.option_value)
  }
  return found
}

/**
 * Reads the stored text of this option and locks its row. A missing row is first inserted with `initial`: a missing row cannot be locked,
 * so without it two writers would both find it missing and the second would overwrite the first.
 */
export async function lockOrCreateOption(
  tx: Tx,
  site: Site,
  name: string,
  initial: string | (() => Promise<string>),
  autoload: Autoload,
): Promise<string> {
  const stored = (await lockOptions(tx, site, [name])).get(name)
  if (stored !== undefined) return stored
  const value = typeof initial === 'string' ? initial : await initial()
  const row = optionRow(tx, site, { name, value }, autoload)
  await runStatement(tx, 'INSERT IGNORE INTO :options: (:columns:) VALUES (:values)', {
    options: site.tables.options,
    columns: Object.keys(row),
    values: Object.values(row),
  })
  tx.invalidate(optionKeys(site, [name]))
  return (await lockOptions(tx, site, [name])).get(name) ?? value
}

/**
 * Locks the rows of existing options without reading their values.
 * @returns the names of the options that exist
 */
export async function lockExistingOptions(
  tx: Tx,
  site: Site,
  names: readonly string[],
): Promise<Set<string>> {
  if (names.length === 0) return new Set()
  const rows = await readRows<{ option_name: string }>(
    tx,
    `SELECT option_name FROM :options: WHERE option_name IN (:names)
      ORDER BY option_name FOR UPDATE`,
    { options: site.tables.options, names: [...names] },
  )
  return new Set(rows.map((row) => row.option_name))
}

/** Lets the transaction fail with this error if an option is missing, and locks the rows of the others. */
export function assertOptionsExist(
  tx: Tx,
  { tables: { options } }: Site,
  names: readonly string[],
  error: () => Error,
): void {
  tx.assertFound(
    `SELECT 1 FROM :options: WHERE option_name IN (:names) ORDER BY option_name LIMIT ${names.length} FOR UPDATE`,
    { options, names },
    error,
    names.length,
  )
}

/**
 * Changes the row of a locked option and restores it. On Galera the write forces a certification conflict with concurrent writers on other
 * nodes, which a lock alone does not.
 */
export function certifyOption(tx: Tx, site: Site, name: string): void {
  const values = { options: site.tables.options, name }
  for (const autoload of ["CONCAT(autoload, '.')", 'LEFT(autoload, CHAR_LENGTH(autoload) - 1)'])
    tx.later(`UPDATE :options: SET autoload = ${autoload} WHERE option_name = :name`, values)
}

export type OptionValue = {
  readonly name: string
  readonly value: string
  /** The text of which the new one was made, with what other programs have written to it [none]. */
  readonly before?: string | undefined
}

/** The row of a new option. */
export function optionRow(
  tx: Tx,
  { tables: { options } }: Site,
  { name, value }: OptionValue,
  autoload: Autoload,
): InsertedRow {
  return completeRow(tx.implicit, options, { option_name: name, option_value: value, autoload })
}

/** Maximum characters per statement, well below the smallest default `max_allowed_packet` (4 MB). A single text may be longer. */
const MAX_STATEMENT_CHARACTERS = 512 * 1024

/**
 * Stores options, already serialized. New rows get `autoload`; existing rows keep theirs. The caller has locked the rows under which the
 * values were computed. Rows are written in the order of their names, as they are locked (`lockOptions`), in as many statements as their
 * length requires.
 * @param explain see `LaterOptions`
 */
export function writeOptions(
  tx: Tx,
  site: Site,
  options: readonly OptionValue[],
  autoload: Autoload,
  explain: LaterOptions['explain'] = () => undefined,
): void {
  const sorted = [...options].sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const batch of inBatches(sorted, MAX_STATEMENT_CHARACTERS, ({ value }) => value.length)) {
    const rows = batch.map((option) => optionRow(tx, site, option, autoload))
    tx.later(
      `INSERT INTO :options: (:columns:) VALUES :rows
        ON DUPLICATE KEY UPDATE option_value = VALUES(option_value)`,
      {
        options: site.tables.options,
        columns: Object.keys(rows[0] ?? {}),
        rows: rows.map((row) => Object.values(row)),
      },
      { explain },
    )
  }
  for (const { name, before } of options) noteOption(tx, site, name, before)
}

/** Stores an option, already serialized, if the option `owner` exists, in one statement. `owner` is locked by it. */
export async function writeOptionOf(
  tx: Tx,
  site: Site,
  owner: string,
  { name, value }: OptionValue,
  autoload: Autoload,
): Promise<void> {
  const row = optionRow(tx, site, { name, value }, autoload)
  await runStatement(
    tx,
    `INSERT INTO :options: (:columns:)
      SELECT :values FROM :options: WHERE option_name = :owner FOR UPDATE
      ON DUPLICATE KEY UPDATE option_value = VALUES(option_value)`,
    {
      options: site.tables.options,
      columns: Object.keys(row),
      values: Object.values(row),
      owner,
    },
  )
  noteOption(tx, site, name)
}

export function deleteOptions(tx: Tx, site: Site, names: readonly string[]): void {
  tx.later('DELETE FROM :options: WHERE option_name IN (:names)', {
    options: site.tables.options,
    names: ['', ...names],
  })
  noteDeletedOptions(tx, site, names)
}

/** The values of the column `autoload`: `yes` and `no` up to WordPress 6.5, the others since then. */
export type Autoload = 'yes' | 'no' | 'on' | 'off' | 'auto' | 'auto-on' | 'auto-off'

/** WordPress does not autoload larger values by default, in bytes (wp_determine_option_autoload_value). */
const MAX_AUTOLOADED_BYTES = 150_000

/**
 * The `autoload` value that this site's WordPress gives to a new option without an explicit choice (wp_determine_option_autoload_value).
 * `db_version` does not distinguish 6.5 from 6.6, so the values in the table are used.
 */
export async function autoloadOfNewOption(db: Db, site: Site, value: string): Promise<Autoload> {
  // Rows of this service have `off` on every version.
  const modern = await readRow(
    db,
    `SELECT option_id FROM :options: WHERE autoload IN ('on', 'off', 'auto', 'auto-on', 'auto-off')
      AND NOT option_name LIKE :own LIMIT 1`,
    { options: site.tables.options, own: `${escapeLike('svc_')}%` },
  )
  if (modern === undefined) return 'yes'
  return Buffer.byteLength(value) > MAX_AUTOLOADED_BYTES ? 'auto-off' : 'auto'
}
